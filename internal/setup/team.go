package setup

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/aurora-sidecar/aurora/internal/atomicfile"
	"github.com/aurora-sidecar/aurora/internal/atrest"
	"github.com/aurora-sidecar/aurora/memory/postgres"
)

// PasswordVariable is the environment variable with the password of the team's server; it goes before what was kept at joining.
const PasswordVariable = "AURORA_TEAM_PASSWORD"

// Where the password of the team's server is.
const (
	PasswordInKeyring = "keyring"
	PasswordInFile    = "file" // of the account, mode 0600
	PasswordElsewhere = ""     // in the environment or ~/.pgpass
)

// keyringAccount is what the password is filed under in the keyring.
const keyringAccount = "team"

// A TeamAccount says which team a person is in. It lies in AURORA's own folder, never in a project: a project can't have
// records sent anywhere.
type TeamAccount struct {
	URL      string `json:"url"`
	Keeps    string `json:"password_in,omitempty"`
	Password string `json:"password,omitempty"` // with PasswordInFile
}

// TeamFile is the file of the account in AURORA's folder.
func TeamFile(home string) string { return filepath.Join(home, "team.json") }

// ReadTeam returns the account, and whether there is one.
func ReadTeam(home string) (a TeamAccount, joined bool, err error) {
	if home == "" {
		return a, false, nil
	}
	text, err := os.ReadFile(TeamFile(home))
	if errors.Is(err, fs.ErrNotExist) {
		return a, false, nil
	}
	if err == nil {
		err = json.Unmarshal(text, &a)
	}
	if err != nil {
		return a, true, fmt.Errorf("%s can't be read (%w): run aurora team join again", TeamFile(home), err)
	}
	return a, true, nil
}

// Address is the account as an address that can be connected to.
func (a TeamAccount) Address() (postgres.Address, error) {
	address := postgres.Address{URL: a.URL, Password: os.Getenv(PasswordVariable)}
	switch {
	case address.Password != "":
	case a.Keeps == PasswordInFile:
		address.Password = a.Password
	case a.Keeps == PasswordInKeyring:
		var err error
		if address.Password, err = atrest.ReadSecret(keyringAccount); err != nil {
			return address, fmt.Errorf("the password is not in the system's keyring any more (%w): run aurora team join again", err)
		}
	}
	return address, nil
}

// KeepTeam writes the account. A password goes into the system's keyring, or where there is none into the file; the account that is returned
// says which.
func KeepTeam(home, url, password string) (TeamAccount, error) {
	a := TeamAccount{URL: url}
	if password != "" {
		if a.Keeps = PasswordInKeyring; atrest.KeepSecret(keyringAccount, password) != nil {
			a.Keeps, a.Password = PasswordInFile, password
		}
	}
	text, err := json.MarshalIndent(a, "", "  ")
	if err == nil {
		err = os.MkdirAll(home, 0o700)
	}
	if err == nil {
		err = atomicfile.Write(TeamFile(home), append(text, '\n'), atomicfile.Private)
	}
	return a, err
}

// DropTeam removes the account with its password.
func DropTeam(home string, a TeamAccount) error {
	var err error
	if a.Keeps == PasswordInKeyring {
		err = atrest.DropSecret(keyringAccount)
	}
	if gone := os.Remove(TeamFile(home)); gone != nil && !errors.Is(gone, fs.ErrNotExist) {
		err = errors.Join(err, gone)
	}
	return err
}

// A TeamReader reads the account again when its file has changed.
type TeamReader struct {
	Home string

	mu      sync.Mutex
	changed time.Time
	account TeamAccount
	joined  bool
	address postgres.Address
	err     error
}

// Joined reports whether there is an account.
func (r *TeamReader) Joined() bool {
	_, err := os.Stat(TeamFile(r.Home))
	return r.Home != "" && err == nil
}

// Address returns the address of the account as it is now.
func (r *TeamReader) Address() (postgres.Address, bool, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	info, err := os.Stat(TeamFile(r.Home))
	if r.Home == "" || errors.Is(err, fs.ErrNotExist) {
		r.changed, r.joined = time.Time{}, false
		return postgres.Address{}, false, nil
	}
	if err != nil {
		return postgres.Address{}, false, err
	}
	if !info.ModTime().Equal(r.changed) || r.err != nil {
		if r.account, r.joined, r.err = ReadTeam(r.Home); r.err == nil {
			r.address, r.err = r.account.Address()
		}
		r.changed = info.ModTime()
	}
	return r.address, r.joined, r.err
}
