package postgres

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

const (
	connectWithin = 10 * time.Second
	answerWithin  = 15 * time.Second // of one request

	maxMessage = 8 << 20 // bytes of one message of a server
)

// An Address names a server, a database and a role, as postgres://role@host/database.
type Address struct {
	URL      string
	Password string // "" looks into PGPASSWORD and ~/.pgpass
}

// Check says what is wrong with an address as a person gives it, nil for nothing.
func (a Address) Check() error {
	u, err := url.Parse(a.URL)
	switch {
	case err != nil || u.Scheme != "postgres" && u.Scheme != "postgresql":
		return errors.New("the address must look like postgres://role@host/database")
	case u.User.Username() == "":
		return errors.New("the address names no role: postgres://role@host/database")
	case u.Path == "" || u.Path == "/":
		return errors.New("the address names no database: postgres://role@host/database")
	}
	if _, with := u.User.Password(); with || u.Query().Has("password") {
		return errors.New("leave the password out of the address, where others on this machine can see it")
	}
	return nil
}

// config is how an address is connected to. A server on another machine has to prove who it is, unless the address says otherwise.
func (a Address) config() (*pgconn.Config, error) {
	if err := a.Check(); err != nil {
		return nil, err
	}
	u, err := url.Parse(a.URL)
	if err != nil {
		return nil, err
	}
	query := u.Query()
	if !query.Has("sslmode") && !isLocal(u.Hostname(), query.Get("host")) {
		query.Set("sslmode", "verify-full")
		if !query.Has("sslrootcert") {
			query.Set("sslrootcert", "system")
		}
		u.RawQuery = query.Encode()
	}
	c, err := pgconn.ParseConfig(u.String())
	if err != nil {
		return nil, errors.New("the address can't be used: " + strings.ReplaceAll(err.Error(), u.String(), "it"))
	}
	if a.Password != "" {
		c.Password = a.Password
	}
	dialer := &net.Dialer{Timeout: connectWithin, KeepAliveConfig: net.KeepAliveConfig{Enable: true, Idle: 15 * time.Second, Interval: 5 * time.Second, Count: 3}}
	c.ConnectTimeout, c.DialFunc, c.MaxProtocolMessageBodyLen = connectWithin, dialer.DialContext, maxMessage
	c.RuntimeParams["application_name"] = "aurora"
	c.RuntimeParams["statement_timeout"] = fmt.Sprint(answerWithin.Milliseconds())
	c.RuntimeParams["client_encoding"] = "UTF8"
	return c, nil
}

// isLocal reports whether nobody can stand between this process and a host.
func isLocal(host, socket string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback() || host == "" && (socket == "" || strings.HasPrefix(socket, "/"))
}

func connect(ctx context.Context, a Address) (*pgconn.PgConn, error) {
	c, err := a.config()
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, connectWithin)
	defer cancel()
	return pgconn.ConnectConfig(ctx, c)
}

// query runs one statement and returns its rows as text.
func query(ctx context.Context, c *pgconn.PgConn, statement string, args ...string) ([][][]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, answerWithin)
	defer cancel()
	values := make([][]byte, len(args))
	for i, arg := range args {
		values[i] = []byte(arg)
	}
	result := c.ExecParams(ctx, statement, values, nil, nil, nil).Read()
	return result.Rows, result.Err
}

// Codes of PostgreSQL's errors.
const (
	badPassword    = "28P01"
	badRole        = "28000"
	noDatabase     = "3D000"
	noPrivilege    = "42501"
	noSchema       = "3F000"
	noFunction     = "42883"
	diskFull       = "53100"
	tooMany        = "53300"
	readOnlyServer = "25006"
	tooLong        = "57014"
)

// Explain says in a sentence what is wrong with a server, for people.
func Explain(err error) string {
	var server *pgconn.PgError
	if errors.As(err, &server) {
		switch server.Code {
		case badPassword, badRole:
			return "the server refuses the role or its password: " + server.Message
		case noDatabase:
			return "the server has no such database: " + server.Message
		case noSchema, noFunction:
			return "the database has no memory of a team, or an older one: who runs it calls aurora team migrate"
		case noPrivilege:
			return "the role is no member of a team there: who runs it adds it (aurora.add_member)"
		case diskFull:
			return "the server's disk is full; what was remembered waits here"
		case tooMany:
			return "the server has no connection left: " + server.Message
		case readOnlyServer:
			return "the server takes no changes now; what was remembered waits here"
		case tooLong:
			return "the server took too long"
		}
		return "the server says: " + server.Message
	}
	var expired x509.CertificateInvalidError
	var unknown x509.UnknownAuthorityError
	var other x509.HostnameError
	var network net.Error
	switch {
	case errors.As(err, &expired) && expired.Reason == x509.Expired:
		return "the server's certificate has expired, or is not valid yet by this clock"
	case errors.As(err, &unknown), errors.As(err, &other), errors.As(err, &expired):
		return "the server can't prove who it is: " + last(err)
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &network) && network.Timeout():
		return "the server does not answer"
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return "the server closed the connection"
	}
	var connecting *pgconn.ConnectError
	if errors.As(err, &connecting) {
		return last(err)
	}
	return err.Error()
}

// last is the innermost text of an error, without the address, which those of the driver repeat.
func last(err error) string {
	for {
		if joined, is := err.(interface{ Unwrap() []error }); is && len(joined.Unwrap()) > 0 {
			err = joined.Unwrap()[0]
			continue
		}
		inner := errors.Unwrap(err)
		if inner == nil {
			return err.Error()
		}
		err = inner
	}
}

// NeedsPassword reports whether a server wants a password that it was not given.
func NeedsPassword(err error) bool {
	var server *pgconn.PgError
	return errors.As(err, &server) && server.Code == badPassword
}
