-- What a record said before it was changed.
CREATE TABLE record_versions (
    seq         INTEGER PRIMARY KEY,
    record      TEXT    NOT NULL,
    title       TEXT    NOT NULL,
    content     TEXT    NOT NULL,
    until_at_ms INTEGER NOT NULL -- when another text took its place
) STRICT;
CREATE INDEX record_versions_of ON record_versions (record, seq);

-- What people thought of records is found without reading how often they were used.
CREATE INDEX access_events_judged ON access_events (subject, seq) WHERE action IN ('rated', 'rejected', 'accepted');
