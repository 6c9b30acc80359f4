-- Everything belongs to aurora_owner, which nobody can log in as. Members call functions, and read rows that the policies let them.

CREATE TABLE teams (
    name    text PRIMARY KEY,
    channel text NOT NULL DEFAULT 'aurora_' || replace(gen_random_uuid()::text, '-', ''), -- of notifications; only members are told
    epoch   text NOT NULL DEFAULT gen_random_uuid()::text -- another one after a restore: see new_epoch
);

CREATE TABLE members (
    role         text PRIMARY KEY, -- that logs in; a role is in one team
    team         text NOT NULL REFERENCES teams,
    repositories text[] -- those whose records are for them; NULL means all of the team
);

CREATE TABLE repositories (
    team     text   NOT NULL REFERENCES teams,
    name     text   NOT NULL CHECK (octet_length(name) BETWEEN 1 AND 1000),
    last_seq bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (team, name)
);

CREATE TABLE records (
    team       text        NOT NULL,
    repository text        NOT NULL,
    id         text        NOT NULL CHECK (octet_length(id) BETWEEN 1 AND 400),
    version    bigint      NOT NULL,
    seq        bigint      NOT NULL, -- of the latest change, in the repository's feed
    author     text        NOT NULL,
    edited_by  text        NOT NULL,
    edited_at  timestamptz NOT NULL DEFAULT now(),
    deleted    boolean     NOT NULL DEFAULT false,
    purged     boolean     NOT NULL DEFAULT false, -- its text is gone for good
    body       jsonb       NOT NULL,
    words      tsvector    GENERATED ALWAYS AS (
        to_tsvector('english', coalesce(body->>'title', '') || ' ' || coalesce(body->>'content', '')) ||
        to_tsvector('simple', coalesce(body->>'title', '') || ' ' || coalesce(body->>'content', ''))) STORED,
    PRIMARY KEY (team, repository, id),
    FOREIGN KEY (team, repository) REFERENCES repositories (team, name)
);
CREATE UNIQUE INDEX records_feed ON records (team, repository, seq);
CREATE INDEX records_words ON records USING gin (words);

-- What each change made of a record. op is the client's name for the change, by which it is done once.
CREATE TABLE versions (
    team       text        NOT NULL,
    repository text        NOT NULL,
    id         text        NOT NULL,
    version    bigint      NOT NULL,
    op         text        NOT NULL CHECK (octet_length(op) BETWEEN 8 AND 100),
    edited_by  text        NOT NULL,
    edited_at  timestamptz NOT NULL DEFAULT now(),
    deleted    boolean     NOT NULL,
    body       jsonb       NOT NULL,
    PRIMARY KEY (team, repository, id, version),
    FOREIGN KEY (team, repository, id) REFERENCES records (team, repository, id)
);
CREATE UNIQUE INDEX versions_op ON versions (team, edited_by, op);

-- Who calls, also inside of functions that run as the owner.
CREATE FUNCTION my_team() RETURNS text LANGUAGE sql STABLE SECURITY DEFINER SET search_path = aurora, pg_temp AS
    $$ SELECT team FROM members WHERE role = session_user $$;
CREATE FUNCTION may_see(repository text) RETURNS boolean LANGUAGE sql STABLE SECURITY DEFINER SET search_path = aurora, pg_temp AS
    $$ SELECT coalesce((SELECT repositories IS NULL OR may_see.repository = ANY (repositories) FROM members WHERE role = session_user), false) $$;

ALTER TABLE records      ENABLE ROW LEVEL SECURITY;
ALTER TABLE records      FORCE  ROW LEVEL SECURITY;
ALTER TABLE versions     ENABLE ROW LEVEL SECURITY;
ALTER TABLE versions     FORCE  ROW LEVEL SECURITY;
ALTER TABLE repositories ENABLE ROW LEVEL SECURITY;
ALTER TABLE repositories FORCE  ROW LEVEL SECURITY;
CREATE POLICY own_team ON records      USING (team = (SELECT my_team()) AND may_see(repository));
CREATE POLICY own_team ON versions     USING (team = (SELECT my_team()) AND may_see(repository));
CREATE POLICY own_team ON repositories USING (team = (SELECT my_team()) AND may_see(name));

-- The version of all this, and the least one that a client must know.
CREATE FUNCTION schema_version() RETURNS TABLE (version integer, least_client integer) LANGUAGE sql STABLE SECURITY DEFINER SET search_path = aurora, pg_temp AS
    $$ SELECT m.version, m.least_client FROM migrations m ORDER BY m.version DESC LIMIT 1 $$;

-- What a client has to know before anything else; no row for who is in no team.
CREATE FUNCTION hello(repository text) RETURNS TABLE (team text, member text, channel text, epoch text, last_seq bigint, allowed boolean)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = aurora, pg_temp AS $$
    SELECT t.name, m.role, t.channel, t.epoch,
        coalesce((SELECT r.last_seq FROM repositories r WHERE r.team = t.name AND r.name = hello.repository), 0), may_see(hello.repository)
    FROM members m JOIN teams t ON t.name = m.team WHERE m.role = session_user
