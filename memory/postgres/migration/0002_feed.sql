-- session_user is no text: compared with one, an index does not help. What a caller may see is found out once a query, not once a row: NULL stands for all of the team. One in no team has no team either.
CREATE FUNCTION my_repositories() RETURNS text[] LANGUAGE sql STABLE SECURITY DEFINER SET search_path = aurora, pg_temp AS
    $$ SELECT repositories FROM members WHERE role = session_user::text $$;
CREATE OR REPLACE FUNCTION my_team() RETURNS text LANGUAGE sql STABLE SECURITY DEFINER SET search_path = aurora, pg_temp AS
    $$ SELECT team FROM members WHERE role = session_user::text $$;
ALTER POLICY own_team ON records      USING (team = (SELECT my_team()) AND ((SELECT my_repositories()) IS NULL OR repository = ANY ((SELECT my_repositories())::text[])));
ALTER POLICY own_team ON versions     USING (team = (SELECT my_team()) AND ((SELECT my_repositories()) IS NULL OR repository = ANY ((SELECT my_repositories())::text[])));
ALTER POLICY own_team ON repositories USING (team = (SELECT my_team()) AND ((SELECT my_repositories()) IS NULL OR name = ANY ((SELECT my_repositories())::text[])));

-- Functions that run as the owner name the team that they read; asked of each of their statements, the policies took most of the time of a change.
ALTER TABLE records      NO FORCE ROW LEVEL SECURITY;
ALTER TABLE versions     NO FORCE ROW LEVEL SECURITY;
ALTER TABLE repositories NO FORCE ROW LEVEL SECURITY;

-- The feed's index has another collation, so that nothing but the feed can take it: before PostgreSQL knows how many rows there are, it read
-- a record by its id through the whole feed of the repository.
DROP INDEX records_feed;
CREATE UNIQUE INDEX records_feed ON records (team COLLATE "POSIX", repository COLLATE "POSIX", seq);

-- As before, with a plan that a connection keeps.
CREATE OR REPLACE FUNCTION changes(repository text, after bigint, at_most integer)
RETURNS TABLE (seq bigint, id text, version bigint, author text, edited_by text, edited_at bigint, deleted boolean, purged boolean, body jsonb)
LANGUAGE plpgsql STABLE SET search_path = aurora, pg_temp AS $$
#variable_conflict use_column
DECLARE
    mine text := my_team();
BEGIN
    RETURN QUERY SELECT r.seq, r.id, r.version, r.author, r.edited_by, (extract(epoch FROM r.edited_at) * 1000)::bigint, r.deleted, r.purged, r.body
        FROM records r WHERE r.team = mine COLLATE "POSIX" AND r.repository = changes.repository COLLATE "POSIX" AND r.seq > after ORDER BY r.seq LIMIT least(at_most, 1000);
END $$;

-- By which a notification names a repository: members who may not see it are told no name.
CREATE FUNCTION mark(repository text) RETURNS text LANGUAGE sql IMMUTABLE STRICT SET search_path = aurora, pg_temp AS
    $$ SELECT left(encode(sha256(convert_to(repository, 'UTF8')), 'hex'), 16) $$;

-- Does changes of a repository: [{op, id, base, deleted, purged, body}]. base is the version that the client has changed, 0 for none. Of each it
-- says done, with the version, or conflict, with the one that is there and its place in the feed, or why it was refused.
CREATE OR REPLACE FUNCTION push(repository text, changes jsonb) RETURNS TABLE (op text, outcome text, version bigint, author text, seq bigint)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = aurora, pg_temp AS $$
DECLARE
    mine text := my_team();
    me text := session_user;
    c jsonb;
    r records%ROWTYPE;
    v versions%ROWTYPE;
    next_seq bigint;
    gone boolean;
    text_of jsonb;
BEGIN
    IF mine IS NULL OR NOT may_see(push.repository) THEN
        RAISE insufficient_privilege USING MESSAGE = format('%s is no member of a team that has this repository', me);
    END IF;
    IF jsonb_typeof(changes) <> 'array' OR jsonb_array_length(changes) > 500 THEN
        RAISE invalid_parameter_value USING MESSAGE = 'changes must be a list of at most 500';
    END IF;
    -- The lock that makes the feed gapless: whoever else writes to the repository waits until this is committed.
    INSERT INTO repositories AS p (team, name) VALUES (mine, push.repository) ON CONFLICT (team, name) DO UPDATE SET last_seq = p.last_seq
        RETURNING p.last_seq INTO next_seq;
    FOR c IN SELECT * FROM jsonb_array_elements(changes) LOOP
        op := c->>'op';
        author := me;
        SELECT * INTO v FROM versions w WHERE w.team = mine AND w.edited_by = me AND w.op = push.op;
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
            IF (c->>'purged')::boolean AND r.author <> me THEN
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
            VALUES (mine, push.repository, c->>'id', push.version, next_seq, me, me, gone, coalesce((c->>'purged')::boolean, false), text_of)
            ON CONFLICT ON CONSTRAINT records_pkey DO UPDATE SET version = excluded.version, seq = excluded.seq, edited_by = excluded.edited_by,
                edited_at = now(), deleted = excluded.deleted, purged = excluded.purged, body = excluded.body;
        INSERT INTO versions (team, repository, id, version, op, edited_by, deleted, body)
            VALUES (mine, push.repository, c->>'id', push.version, push.op, me, gone, text_of);
        outcome := 'done'; RETURN NEXT;
    END LOOP;
    UPDATE repositories p SET last_seq = next_seq WHERE p.team = mine AND p.name = push.repository AND p.last_seq < next_seq;
    IF FOUND THEN
        PERFORM pg_notify((SELECT t.channel FROM teams t WHERE t.name = mine), mark(push.repository));
    END IF;
END $$;

CREATE OR REPLACE FUNCTION add_member(role text, team text, repositories text[] DEFAULT NULL) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = aurora, pg_temp AS $$
BEGIN
    INSERT INTO teams (name) VALUES (team) ON CONFLICT DO NOTHING;
    INSERT INTO members AS m VALUES (role, add_member.team, add_member.repositories)
        ON CONFLICT ON CONSTRAINT members_pkey DO UPDATE SET team = excluded.team, repositories = excluded.repositories;
    EXECUTE format('GRANT USAGE ON SCHEMA aurora TO %I', role);
    EXECUTE format('GRANT SELECT ON records, versions TO %I', role);
    EXECUTE format('GRANT EXECUTE ON FUNCTION hello(text), changes(text, bigint, integer), push(text, jsonb), search(text, integer), schema_version(), my_team(), may_see(text), my_repositories() TO %I', role);
END $$;
DO $$ DECLARE m text; BEGIN
    FOR m IN SELECT role FROM members WHERE EXISTS (SELECT 1 FROM pg_roles WHERE rolname = role) LOOP
        EXECUTE format('GRANT EXECUTE ON FUNCTION aurora.my_repositories() TO %I', m);
    END LOOP;
END $$;
-- Tells those who are connected, too.
CREATE OR REPLACE FUNCTION new_epoch(team text) RETURNS void LANGUAGE sql SECURITY DEFINER SET search_path = aurora, pg_temp AS $$
    UPDATE teams t SET epoch = gen_random_uuid()::text WHERE t.name = new_epoch.team;
    SELECT pg_notify(t.channel, '') FROM teams t WHERE t.name = new_epoch.team
$$;
REVOKE ALL ON FUNCTION my_repositories(), mark(text) FROM PUBLIC;
