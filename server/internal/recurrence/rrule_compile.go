package recurrence

// compile builds the rule with DTSTART at a wall-clock second, which the clock shows
// at an instant. What the parts leave open follows from DTSTART, as in RFC 5545.
func (p *ruleParts) compile(start, instant int64) (*rule, *ParseError) {
	r := &rule{
		freq: p.freq, weekStart: uint8(p.weekStart), interval: int64(p.interval),
		nthOfYear: p.freq == yearly && len(p.months) == 0,
		start:     start, instant: instant, end: endOfYears - 1, until: endInstant,
	}
	r.takeDays(p)
	r.completeDays(p)
	r.takeTimes(p)
	r.takeBase()
	if len(p.positions) > 0 {
		for _, v := range p.positions {
			if v > 0 {
				r.positions.add(v)
			} else {
				r.positionsBack.add(-v)
			}
		}
		if !r.choose() {
			return nil, refuse("BYSETPOS", "", "never fires: no period has so many times", "use smaller numbers")
		}
	}
	return r, nil
}

// takeDays copies the parts about days into masks.
func (r *rule) takeDays(p *ruleParts) {
	for _, v := range p.months {
		r.months |= 1 << v
	}
	for _, v := range p.weeks {
		if v > 0 {
			r.weeks |= 1 << v
		} else {
			r.weeksBack |= 1 << -v
		}
	}
	for _, v := range p.yearDays {
		if v > 0 {
			r.yearDays.add(v)
		} else {
			r.yearDaysBack.add(-v)
		}
	}
	for _, v := range p.monthDays {
		if v > 0 {
			r.monthDays |= 1 << v
		} else {
			r.monthDaysBack |= 1 << -v
		}
	}
	for _, d := range p.days {
		switch {
		case d.n == 0:
			r.weekdays |= 1 << d.weekday
			continue
		case d.n > 0:
			r.nth[d.weekday] |= 1 << d.n
		default:
			r.nthBack[d.weekday] |= 1 << -d.n
		}
		r.counted |= 1 << d.weekday
	}
}

// completeDays takes from DTSTART what the parts about days leave open.
func (r *rule) completeDays(p *ruleParts) {
	day := r.start / secondsPerDay
	_, m, d := civil(day)
	weekday := uint8(1) << weekdayOf(day)
	none := len(p.days)+len(p.monthDays)+len(p.yearDays) == 0
	switch {
	case !none:
	case len(p.weeks) > 0 || r.freq == weekly:
		r.weekdays = weekday
	case r.freq == yearly && r.months == 0:
		r.months, r.monthDays = 1<<m, 1<<d
	case r.freq == yearly || r.freq == monthly:
		r.monthDays = 1 << d
	}
	if r.months == 0 {
		r.months = everyMonth
	}
}

// takeTimes fills in the time of day.
func (r *rule) takeTimes(p *ruleParts) {
	t := int(r.start % secondsPerDay)
	mask := func(list []int, start int, open bool, n int) uint64 {
		var m uint64
		for _, v := range list {
			m |= 1 << v
		}
		switch {
		case m != 0:
			return m
		case open:
			return 1<<n - 1
		}
		return 1 << start
	}
	r.clock.hours = uint32(mask(p.hours, t/secondsPerHour, r.freq >= hourly, 24))
	r.clock.minutes = mask(p.minutes, t/secondsPerMinute%60, r.freq >= minutely, 60)
	r.clock.seconds = mask(p.seconds, t%60, r.freq >= secondly, 60)
	r.clock.seal()
}

// takeBase finds where the first period begins.
func (r *rule) takeBase() {
	day := r.start / secondsPerDay
	y, m, _ := civil(day)
	switch r.freq {
	case yearly:
		r.base = int64(y)
	case monthly:
		r.base = monthNumber(y, m)
	case weekly:
		r.base = day - int64((weekdayOf(day)-int(r.weekStart)+7)%7)
	case daily:
		r.base = day
	default:
		r.base = r.instant - r.start%r.freq.seconds()
	}
}