$$;

-- The changes of a repository after one, in their order. A record that changed twice is there once, as it is now.
CREATE FUNCTION changes(repository text, after bigint, at_most integer)
RETURNS TABLE (seq bigint, id text, version bigint, author text, edited_by text, edited_at bigint, deleted boolean, purged boolean, body jsonb)
LANGUAGE sql STABLE SET search_path = aurora, pg_temp AS $$
    SELECT r.seq, r.id, r.version, r.author, r.edited_by, (extract(epoch FROM r.edited_at) * 1000)::bigint, r.deleted, r.purged, r.body
    FROM records r WHERE r.team = my_team() AND r.repository = changes.repository AND r.seq > after ORDER BY r.seq LIMIT least(at_most, 1000)
$$;

-- Does changes of a repository: [{op, id, base, deleted, purged, body}]. base is the version that the client has changed, 0 for none. Of each it
-- says done, with the version, or conflict, with the one that is there and its place in the feed, or why it was refused.
CREATE FUNCTION push(repository text, changes jsonb) RETURNS TABLE (op text, outcome text, version bigint, author text, seq bigint)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = aurora, pg_temp AS $$
DECLARE
    mine text := my_team();
    c jsonb;
    r records%ROWTYPE;
    v versions%ROWTYPE;
    next_seq bigint;
    gone boolean;
    text_of jsonb;
BEGIN
    IF mine IS NULL OR NOT may_see(push.repository) THEN
        RAISE insufficient_privilege USING MESSAGE = format('%s is no member of a team that has this repository', session_user);
    END IF;
    IF jsonb_typeof(changes) <> 'array' OR jsonb_array_length(changes) > 500 THEN
        RAISE invalid_parameter_value USING MESSAGE = 'changes must be a list of at most 500';
    END IF;
    -- The lock that makes the feed gapless: whoever else writes to the repository waits until this is committed.
    INSERT INTO repositories AS p (team, name) VALUES (mine, push.repository) ON CONFLICT (team, name) DO UPDATE SET last_seq = p.last_seq
        RETURNING p.last_seq INTO next_seq;
    FOR c IN SELECT * FROM jsonb_array_elements(changes) LOOP
        op := c->>'op';
        author := session_user;
        SELECT * INTO v FROM versions w WHERE w.team = mine AND w.edited_by = session_user AND w.op = push.op;
        IF FOUND THEN
            outcome := 'done'; version := v.version;
            SELECT w.author INTO author FROM records w WHERE w.team = mine AND w.repository = v.repository AND w.id = v.id;
            RETURN NEXT; CONTINUE;
        END IF;
        gone := coalesce((c->>'deleted')::boolean, false) OR coalesce((c->>'purged')::boolean, false);
        text_of := CASE WHEN gone THEN '{}'::jsonb ELSE c->'body' END;
        version := 0; seq := 0;
        IF op IS NULL OR c->>'id' IS NULL OR octet_length(c->>'id') > 400 OR octet_length(op) NOT BETWEEN 8 AND 100
            OR coalesce(jsonb_typeof(text_of), '') <> 'object' OR octet_length(text_of::text) > 300000
            OR octet_length(coalesce(text_of->>'content', '')) > 100000 THEN
            outcome := 'refused: it is no record, or larger than 300,000 bytes'; RETURN NEXT; CONTINUE;
        END IF;
        SELECT * INTO r FROM records w WHERE w.team = mine AND w.repository = push.repository AND w.id = c->>'id' FOR UPDATE;
        IF FOUND THEN
            version := r.version; author := r.author; seq := r.seq;
            IF r.purged AND NOT gone THEN
                outcome := format('refused: %s deleted it for good', r.edited_by); RETURN NEXT; CONTINUE;
            END IF;
            IF (c->>'purged')::boolean AND r.author <> session_user THEN
                outcome := format('refused: only %s, who wrote it, can delete it for good', r.author); RETURN NEXT; CONTINUE;
            END IF;
            IF r.body = text_of AND r.deleted = gone AND NOT coalesce((c->>'purged')::boolean, false) THEN
                outcome := 'done'; RETURN NEXT; CONTINUE;
            END IF;
            IF r.version <> coalesce((c->>'base')::bigint, 0) AND NOT r.deleted AND NOT coalesce((c->>'purged')::boolean, false) THEN
                outcome := 'conflict'; RETURN NEXT; CONTINUE;
            END IF;
        ELSIF gone THEN
            outcome := 'done'; RETURN NEXT; CONTINUE;
        END IF;
        next_seq := next_seq + 1;
        version := version + 1;
        IF (c->>'purged')::boolean THEN
            UPDATE versions w SET body = '{}' WHERE w.team = mine AND w.repository = push.repository AND w.id = c->>'id';
        END IF;
        INSERT INTO records AS w (team, repository, id, version, seq, author, edited_by, deleted, purged, body)
            VALUES (mine, push.repository, c->>'id', push.version, next_seq, session_user, session_user, gone, coalesce((c->>'purged')::boolean, false), text_of)
            ON CONFLICT ON CONSTRAINT records_pkey DO UPDATE SET version = excluded.version, seq = excluded.seq, edited_by = excluded.edited_by,
                edited_at = now(), deleted = excluded.deleted, purged = excluded.purged, body = excluded.body;
        INSERT INTO versions (team, repository, id, version, op, edited_by, deleted, body)
            VALUES (mine, push.repository, c->>'id', push.version, push.op, session_user, gone, text_of);
        outcome := 'done'; RETURN NEXT;
    END LOOP;
    UPDATE repositories p SET last_seq = next_seq WHERE p.team = mine AND p.name = push.repository AND p.last_seq < next_seq;
    IF FOUND THEN
        PERFORM pg_notify((SELECT t.channel FROM teams t WHERE t.name = mine), '');
    END IF;
