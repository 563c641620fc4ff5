package store

import (
	"time"

	"github.com/jackc/pgx/v5/pgtype"
)

// infinityTime scans a timestamptz whose infinity stands for "none", as the zero time.
type infinityTime time.Time

// ScanTimestamptz implements pgtype.TimestamptzScanner.
func (t *infinityTime) ScanTimestamptz(v pgtype.Timestamptz) error {
	if !v.Valid || v.InfinityModifier != pgtype.Finite {
		*t = infinityTime{}
		return nil
	}
	*t = infinityTime(v.Time.UTC())
	return nil
}
