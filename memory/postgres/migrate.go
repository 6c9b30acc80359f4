package postgres

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

//go:embed migration/*.sql
var migrations embed.FS

// schema is the version that this AURORA brings a database to.
func schema() int {
	files, err := migrations.ReadDir("migration")
	if err != nil { // it is part of the program
		return 0
	}
	return len(files)
}

// leastClient is the least schema that a client of the present one must know.
const leastClient = 1

// foundation makes the owner, the schema and the table of migrations. One who is no superuser needs CREATEROLE.
const foundation = `BEGIN;
DO $$ BEGIN
	IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'aurora_owner') THEN
		CREATE ROLE aurora_owner NOLOGIN NOSUPERUSER NOBYPASSRLS;
	END IF;
	IF NOT pg_has_role(current_user, 'aurora_owner', 'USAGE') THEN
		EXECUTE format('GRANT aurora_owner TO %I', current_user);
	END IF;
END $$;
CREATE SCHEMA IF NOT EXISTS aurora AUTHORIZATION aurora_owner;
SET LOCAL ROLE aurora_owner;
SET LOCAL search_path = aurora, pg_temp;
CREATE TABLE IF NOT EXISTS migrations (
	version      integer     PRIMARY KEY,
	name         text        NOT NULL,
	least_client integer     NOT NULL,
	applied_at   timestamptz NOT NULL DEFAULT now(),
	applied_by   text        NOT NULL
);`

// migrationLock keeps two migrations apart.
const migrationLock = 4_861_503_221

// Migrate brings a database to the schema of this AURORA, by somebody who may make roles and schemas there, and returns the version before
// and now. Each migration is done whole or not at all.
func Migrate(ctx context.Context, a Address, by string) (from, to int, err error) {
	conn, err := connect(ctx, a)
	if err != nil {
		return 0, 0, err
	}
	defer func() {
		closing, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		_ = conn.Close(closing) // what was done is committed
	}()
	files, err := migrations.ReadDir("migration")
	if err != nil {
		return 0, 0, err
	}
	if err := exec(ctx, conn, fmt.Sprintf(`SET statement_timeout = 0; SELECT pg_advisory_lock(%d)`, int64(migrationLock))); err != nil {
		return 0, 0, err
	}
	if from, err = version(ctx, conn); err != nil {
		return 0, 0, err
	}
	if from > len(files) {
		return from, from, fmt.Errorf("the database has schema %d, newer than %d, which this AURORA knows: update AURORA", from, len(files))
	}
	for to = from; to < len(files); to++ {
		name := files[to].Name()
		script, err := migrations.ReadFile("migration/" + name)
		if err != nil {
			return from, to, err
		}
		note := fmt.Sprintf(`INSERT INTO migrations (version, name, least_client, applied_by) VALUES (%d, '%s', %d, '%s')`, to+1, name, leastClient, quoted(by))
		if err := exec(ctx, conn, foundation+string(script)+";"+note+"; COMMIT"); err != nil {
			return from, to, fmt.Errorf("%s: %w", name, err)
		}
	}
	return from, to, nil
}

func exec(ctx context.Context, conn *pgconn.PgConn, statements string) error {
	_, err := conn.Exec(ctx, statements).ReadAll()
	return err
}

// version is the schema that a database has, 0 for none.
func version(ctx context.Context, conn *pgconn.PgConn) (int, error) {
	rows, err := query(ctx, conn, `SELECT to_regclass('aurora.migrations') IS NOT NULL`)
	if err != nil || len(rows) != 1 || string(rows[0][0]) != "t" {
		return 0, err
	}
	rows, err = query(ctx, conn, `SELECT coalesce(max(version), 0) FROM aurora.migrations`)
	if err != nil {
		return 0, err
	}
	if len(rows) != 1 {
		return 0, errors.New("aurora.migrations can't be read")
	}
	return strconv.Atoi(string(rows[0][0]))
}

func quoted(s string) string {
	out := make([]rune, 0, len(s))
	for _, r := range s {
		if r != '\'' && r != '\\' && r >= ' ' {
			out = append(out, r)
		}
	}
	return string(out)
}