END $$;

-- Records of all repositories that one may see, by words in any form, for whatever else wants to read them.
CREATE FUNCTION search(query text, at_most integer DEFAULT 20) RETURNS TABLE (repository text, id text, title text, content text, author text, rank real)
LANGUAGE sql STABLE SET search_path = aurora, pg_temp AS $$
    SELECT r.repository, r.id, r.body->>'title', r.body->>'content', r.author, ts_rank(r.words, q)
    FROM records r, (SELECT websearch_to_tsquery('english', query) || websearch_to_tsquery('simple', query) AS q) asked
    WHERE r.team = my_team() AND NOT r.deleted AND r.words @@ q ORDER BY 6 DESC, r.id LIMIT least(at_most, 1000)
$$;

-- For who runs it; nobody else may call these.
CREATE FUNCTION add_member(role text, team text, repositories text[] DEFAULT NULL) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = aurora, pg_temp AS $$
BEGIN
    INSERT INTO teams (name) VALUES (team) ON CONFLICT DO NOTHING;
    INSERT INTO members AS m VALUES (role, add_member.team, add_member.repositories)
        ON CONFLICT ON CONSTRAINT members_pkey DO UPDATE SET team = excluded.team, repositories = excluded.repositories;
    EXECUTE format('GRANT USAGE ON SCHEMA aurora TO %I', role);
    EXECUTE format('GRANT SELECT ON records, versions TO %I', role);
    EXECUTE format('GRANT EXECUTE ON FUNCTION hello(text), changes(text, bigint, integer), push(text, jsonb), search(text, integer), schema_version(), my_team(), may_see(text) TO %I', role);
END $$;
CREATE FUNCTION remove_member(role text) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = aurora, pg_temp AS $$
BEGIN
    DELETE FROM members m WHERE m.role = remove_member.role;
    EXECUTE format('REVOKE ALL ON ALL TABLES IN SCHEMA aurora FROM %I', role);
    EXECUTE format('REVOKE ALL ON ALL FUNCTIONS IN SCHEMA aurora FROM %I', role);
    EXECUTE format('REVOKE ALL ON SCHEMA aurora FROM %I', role);
END $$;
-- After the database was restored from a backup: clients compare all they have with what is there.
CREATE FUNCTION new_epoch(team text) RETURNS void LANGUAGE sql SECURITY DEFINER SET search_path = aurora, pg_temp AS
    $$ UPDATE teams t SET epoch = gen_random_uuid()::text WHERE t.name = new_epoch.team $$;

-- Deletes what a person wrote for good, here and on all machines, and the name from what is left. Only for a superuser, whom the policies don't hold.
CREATE FUNCTION delete_person(role text) RETURNS bigint LANGUAGE plpgsql SET search_path = aurora, pg_temp AS $$
DECLARE
    r records%ROWTYPE;
    n bigint := 0;
    next_seq bigint;
BEGIN
    FOR r IN SELECT * FROM records w WHERE w.author = role ORDER BY w.team, w.repository, w.id LOOP
        UPDATE repositories p SET last_seq = last_seq + 1 WHERE p.team = r.team AND p.name = r.repository RETURNING p.last_seq INTO next_seq;
        UPDATE versions w SET body = '{}' WHERE w.team = r.team AND w.repository = r.repository AND w.id = r.id;
        UPDATE records w SET deleted = true, purged = true, body = '{}', version = w.version + 1, seq = next_seq, author = 'former member'
            WHERE w.team = r.team AND w.repository = r.repository AND w.id = r.id;
        n := n + 1;
    END LOOP;
    UPDATE records w SET edited_by = 'former member' WHERE w.edited_by = role;
    UPDATE versions w SET edited_by = 'former member', op = gen_random_uuid()::text WHERE w.edited_by = role;
    RETURN n;
END $$;

REVOKE ALL ON ALL TABLES IN SCHEMA aurora FROM PUBLIC;
REVOKE ALL ON ALL FUNCTIONS IN SCHEMA aurora FROM PUBLIC;
