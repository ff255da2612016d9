/**
 * The shared tables, one entry for each version, applied in this order. An entry never changes
 * after a release. Times are those of the server's clock.
 *
 * `task` is what the fleet has to do: one command for a site or a pair of sites, once or on a
 * schedule. `run` is one attempt of it by a worker. `lease` says who may write for a task: the
 * token grows with each holder, so that a holder that paused cannot write after its successor.
 * `state_base` and `state_change` are the workspace's state.sqlite: a base in object storage and
 * the changesets after it.
 */
export const MIGRATIONS: readonly string[] = [
  `
  CREATE SCHEMA IF NOT EXISTS guideferry;
  CREATE TABLE guideferry.about (version integer NOT NULL);

  CREATE TABLE guideferry.tenant (
    name text PRIMARY KEY,
    most_running integer CHECK (most_running > 0)
  );

  CREATE TABLE guideferry.task (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    name text UNIQUE,
    tenant text NOT NULL DEFAULT '',
    verb text NOT NULL,
    source text,
    target text,
    options jsonb NOT NULL DEFAULT '{}',
    credentials jsonb NOT NULL DEFAULT '{}',
    priority integer NOT NULL DEFAULT 0,
    cron text,
    time_zone text,
    paused boolean NOT NULL DEFAULT false,
    managed boolean NOT NULL DEFAULT false,
    created timestamptz NOT NULL DEFAULT clock_timestamp()
  );
  CREATE INDEX task_source ON guideferry.task (source);

  CREATE TABLE guideferry.run (
    id uuid PRIMARY KEY,
    task uuid NOT NULL REFERENCES guideferry.task (id) ON DELETE CASCADE,
    attempt integer NOT NULL,
    worker text NOT NULL,
    started timestamptz NOT NULL DEFAULT clock_timestamp(),
    ended timestamptz,
    exit_code integer,
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
    object text NOT NULL,
    sha256 text NOT NULL,
    bytes bigint NOT NULL
  );
  CREATE TABLE guideferry.state_change (
    task uuid NOT NULL REFERENCES guideferry.task (id) ON DELETE CASCADE,
    position bigint NOT NULL,
    token bigint NOT NULL,
    change bytea NOT NULL,
    PRIMARY KEY (task, position)
  );

  CREATE TABLE guideferry.worker (
    name text PRIMARY KEY,
    version text NOT NULL,
    slots integer NOT NULL,
    started timestamptz NOT NULL DEFAULT clock_timestamp(),
    seen timestamptz NOT NULL DEFAULT clock_timestamp(),
    draining boolean NOT NULL DEFAULT false
  );
  `,
];

/** The version of the tables that this program knows. */
export const SCHEMA_VERSION = MIGRATIONS.length;
