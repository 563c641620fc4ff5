package recurrence

import (
	"archive/zip"
	_ "embed"
	"fmt"
	"sort"
	"strings"
	"sync"
	"time"
)

// ZoneDataVersion is the release of the IANA time zone database in zoneinfo.zip.
// It changes together with that file, which is the archive that ships with Go
// (lib/time/zoneinfo.zip; the release stands in update.bash beside it).
const ZoneDataVersion = "2025c"

// zoneArchive is read instead of time.LoadLocation because that prefers the
// host's files, and two nodes with different files would fire at different times.
//
//go:embed zoneinfo.zip
var zoneArchive string

const maxZoneName = 64

// zone is one time zone as a table of spans of constant offset.
type zone struct {
	name  string
	loc   *time.Location
	spans []span // ascending, at least one; neighbours differ in offset
}

// span says that from start (Unix seconds, inclusive) until the next span's start
// the wall clock shows instant + offset.
type span struct {
	start, offset int64
}

// zoneEntry is a zone of the archive whose table is built when first wanted.
type zoneEntry struct {
	data string
	once sync.Once
	zone *zone
}

// zoneDatabase indexes the archive by zone name. The map never changes after it
// was built.
var zoneDatabase = sync.OnceValue(func() map[string]*zoneEntry {
	archive, err := zip.NewReader(strings.NewReader(zoneArchive), int64(len(zoneArchive)))
	if err != nil {
		panic(fmt.Sprintf("BUG: read embedded zone archive: %v", err))
	}
	index := make(map[string]*zoneEntry, len(archive.File))
	for _, f := range archive.File {
		offset, err := f.DataOffset()
		if err != nil || f.Method != zip.Store {
			panic(fmt.Sprintf("BUG: zone %s in the embedded archive is not stored plainly: %v", f.Name, err))
		}
		index[f.Name] = &zoneEntry{data: zoneArchive[offset : offset+int64(f.UncompressedSize64)]}
	}
	return index
})

// ZoneNames lists every accepted time zone name in ascending order.
func ZoneNames() []string {
	index := zoneDatabase()
	names := make([]string, 0, len(index))
	for name := range index {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}

// loadZone finds a zone by its IANA name; "" is UTC.
func loadZone(name string) (*zone, *ParseError) {
	if name == "" {
		name = "UTC"
	}
	entry, ok := zoneDatabase()[name]
	if !ok {
		return nil, unknownZone(name)
	}
	entry.once.Do(func() { entry.zone = buildZone(name, entry.data) })
	return entry.zone, nil
}

func buildZone(name, data string) *zone {
	loc, err := time.LoadLocationFromTZData(name, []byte(data))
	if err != nil {
		panic(fmt.Sprintf("BUG: read embedded rules of zone %s: %v", name, err))
	}
	return &zone{name: name, loc: loc, spans: tabulate(loc)}
}

// tabulate walks a location through the years that rules may fire in.
func tabulate(loc *time.Location) []span {
	var spans []span
	for at := firstInstant; at < endInstant; {
		t := time.Unix(at, 0).In(loc)
		if _, offset := t.Zone(); len(spans) == 0 || spans[len(spans)-1].offset != int64(offset) {
			spans = append(spans, span{start: at, offset: int64(offset)})
		}
		_, end := t.ZoneBounds()
		if end.IsZero() {
			break
		}
		next := end.Unix()
		if next <= at {
			// On the last day of a leap year the bounds that follow from a
			// zone's rule string stop short of the instant itself; no rule
			// changes its offset on that day.
			next = at + secondsPerDay
		}
		at = next
	}
	return spans
}

// at returns the index of the span that holds an instant. Instants before the
// table belong to its first span.
func (z *zone) at(instant int64) int {
	lo, hi := 0, len(z.spans)
	for hi-lo > 1 {
		mid := int(uint(lo+hi) >> 1)
		if z.spans[mid].start <= instant {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo
}

// end is the first instant after span i.
func (z *zone) end(i int) int64 {
	if i+1 < len(z.spans) {
		return z.spans[i+1].start
	}
	return endInstant
}

func unknownZone(name string) *ParseError {
	if name == "Local" {
		return refuse(FieldZone, name, "a rule must not depend on the zone of a machine",
			"name an IANA zone such as Europe/Berlin, or UTC")
	}
	if len(name) > maxZoneName {
		return refuse(FieldZone, name, fmt.Sprintf("longer than %d bytes", maxZoneName),
			"name an IANA zone such as Europe/Berlin, or UTC")
	}
	hint := "use an IANA name such as Europe/Berlin, or UTC"
	if near := nearestZone(name); near != "" {
		hint = "did you mean " + near + "?"
	}
	return refuse(FieldZone, name, "not in the time zone database "+ZoneDataVersion, hint)
}

// nearestZone suggests a zone for a name that differs in case or blanks only, or
// that gives the city alone.
func nearestZone(name string) string {
	wanted := strings.ReplaceAll(name, " ", "_")
	city := ""
	for _, candidate := range ZoneNames() {
		if strings.EqualFold(candidate, wanted) {
			return candidate
		}
		if i := strings.LastIndexByte(candidate, '/'); city == "" && strings.EqualFold(candidate[i+1:], wanted) {
			city = candidate
		}
	}
	return city
}
