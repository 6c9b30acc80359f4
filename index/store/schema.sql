-- Schema 1 of the index database. Times end in their unit: _ms and _ns are since 1970 UTC.

CREATE TABLE files (
	folder        TEXT    NOT NULL, -- workspace folder, absolute
	path          TEXT    NOT NULL, -- relative to folder, with '/'
	size          INTEGER NOT NULL, -- bytes
	mtime_ns      INTEGER NOT NULL,
	hash          BLOB    NOT NULL, -- SHA-256 of the text
	language      TEXT    NOT NULL,
	error         TEXT    NOT NULL, -- why the file has no content, '' when it has
	content_key   BLOB,             -- into content; NULL when nothing was computed
	indexed_at_ms INTEGER NOT NULL,
	PRIMARY KEY (folder, path)
) WITHOUT ROWID;

CREATE TABLE content (
	key        BLOB    NOT NULL PRIMARY KEY,
	used_at_ms INTEGER NOT NULL, -- stored, or last let go of by a file
	data       BLOB    NOT NULL
);

CREATE TABLE meta (
	key   TEXT NOT NULL PRIMARY KEY,
	value TEXT NOT NULL
) WITHOUT ROWID;
