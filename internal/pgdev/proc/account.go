//go:build unix

package proc

import (
	"errors"
	"fmt"
	"os"
	"os/user"
	"strconv"
)

// Account is a local user to run a child under.
type Account struct {
	Name     string
	UID, GID int
}

// Unprivileged returns the account for programs that refuse to run as root:
// the first of names that this system knows. It is nil, without an error, if
// this process does not run as root anyway. An uid without a name would not
// do: such programs look their user up.
func Unprivileged(names ...string) (*Account, error) {
	if os.Geteuid() != 0 {
		return nil, nil
	}
	for _, name := range names {
		found, err := user.Lookup(name)
		if unknown := user.UnknownUserError(""); errors.As(err, &unknown) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("look up user %s: %w", name, err)
		}
		uid, err := strconv.Atoi(found.Uid)
		if err != nil {
			return nil, fmt.Errorf("user %s has uid %q: %w", name, found.Uid, err)
		}
		gid, err := strconv.Atoi(found.Gid)
		if err != nil {
			return nil, fmt.Errorf("user %s has gid %q: %w", name, found.Gid, err)
		}
		return &Account{Name: name, UID: uid, GID: gid}, nil
	}
	return nil, fmt.Errorf("none of the users %q exists: create one, or do not run as root", names)
}

// String names the account for messages.
func (a *Account) String() string {
	if a == nil {
		return fmt.Sprintf("uid %d", os.Geteuid())
	}
	return fmt.Sprintf("%s (uid %d)", a.Name, a.UID)
}
