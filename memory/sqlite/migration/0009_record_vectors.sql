-- What records mean, in the space of a model. Derived: each can be made again.
CREATE TABLE record_vectors (
    record TEXT PRIMARY KEY,
    space  TEXT NOT NULL,
    vector BLOB NOT NULL -- int8
) STRICT, WITHOUT ROWID;

-- A vector is never of a text that the record no longer has.
CREATE TRIGGER record_vectors_rewritten AFTER UPDATE OF title, content ON records
WHEN old.title <> new.title OR old.content <> new.content
BEGIN
    DELETE FROM record_vectors WHERE record = old.id;
END;
CREATE TRIGGER record_vectors_deleted AFTER DELETE ON records
BEGIN
    DELETE FROM record_vectors WHERE record = old.id;
END;
