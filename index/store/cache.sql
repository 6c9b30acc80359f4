-- Schema 1 of the content cache, which all workspaces of a user share.

CREATE TABLE content (
	key      BLOB    NOT NULL PRIMARY KEY,
	used_day INTEGER NOT NULL, -- days since 1970 UTC: stored or last asked for
	data     BLOB    NOT NULL  -- CRC-32C of key and content, then the content
);

CREATE INDEX content_used ON content (used_day);

CREATE TABLE meta (
	key   TEXT NOT NULL PRIMARY KEY,
	value TEXT NOT NULL
) WITHOUT ROWID;
