package setup

import (
	"crypto/ed25519"
	"encoding/base64"
	"errors"
	"fmt"
	"os"

	"github.com/aurora-sidecar/aurora/index/remotecache"
	"github.com/aurora-sidecar/aurora/internal/config"
)

// SigningVariable is the environment variable with the key by which entries of the shared cache are signed: 32 random bytes in
// base64.
const SigningVariable = "AURORA_SIGNING_KEY"

// SharedCache returns the cache that a team shares, nil when the settings name none.
func SharedCache(s *config.Settings) (*remotecache.Cache, error) {
	o := &s.Storage.SharedCache
	if o.URL == "" {
		return nil, nil
	}
	key, err := base64.StdEncoding.DecodeString(o.PublicKey)
	if err != nil || len(key) != ed25519.PublicKeySize {
		return nil, errors.New("storage.shared_cache.public_key must be the key that aurora index --push prints: without it nothing of the cache can be trusted")
	}
	return sharedCache(o, key)
}

func sharedCache(o *config.SharedCache, key ed25519.PublicKey) (*remotecache.Cache, error) {
	token := ""
	if o.TokenEnv != "" {
		if token = os.Getenv(o.TokenEnv); token == "" {
			return nil, fmt.Errorf("the environment variable %s, which storage.shared_cache.token_env names, is not set", o.TokenEnv)
		}
	}
	c, err := remotecache.New(remotecache.Options{Address: o.URL, Token: token, PublicKey: key})
	if err != nil {
		return nil, fmt.Errorf("storage.shared_cache.url: %w", err)
	}
	return c, nil
}

// SharedCacheWriter returns what fills the shared cache, and the public key that its users need. The signing key is in the
// environment; a public key in the settings must be its own.
func SharedCacheWriter(s *config.Settings) (w *remotecache.Writer, public string, err error) {
	o := &s.Storage.SharedCache
	if o.URL == "" {
		return nil, "", errors.New("storage.shared_cache.url names no cache to push to")
	}
	seed, err := base64.StdEncoding.DecodeString(os.Getenv(SigningVariable))
	if err != nil || len(seed) != ed25519.SeedSize {
		return nil, "", fmt.Errorf("the environment variable %s must hold the signing key: 32 random bytes in base64, as openssl rand -base64 32 makes them", SigningVariable)
	}
	owner := ed25519.NewKeyFromSeed(seed)
	key, _ := owner.Public().(ed25519.PublicKey)
	public = base64.StdEncoding.EncodeToString(key)
	if o.PublicKey != "" && o.PublicKey != public {
		return nil, "", fmt.Errorf("the key in %s is not that of storage.shared_cache.public_key; its own is %s", SigningVariable, public)
	}
	c, err := sharedCache(o, key)
	if err != nil {
		return nil, "", err
	}
	w, err = c.Writer(owner)
	return w, public, err
}
