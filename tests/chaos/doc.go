// Package chaos breaks a running Belfry in every way its promises speak of: servers and databases killed under load,
// connections cut, clocks wrong, hints lost. Afterwards every acknowledged job is accounted for: none lost, none early, none
// leased twice at once.
//
// The ordinary run keeps each test below 20 seconds; with BELFRY_NIGHTLY=1 outages last as long as the promises say.
package chaos
