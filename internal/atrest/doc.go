// Package atrest encrypts what AURORA keeps on disk, and knows where the key for that comes from.
//
// It owns the keys, which are age identities (https://age-encryption.org), their sources (an environment variable, a file,
// the system's keyring), and whole files: each is an age file of its own, so that the age program reads it, too. The
// pages of the database are encrypted by package memory/sqlite/cryptvfs, with a key that is wrapped by one of these.
//
// It never prints or logs a key: a Keys prints as the fingerprint of its first one.
package atrest
