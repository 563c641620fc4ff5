package api

import (
	"os"
	"testing"

	"github.com/belfryhq/belfry/internal/pgdev/pgtest"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m)) }
