package sqlite

import (
	"context"
	"database/sql/driver"
	"errors"
)

// failingConnector gives no connection, only the reason.
type failingConnector struct{ cause error }

func (c failingConnector) Connect(context.Context) (driver.Conn, error) { return nil, c.cause }
func (c failingConnector) Driver() driver.Driver                        { return c }
func (c failingConnector) Open(string) (driver.Conn, error) {
	return nil, errors.Join(errors.ErrUnsupported, c.cause)
}
