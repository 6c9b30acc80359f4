package atomicfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// Private is the mode of files that are for the user alone.
const Private fs.FileMode = 0o600

// Write puts a file with this text and mode in the place of the one at path, whole or not at all. The folder must be there.
func Write(path string, text []byte, mode fs.FileMode) error {
	temp, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*.tmp")
	if err != nil {
		return err
	}
	_, err = temp.Write(text)
	err = errors.Join(err, temp.Chmod(mode), temp.Sync(), temp.Close())
	if err == nil {
		err = os.Rename(temp.Name(), path)
	}
	if err != nil {
		_ = os.Remove(temp.Name())
	}
	return err
}
