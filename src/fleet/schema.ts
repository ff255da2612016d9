/**
 * The shared tables, one entry for each version, applied in this order. An entry never changes
 * after a release. Times are those of the server's clock.
 *
 * `task` is what the fleet has to do: one command for a site or a pair of sites, once or on a
 * schedule; `words` is the command line without the program, and `exclusive` are the sites and
 * repositories that no other run may use meanwhile. `run` is one attempt of it by a worker. `lease`
 * says who may write for a task: the token grows with each holder, so that a holder that paused
 * cannot write after its successor.
 * `removed_task` names tasks that are gone: workers remove their workspaces and objects.
 * `state_base` and `state_change` are the workspace's state.sqlite: a base in object storage and
 * the changesets after it; a digest is that of all changes up to a position. `origin` names the
 * budget of requests of an origin, its own or one of several origins, and `budget` the rate that an
 * operator gave it. `rate_window` has the starts of the last window of a budget. `take_starts`
 * grants starts, of which any window has at most as many as the rate allows: docs/design/fleet.md.
 */
export const MIGRATIONS: readonly string[] = [
  `
  CREATE SCHEMA IF NOT EXISTS guideferry;
  CREATE TABLE guideferry.about (version integer NOT NULL);

  CREATE TABLE guideferry.tenant (
    name text PRIMARY KEY,
    most_running integer CHECK (most_running > 0)
  );

  INSERT INTO guideferry.tenant (name) VALUES ('');

  CREATE TABLE guideferry.task (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    name text UNIQUE,
    tenant text NOT NULL DEFAULT '' REFERENCES guideferry.tenant (name),
    verb text NOT NULL,
    source text,
    target text,
    words jsonb NOT NULL DEFAULT '[]',
    exclusive text[] NOT NULL DEFAULT '{}',
    credentials jsonb NOT NULL DEFAULT '{}',
    priority integer NOT NULL DEFAULT 0,
    cron text,
    time_zone text,
    next_run timestamptz,
    paused boolean NOT NULL DEFAULT false,
    cancelled boolean NOT NULL DEFAULT false,
    managed boolean NOT NULL DEFAULT false,
    created timestamptz NOT NULL DEFAULT clock_timestamp()
  );
  CREATE INDEX task_source ON guideferry.task (source);
  CREATE INDEX task_next_run ON guideferry.task (next_run);

  CREATE TABLE guideferry.run (
    id uuid PRIMARY KEY,
    task uuid NOT NULL REFERENCES guideferry.task (id) ON DELETE CASCADE,
    job uuid NOT NULL,
    attempt integer NOT NULL,
    worker text NOT NULL,
    started timestamptz NOT NULL DEFAULT clock_timestamp(),
    ended timestamptz,
    wanted text CHECK (wanted IN ('pause', 'cancel', 'drain')),
    exit_code integer,
    outcome text CHECK (outcome IN ('done', 'retry', 'failed', 'stopped', 'lost')),
    words text,
    progress jsonb,
    summary jsonb
  );
  CREATE INDEX run_task ON guideferry.run (task, started DESC);
  CREATE INDEX run_open ON guideferry.run (started) WHERE ended IS NULL;

  CREATE TABLE guideferry.run_log (
    run uuid NOT NULL REFERENCES guideferry.run (id) ON DELETE CASCADE,
    position integer NOT NULL,
    lines text NOT NULL,
    PRIMARY KEY (run, position)
  );

  CREATE TABLE guideferry.lease (
    task uuid PRIMARY KEY REFERENCES guideferry.task (id) ON DELETE CASCADE,
    token bigint NOT NULL,
    holder text NOT NULL,
    until timestamptz NOT NULL,
    recover_from timestamptz NOT NULL,
    wanted text CHECK (wanted IN ('pause', 'cancel', 'drain'))
  );

  CREATE TABLE guideferry.state_base (
    task uuid PRIMARY KEY REFERENCES guideferry.task (id) ON DELETE CASCADE,
    position bigint NOT NULL,
    digest bytea NOT NULL,
    object text NOT NULL,
    parts integer NOT NULL,
    content text NOT NULL,
    bytes bigint NOT NULL,
    stamp bytea NOT NULL,
    state_version integer NOT NULL
  );
  CREATE TABLE guideferry.state_change (
    task uuid NOT NULL REFERENCES guideferry.task (id) ON DELETE CASCADE,
    position bigint NOT NULL,
    token bigint NOT NULL,
    digest bytea NOT NULL,
    change bytea NOT NULL,
    PRIMARY KEY (task, position)
  );

  CREATE TABLE guideferry.removed_task (
    id uuid PRIMARY KEY,
    removed timestamptz NOT NULL DEFAULT clock_timestamp(),
    has_objects boolean NOT NULL DEFAULT true
  );

  CREATE TABLE guideferry.worker (
    name text PRIMARY KEY,
    version text NOT NULL,
    slots integer NOT NULL,
    started timestamptz NOT NULL DEFAULT clock_timestamp(),
    seen timestamptz NOT NULL DEFAULT clock_timestamp(),
    draining boolean NOT NULL DEFAULT false
  );

  CREATE TABLE guideferry.budget (
    name text PRIMARY KEY,
    rate float8 CHECK (rate > 0)
  );
  CREATE TABLE guideferry.origin (
    origin text PRIMARY KEY,
    budget text NOT NULL
  );
  -- Microseconds of the server's clock. A start is named by the time from which on it is allowed;
  -- began: when it was sent at the latest, 0: not reported yet.
  CREATE UNLOGGED TABLE guideferry.rate_window (
    budget text PRIMARY KEY,
    starts bigint[] NOT NULL DEFAULT '{}',
    began bigint[] NOT NULL DEFAULT '{}',
    free_from bigint NOT NULL,
    rate float8,
    slowed_by text,
    refused_at float8,
    version bigint NOT NULL DEFAULT 0
  ) WITH (fillfactor = 50, toast_tuple_target = 8160);

  CREATE FUNCTION guideferry.take_starts(
    asked_origin text, asked_rate float8, wanted integer, reported bigint[], reported_began bigint[],
    pause bigint, adapts boolean, new_rate float8, new_slowed_by text, new_refused_at float8, seen bigint,
    OUT now bigint, OUT granted bigint[], OUT free_from bigint,
    OUT rate float8, OUT slowed_by text, OUT refused_at float8, OUT version bigint, OUT is_adapted boolean
  ) LANGUAGE plpgsql AS $$
  DECLARE
    -- An unused start may be sent in the first half of this time (START_VALID in rate-budget.ts).
    lease constant bigint := 4000000;
    -- The site counts arrivals, which are closer together than what was sent.
    margin constant bigint := 10000;
    longest_pause constant bigint := 900000000;
    named text;
    entry guideferry.rate_window;
    was_new boolean := false;
    effective float8;
    most integer;
    span bigint;
    unreported integer;
    known bigint[];
    start bigint;
    latest bigint;
  BEGIN
    SELECT budget INTO named FROM guideferry.origin WHERE origin = asked_origin;
    IF named IS NULL THEN
      INSERT INTO guideferry.origin VALUES (asked_origin, asked_origin) ON CONFLICT DO NOTHING;
      was_new := FOUND;
      SELECT budget INTO named FROM guideferry.origin WHERE origin = asked_origin;
    END IF;
    SELECT * INTO entry FROM guideferry.rate_window AS w WHERE w.budget = named FOR UPDATE;
    effective := coalesce((SELECT b.rate FROM guideferry.budget AS b WHERE b.name = named), asked_rate);
    IF entry.budget IS NULL THEN
      now := extract(epoch FROM clock_timestamp()) * 1e6;
      -- The server crashed: a start of before may still be sent in a window and half the lease.
      INSERT INTO guideferry.rate_window AS w (budget, free_from) VALUES (named, CASE WHEN was_new THEN now
        ELSE now + lease / 2 + 2 * (margin + 1e6 * greatest(1, floor(effective)) / effective)::bigint END)
      ON CONFLICT DO NOTHING;
      SELECT * INTO entry FROM guideferry.rate_window AS w WHERE w.budget = named FOR UPDATE;
    END IF;
    now := extract(epoch FROM clock_timestamp()) * 1e6;

    -- Only from the state that the sharer knows. A refusal in a pause belongs to that of the pause.
    is_adapted := adapts AND seen = entry.version AND NOT (coalesce(new_slowed_by, '') = 'refusal' AND now < entry.free_from);
    IF is_adapted THEN
      entry.rate := new_rate;
      entry.slowed_by := new_slowed_by;
      entry.refused_at := new_refused_at;
      entry.version := entry.version + 1;
    END IF;
    IF pause > 0 THEN entry.free_from := greatest(entry.free_from, now + pause); END IF;
    -- The clock was set back.
    entry.free_from := least(entry.free_from, now + longest_pause);

    effective := least(effective, entry.rate);
    most := greatest(1, floor(effective));
    span := margin + (1e6 * most / effective)::bigint;
    SELECT coalesce(array_agg(s ORDER BY s), '{}'), coalesce(array_agg(b ORDER BY s), '{}')
    INTO entry.starts, entry.began
    FROM (
      SELECT s, CASE
        WHEN r.began IS NOT NULL THEN least(r.began, now)
        WHEN b > 0 THEN least(b, now)
        WHEN s > now + span + lease THEN now
        WHEN s + lease <= now THEN s + lease
        ELSE 0 END AS b
      FROM unnest(entry.starts, entry.began) AS kept (s, b)
      LEFT JOIN unnest(reported, reported_began) AS r (name, began) ON r.name = s
    ) AS all_starts
    -- One that was given back began at -1.
    WHERE b = 0 OR b + span > now;

    granted := '{}';
    IF now >= entry.free_from AND wanted > 0 THEN
      unreported := (SELECT count(*) FROM unnest(entry.began) AS b WHERE b = 0);
      known := ARRAY(SELECT b FROM unnest(entry.began) AS b WHERE b > 0 ORDER BY b DESC);
      latest := (SELECT max(s) FROM unnest(entry.starts) AS s WHERE s <= now + span + lease);
      FOR i IN 1 .. wanted LOOP
        EXIT WHEN unreported >= most;
        -- After the oldest of those that fill the window; greatest() ignores null. Spread, as a
        -- burst would come again in each window; not evenly, so that a delay is made up for.
        start := greatest(now, known[most - unreported] + span, latest + (span / most) * 4 / 5);
        WHILE start = ANY (entry.starts) LOOP start := start + 1; END LOOP;
        entry.starts := entry.starts || start;
        entry.began := entry.began || 0::bigint;
        granted := granted || start;
        latest := start;
        unreported := unreported + 1;
      END LOOP;
    END IF;
    UPDATE guideferry.rate_window AS w SET starts = entry.starts, began = entry.began, free_from = entry.free_from,
      rate = entry.rate, slowed_by = entry.slowed_by, refused_at = entry.refused_at, version = entry.version
    WHERE w.budget = named;
    free_from := entry.free_from;
    rate := entry.rate;
    slowed_by := entry.slowed_by;
    refused_at := entry.refused_at;
    version := entry.version;
  END $$;
  `,
];

/** The version of the tables that this program knows. */
export const SCHEMA_VERSION = MIGRATIONS.length;
