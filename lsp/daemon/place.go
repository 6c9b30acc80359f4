package daemon

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// maxSocketPath is how long a socket's path may be everywhere, in bytes; macOS allows 103.
const maxSocketPath = 100

// keyLength is the length of the names of sockets, in hexadecimal digits.
const keyLength = 16

// A Place is where the daemon of one workspace is met.
type Place struct {
	dir string // private to the user
	key string
}

// NewPlace returns the Place of what identity tells apart, below home, AURORA's own folder. It touches no file. The
// error wraps errors.ErrUnsupported where the system can't have daemons.
func NewPlace(home string, identity ...string) (Place, error) {
	if !supported {
		return Place{}, fmt.Errorf("daemons on this system: %w", errors.ErrUnsupported)
	}
	dir, err := socketDir(home)
	if err != nil {
		return Place{}, err
	}
	return Place{dir: dir, key: digest(identity...)}, nil
}

// PlaceOf returns the Place of a socket, as Place.Socket told it.
func PlaceOf(socket string) (Place, error) {
	dir, name := filepath.Split(socket)
	key, ok := strings.CutSuffix(name, ".sock")
	if !ok || !filepath.IsAbs(dir) {
		return Place{}, fmt.Errorf("%s is no daemon's socket", socket)
	}
	return Place{dir: filepath.Clean(dir), key: key}, nil
}

// Places returns where daemons below home may be met: a socket is there, but perhaps nobody behind it.
func Places(home string) ([]Place, error) {
	dir, err := socketDir(home)
	if err != nil {
		return nil, err
	}
	err = checkDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("look for daemons: %w", err)
	}
	var places []Place
	for _, entry := range entries {
		if key, ok := strings.CutSuffix(entry.Name(), ".sock"); ok {
			places = append(places, Place{dir: dir, key: key})
		}
	}
	return places, nil
}

// Socket is the path of the socket.
func (p Place) Socket() string { return filepath.Join(p.dir, p.key+".sock") }

// lockFile is the path of the lock that the daemon holds as long as it lives.
func (p Place) lockFile() string { return filepath.Join(p.dir, p.key+".lock") }

// socketDir is the folder of the sockets: in home, or in the system's folder for such things when the paths would
// be too long there.
func socketDir(home string) (string, error) {
	if !filepath.IsAbs(home) {
		return "", errors.New("there is no folder for a daemon's socket")
	}
	temp := os.Getenv("XDG_RUNTIME_DIR")
	if !filepath.IsAbs(temp) {
		temp = os.TempDir()
	}
	fallback := filepath.Join(temp, fmt.Sprintf("aurora-%d-%.8s", os.Getuid(), digest(home)))
	for _, dir := range []string{filepath.Join(home, "daemon"), fallback} {
		if len(dir)+len("/.sock")+keyLength <= maxSocketPath {
			return dir, nil
		}
	}
	return "", fmt.Errorf("a socket's path in %s or %s would be too long", home, temp)
}

// makeDir makes the folder of the socket, and refuses one that is not private.
func (p Place) makeDir() error {
	if err := os.MkdirAll(p.dir, 0o700); err != nil {
		return fmt.Errorf("make the folder of sockets: %w", err)
	}
	return checkDir(p.dir)
}

// checkDir refuses a folder in which others could have put a socket.
func checkDir(dir string) error {
	info, err := os.Lstat(dir)
	if err != nil {
		return fmt.Errorf("check the folder of sockets: %w", err)
	}
	if !info.IsDir() || info.Mode().Perm()&0o077 != 0 || !owned(info) {
		return fmt.Errorf("%s must be a folder of yours that others can't enter (mode 0700)", dir)
	}
	return nil
}

// checkSocket refuses what the user's own daemon did not make.
func (p Place) checkSocket() error {
	if err := checkDir(p.dir); err != nil {
		return err
	}
	info, err := os.Lstat(p.Socket())
	if err != nil {
		return fmt.Errorf("look for a daemon: %w", err)
	}
	if info.Mode().Type() != fs.ModeSocket || !owned(info) {
		return fmt.Errorf("%s is no socket of yours", p.Socket())
	}
	return nil
}

// digest names a list of texts.
func digest(texts ...string) string {
	h := sha256.New()
	for _, text := range texts {
		fmt.Fprintf(h, "%d:%s", len(text), text)
	}
	return hex.EncodeToString(h.Sum(nil))[:keyLength]
}
