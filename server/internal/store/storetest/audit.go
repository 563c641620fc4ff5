package storetest

import "context"

// audit fails the test if it leaves rows in triggers that no statement may leave there: states and priorities that do not
// exist, or a running job without a lease. The table has no CHECK that says so (migration 0004 says why).
func (db *DB) audit() {
	var wrong int64
	err := db.pool.QueryRow(context.Background(), `SELECT count(*) FROM triggers WHERE state NOT BETWEEN 1 AND 3
		OR priority NOT BETWEEN 0 AND 9
		OR state = 2 AND (claim_id IS NULL OR lease_until IS NULL OR attempt_until IS NULL OR claimed_at IS NULL OR lease_us IS NULL)`).
		Scan(&wrong)
	if err == nil && wrong > 0 {
		db.t.Errorf("%d rows of triggers are in a state that does not exist, or run without a lease", wrong)
	}
}
