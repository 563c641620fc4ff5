// Package server is Belfry's server: New wires the engine, the API and the operations port in readable order, Run serves
// until its context ends and then drains. It is the only package outside server/internal that others start Belfry with.
//
// A Server is used once: New, then Run.
package server
