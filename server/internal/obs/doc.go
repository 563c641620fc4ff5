// Package obs names what Belfry says about itself: metrics and log keys.
//
// Labels are bounded: no tenant, job, queue or path is ever one. The registry is passed in; nothing is global. All types
// are safe for concurrent use.
package obs
