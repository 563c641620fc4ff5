// Command belfry is Belfry's one binary: server, development server, worker and client. `belfry --help` lists what it does.
package main

import (
	"os"

	"github.com/belfryhq/belfry/server/internal/cli"
)

// version is set by the linker: -ldflags '-X main.version=v1.2.3'.
var version string

func main() { os.Exit(cli.Main(version)) }
