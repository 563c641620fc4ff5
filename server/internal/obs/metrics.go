package obs

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// Metrics are the counters and histograms of one server. Times are seconds.
type Metrics struct {
	claims    *prometheus.CounterVec
	lateness  prometheus.Histogram
	attempts  *prometheus.CounterVec
	rescues   prometheus.Counter
	batchSize prometheus.Histogram
	batchTime prometheus.Histogram
	calls     *prometheus.CounterVec
	callTime  *prometheus.HistogramVec
	schedules *prometheus.CounterVec
	registry  prometheus.Registerer
}

// latenessBuckets are fine around the target (3 ms at the median, 20 ms at p99) and reach to an outage's length.
var latenessBuckets = []float64{.0005, .001, .002, .003, .005, .0075, .01, .015, .02, .03, .05, .1, .25, .5, 1, 2.5, 5, 15, 60, 300, 3600}

// NewMetrics registers the metrics.
func NewMetrics(r prometheus.Registerer) *Metrics {
	m := &Metrics{
		registry: r,
		claims: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "belfry_claims_total",
			Help: "Claims sent, by result: won, or missed because the row had changed."}, []string{"result"}),
		lateness: prometheus.NewHistogram(prometheus.HistogramOpts{Name: "belfry_lateness_seconds",
			Help: "From a job's due time to its claim, by the database's clock.", Buckets: latenessBuckets}),
		attempts: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "belfry_attempts_total",
			Help: "Attempts ended, by outcome."}, []string{"outcome"}),
		rescues: prometheus.NewCounter(prometheus.CounterOpts{Name: "belfry_rescues_total",
			Help: "Expired leases ended by the server."}),
		batchSize: prometheus.NewHistogram(prometheus.HistogramOpts{Name: "belfry_commit_items",
			Help: "Operations in one group commit.", Buckets: prometheus.ExponentialBuckets(1, 2, 11)}),
		batchTime: prometheus.NewHistogram(prometheus.HistogramOpts{Name: "belfry_commit_seconds",
			Help: "Duration of one group commit.", Buckets: prometheus.ExponentialBuckets(.0005, 2, 15)}),
		calls: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "belfry_calls_total",
			Help: "API calls, by method and code."}, []string{"method", "code"}),
		callTime: prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "belfry_call_seconds",
			Help: "Duration of API calls, by method.", Buckets: prometheus.ExponentialBuckets(.0005, 2.5, 12)}, []string{"method"}),
		schedules: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "belfry_occurrences_total",
			Help: "Nominal times of schedules, by outcome and, of skips and withdrawn jobs, reason."}, []string{"outcome", "reason"}),
	}
	r.MustRegister(m.claims, m.lateness, m.attempts, m.rescues, m.batchSize, m.batchTime, m.calls, m.callTime, m.schedules)
	return m
}

// Gauge registers a value that is read when metrics are scraped. The name is the caller's constant.
func (m *Metrics) Gauge(name, help string, read func() float64) {
	m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help}, read))
}

// Claimed counts claims and observes how late the won ones were.
func (m *Metrics) Claimed(n, missed int, lateness []time.Duration) {
	m.claims.WithLabelValues("won").Add(float64(n))
	m.claims.WithLabelValues("missed").Add(float64(missed))
	for _, d := range lateness {
		m.lateness.Observe(d.Seconds())
	}
}

// Finished counts an ended attempt; outcome is one of the few names of attempt outcomes.
func (m *Metrics) Finished(outcome string) { m.attempts.WithLabelValues(outcome).Inc() }

// Rescued counts expired leases that were ended.
func (m *Metrics) Rescued(n int) { m.rescues.Add(float64(n)) }

// Batch observes one group commit.
func (m *Metrics) Batch(items int, took time.Duration) {
	m.batchSize.Observe(float64(items))
	m.batchTime.Observe(took.Seconds())
}

// Call observes one API call; method is a procedure's name, code its Connect code or "ok".
func (m *Metrics) Call(method, code string, seconds float64) {
	m.calls.WithLabelValues(method, code).Inc()
	m.callTime.WithLabelValues(method).Observe(seconds)
}

// Occurrence counts nominal times of schedules by outcome and reason, each one of few words.
func (m *Metrics) Occurrence(outcome, reason string, n int) {
	m.schedules.WithLabelValues(outcome, reason).Add(float64(n))
}
