package postgres_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/aurora-sidecar/aurora/memory/postgres"
	"github.com/aurora-sidecar/aurora/memory/postgres/postgrestest"
)

// certificate makes a certificate for this machine that signs itself, and returns it and its key as PEM.
func certificate(t *testing.T, until time.Time) (cert, key []byte) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "team"}, NotBefore: until.Add(-48 * time.Hour), NotAfter: until,
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature,
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalECPrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: secret})
}

func TestCertificates(t *testing.T) {
	s := postgrestest.Start(t)
	s.Team("one", "alice")
	use := func(until time.Time) postgres.Address {
		cert, key := certificate(t, until)
		s.TLS(cert, key)
		file := filepath.Join(t.TempDir(), "root.pem")
		if err := os.WriteFile(file, cert, 0o600); err != nil {
			t.Fatal(err)
		}
		a := s.Address("alice")
		a.URL += "?sslmode=verify-full&sslrootcert=" + url.QueryEscape(file)
		return a
	}
	good := use(time.Now().Add(time.Hour))
	c, err := postgres.Dial(t.Context(), good)
	if err != nil {
		t.Fatal(err)
	}
	c.Close()
	stranger := s.Address("alice")
	other, _ := certificate(t, time.Now().Add(time.Hour))
	file := filepath.Join(t.TempDir(), "other.pem")
	if err := os.WriteFile(file, other, 0o600); err != nil {
		t.Fatal(err)
	}
	stranger.URL += "?sslmode=verify-full&sslrootcert=" + url.QueryEscape(file)
	if _, err := postgres.Dial(t.Context(), stranger); err == nil || !strings.Contains(postgres.Explain(err), "can't prove who it is") {
		t.Errorf("a certificate of another authority: %v", postgres.Explain(err))
	}
	expired := use(time.Now().Add(-time.Hour))
	if _, err := postgres.Dial(t.Context(), expired); err == nil || !strings.Contains(postgres.Explain(err), "expired") {
		t.Errorf("an expired certificate: %v", postgres.Explain(err))
	}
}

// TestHalfOpen has a server fall silent in the middle of a conversation, without a word to the client.
func TestHalfOpen(t *testing.T) {
	s := postgrestest.Start(t)
	s.Team("one", "alice")
	proxy := s.Proxy()
	c, err := postgres.Dial(t.Context(), proxy.Address(t, s.Address("alice")))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := c.Hello(t.Context(), repository); err != nil {
		t.Fatal(err)
	}
	if told, err := c.Wait(t.Context(), time.Millisecond); err != nil || told.Any {
		t.Errorf("told %+v, %v", told, err)
	}
	proxy.Set(postgrestest.Swallows)
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if _, err := c.Hello(ctx, repository); err == nil || !strings.Contains(postgres.Explain(err), "does not answer") {
		t.Errorf("%v", postgres.Explain(err))
	}
	if _, err := c.Wait(t.Context(), time.Millisecond); err == nil {
		t.Error("the connection is still taken for good")
	}
	ctx, cancel = context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if _, err := postgres.Dial(ctx, proxy.Address(t, s.Address("alice"))); err == nil || !strings.Contains(postgres.Explain(err), "does not answer") {
		t.Errorf("a new connection: %v", postgres.Explain(err))
	}
}
