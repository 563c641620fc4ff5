package store

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
)

// SchemaFingerprint names everything that decides what Migrate makes of an empty database, options apart: 16 hexadecimal
// digits. Databases with the same one can stand in for each other.
func SchemaFingerprint() (string, error) {
	entries, err := migrationFiles.ReadDir("migrations")
	if err != nil {
		return "", fmt.Errorf("list embedded migrations: %w", err)
	}
	sum := sha256.New()
	for _, entry := range entries {
		text, err := migrationFiles.ReadFile("migrations/" + entry.Name())
		if err != nil {
			return "", fmt.Errorf("read embedded migration %s: %w", entry.Name(), err)
		}
		_, _ = fmt.Fprintf(sum, "%s %d\n%s", entry.Name(), len(text), text)
	}
	_, _ = fmt.Fprintf(sum, "%s\n%s\n%s", leafOptions, historyDDL(classTable(1)), historyDDL("history_r01_20000101"))
	return hex.EncodeToString(sum.Sum(nil)[:8]), nil
}
