-- What a team shares: who of it wrote a record, and how far the server and the records here are the same.
ALTER TABLE records ADD COLUMN author TEXT NOT NULL DEFAULT ''; -- of the team; '' for nobody, or until the server has it

CREATE TABLE team_records (
    record     TEXT    PRIMARY KEY,
    repository TEXT    NOT NULL,
    remote     TEXT    NOT NULL, -- its id on the server: another one where the id is taken here
    version    INTEGER NOT NULL, -- of the server, on which the record here is based; 0 when the server never had it
    own        INTEGER NOT NULL, -- the person here made it
    changes    INTEGER NOT NULL, -- made here, ever
    sent       INTEGER NOT NULL, -- of these, those that the server has, or that gave way to its own
    refused    TEXT    NOT NULL DEFAULT '' -- why the server does not take the changes
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX team_records_remote ON team_records (repository, remote);
CREATE INDEX team_records_changed ON team_records (repository) WHERE changes > sent;

-- How far the changes of the server were followed.
CREATE TABLE team_cursors (
    repository TEXT    PRIMARY KEY,
    epoch      TEXT    NOT NULL, -- of the server's records; another one after they were restored from a backup
    seq        INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Whoever changes a record of the team, the change waits to be sent.
CREATE TRIGGER team_records_rewritten AFTER UPDATE OF title, content, tags, importance, source_ref, deleted_at_ms ON records
WHEN old.title <> new.title OR old.content <> new.content OR old.tags <> new.tags OR old.importance <> new.importance
    OR old.source_ref <> new.source_ref OR (old.deleted_at_ms IS NULL) <> (new.deleted_at_ms IS NULL)
BEGIN
    UPDATE team_records SET changes = changes + 1, refused = '' WHERE record = old.id;
END;
CREATE TRIGGER team_records_deleted AFTER DELETE ON records
BEGIN
    UPDATE team_records SET changes = changes + 1, refused = '' WHERE record = old.id;
END;
