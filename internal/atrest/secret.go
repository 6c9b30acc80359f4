package atrest

import (
	"errors"

	"github.com/zalando/go-keyring"
)

// KeepSecret puts a secret that is no key of AURORA's own, such as a password, into the system's keyring.
func KeepSecret(account, secret string) error {
	if err := keyring.Set(keyringService, account, secret); err != nil {
		return err
	}
	if back, err := ReadSecret(account); err != nil || back != secret {
		return errors.Join(errors.New("the system's keyring did not keep it as it was given"), err)
	}
	return nil
}

// ReadSecret returns a secret of the keyring. It fails with an error that wraps ErrNoKey when there is none.
func ReadSecret(account string) (string, error) { return Source{Account: account}.readKeyring() }

// DropSecret takes a secret out of the keyring. That there is none is no error.
func DropSecret(account string) error {
	if err := keyring.Delete(keyringService, account); err != nil && !errors.Is(err, keyring.ErrNotFound) {
		return err
	}
	return nil
}
