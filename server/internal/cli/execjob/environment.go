//go:build unix

package execjob

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	belfry "github.com/belfryhq/belfry/sdk/go"
)

const headerPrefix = "BELFRY_HEADER_"

// environment is that of this process and the job's facts. Facts that this process was given itself, as a command of
// another worker, are not those of the job.
func environment(own []string, job *belfry.LeasedJob) []string {
	known := facts(job)
	env := slices.DeleteFunc(slices.Clone(own), func(variable string) bool {
		name, _, _ := strings.Cut(variable, "=")
		_, fact := known[name]
		return fact || strings.HasPrefix(name, headerPrefix)
	})
	for _, name := range slices.Sorted(maps.Keys(known)) {
		if known[name] != "" {
			env = append(env, name+"="+known[name])
		}
	}
	for _, name := range slices.Sorted(maps.Keys(job.Headers)) {
		env = append(env, headerPrefix+variableName(name)+"="+job.Headers[name])
	}
	return env
}

// facts names everything that a job may have; what it has not is empty.
func facts(job *belfry.LeasedJob) map[string]string {
	return map[string]string{
		"BELFRY_JOB_ID":         job.JobID,
		"BELFRY_TENANT_ID":      job.TenantID,
		"BELFRY_QUEUE":          job.Queue,
		"BELFRY_JOB_TYPE":       job.Type,
		"BELFRY_ATTEMPT":        strconv.Itoa(job.Attempt),
		"BELFRY_FENCING_TOKEN":  strconv.FormatInt(job.FencingToken, 10),
		"BELFRY_DUE_TIME":       timeText(job.DueTime),
		"BELFRY_SCHEDULED_TIME": timeText(job.ScheduledTime),
		"BELFRY_SCHEDULE":       job.Schedule,
		"BELFRY_NOMINAL_TIME":   timeText(job.NominalTime),
		"BELFRY_CONTENT_TYPE":   job.Payload.ContentType(),
	}
}

func timeText(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339Nano)
}

// variableName is a header's name in capitals, with _ for what variables cannot have.
func variableName(header string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case 'a' <= r && r <= 'z':
			return r - 'a' + 'A'
		case 'A' <= r && r <= 'Z', '0' <= r && r <= '9':
			return r
		default:
			return '_'
		}
	}, header)
}
