package dispatch

import "testing"

// A call that ends while a claim is in flight must wait for that claim's rows, also if an earlier claim has left its token
// behind: else they are leased to a worker that never hears of them.
func TestLeaseCall_ThatEnds_WaitsForTheClaimsInFlight(t *testing.T) {
	t.Parallel()
	call := &leaseCall{done: make(chan struct{}, 1)}
	if !call.begin() || call.deliver(make([]Leased, 1)) != nil {
		t.Fatal("the first claim was not taken")
	}
	if !call.begin() {
		t.Fatal("a second claim may not begin")
	}
	if !call.close() {
		t.Fatal("no claim is in flight")
	}
	select {
	case <-call.done:
		t.Fatal("done before the second claim was answered")
	default:
	}
	if call.begin() {
		t.Error("a claim may begin after the end")
	}
	if call.deliver(make([]Leased, 2)) != nil {
		t.Error("the rows of the second claim were handed back")
	}
	<-call.done
	if rows := call.take(); len(rows) != 3 {
		t.Errorf("%d rows, want those of both claims", len(rows))
	}
}
