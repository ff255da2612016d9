import type * as Pg from "pg";
import { EXIT, FerryError, messageOf, UsageError } from "../core/errors.js";
import { isObject } from "../core/util/json.js";
import { hasReadableSignIn } from "../service/http/secret.js";
import { MIGRATIONS, SCHEMA_VERSION } from "./schema.js";

/** The shared database is away, refuses the work, or has other tables than this program. */
export class FleetDatabaseError extends FerryError {
  override readonly name = "FleetDatabaseError";
}

/** One connection in a transaction, or any connection of the pool. */
export interface Queries {
  /** Integers of 64 bits come as strings: convert them in SQL or with Number. */
  query<Row extends object>(sql: string, values?: readonly unknown[]): Promise<readonly Row[]>;
}

/**
 * The Postgres database that all workers share. Its tables are in the schema `guideferry`; those of
 * the job queue are in `guideferry_jobs`. Every method throws FleetDatabaseError (exit 9) when the
 * server cannot be reached, and the same with exit 2 when it refuses the sign-in or lacks a right.
 */
export interface FleetDatabase extends Queries {
  /** `host:port/database`, without user and password, for messages. */
  readonly place: string;
  /** Milliseconds since 1970 by the server's clock: no two machines have to agree. */
  now(): Promise<number>;
  /** All or nothing. The commit is durable on the server when the promise is fulfilled. */
  transaction<T>(work: (queries: Queries) => Promise<T>): Promise<T>;
  /**
   * A connection of its own for LISTEN, or for calls that must not wait for the pool's others.
   *
   * @param timeout milliseconds for the connection and for each answer. Default: as the pool's
   */
  connect(timeout?: number): Promise<Pg.Client>;
  close(): Promise<void>;
}

interface OpenOptions {
  /** Connections that are used at the same time; default 4. */
  readonly connections?: number;
  /** Milliseconds for a connection to be made; default 5,000. */
  readonly connectTimeout?: number;
  /** Milliseconds after which the server ends a statement; default 30,000. */
  readonly statementTimeout?: number;
  /**
   * Milliseconds after which the server ends a transaction whose process does nothing in it: it is
   * paused or cut off, and others wait for its locks. Default 4,000.
   */
  readonly idleTransaction?: number;
}

const PACKAGE = "pg";

/**
 * Opens the database without a look at its tables. TLS follows the address: `sslmode=verify-full`
 * checks the certificate, with `sslrootcert=FILE` for an own authority.
 *
 * @param address `postgres://user:password@host:5432/database`
 *
 * @throws UsageError for another form of address, and when the package is not installed
 */
export async function openDatabase(address: string, options: OpenOptions = {}): Promise<FleetDatabase> {
  const place = placeOf(address);
  const { Client, Pool } = await loadDriver();
  const { connections = 4, connectTimeout = 5000, statementTimeout = 30_000, idleTransaction = 4000 } = options;
  const settings: Pg.ClientConfig = {
    connectionString: address,
    application_name: "guideferry",
    connectionTimeoutMillis: connectTimeout,
    statement_timeout: statementTimeout,
    // A connection that died without a word (a cut network) fails here and not after minutes.
    query_timeout: statementTimeout + 5000,
    idle_in_transaction_session_timeout: idleTransaction,
    keepAlive: true,
  };
  const pool = new Pool({ ...settings, max: connections, idleTimeoutMillis: 30_000 });
  // A connection that the server ends, also within a transaction, fails the next query on it. The
  // pool replaces an idle one.
  pool.on("error", () => undefined);
  pool.on("connect", (client) => client.on("error", () => undefined));
  const guarded = <T>(work: () => Promise<T>): Promise<T> =>
    work().catch((error: unknown) => {
      throw error instanceof FerryError ? error : databaseError(error, place);
    });
  const query = async <Row extends object>(sql: string, values: readonly unknown[] = []) =>
    guarded(async () => (await pool.query<Row>(sql, [...values])).rows);
  return {
    place,
    query,
    now: async () => {
      const [row] = await query<{ readonly now: number }>(
        "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now",
      );
      return row?.now ?? Number.NaN;
    },
    transaction: (work) => guarded(async () => inTransaction(await pool.connect(), work)),
    connect: (timeout) =>
      guarded(async () => {
        const client = new Client(timeout === undefined ? settings : { ...settings, ...limitsOf(timeout) });
        // Queries of a lost connection fail; nobody listens for the event alone.
        client.on("error", () => undefined);
        await client.connect();
        return client;
      }),
    close: () => pool.end(),
  };
}

function limitsOf(timeout: number): Pg.ClientConfig {
  return { connectionTimeoutMillis: timeout, statement_timeout: timeout, query_timeout: timeout };
}

async function inTransaction<T>(client: Pg.PoolClient, work: (queries: Queries) => Promise<T>): Promise<T> {
  const query = async <Row extends object>(sql: string, values: readonly unknown[] = []) =>
    (await client.query<Row>(sql, [...values])).rows;
  let failure: Error | undefined;
  try {
    await client.query("BEGIN");
    const result = await work({ query });
    await client.query("COMMIT");
    return result;
  } catch (error) {
    failure = error instanceof Error ? error : new Error(messageOf(error));
    // On a lost connection the server has rolled back; the first error is the cause.
    await client.query("ROLLBACK").then(
      () => {
        failure = undefined;
      },
      () => undefined,
    );
    throw error;
  } finally {
    // With an error, the pool drops the connection.
    client.release(failure);
  }
}

/**
 * Creates the tables, or brings those of an older version up to this program's, all or nothing and
 * one program at a time. Needs the right to create in the database.
 *
 * @throws FleetDatabaseError (exit 2) when the tables are of a newer program
 */
export async function migrateTables(database: FleetDatabase): Promise<{ readonly from: number; readonly to: number }> {
  return database.transaction(async (queries) => {
    // Two programs that start at once.
    await queries.query("SELECT pg_advisory_xact_lock(hashtext('guideferry.migrate'))");
    const from = await tableVersion(queries);
    if (from > SCHEMA_VERSION) throw newerTables(database.place, from);
    for (const migration of MIGRATIONS.slice(from)) await queries.query(migration);
    if (from === 0) await queries.query("INSERT INTO guideferry.about (version) VALUES ($1)", [SCHEMA_VERSION]);
    else await queries.query("UPDATE guideferry.about SET version = $1", [SCHEMA_VERSION]);
    return { from, to: SCHEMA_VERSION };
  });
}

/**
 * Throws FleetDatabaseError (exit 2) unless the tables are those of this program: a worker takes no
 * job whose tables it does not know.
 */
export async function checkTables(database: FleetDatabase): Promise<void> {
  const version = await tableVersion(database);
  if (version === SCHEMA_VERSION) return;
  if (version > SCHEMA_VERSION) throw newerTables(database.place, version);
  const state =
    version === 0 ? "has no tables of guideferry" : `has tables of an older guideferry (version ${version})`;
  throw new FleetDatabaseError(
    `The database ${database.place} ${state}; this program needs version ${SCHEMA_VERSION}. Run once, with a user who may create tables: guideferry fleet init`,
    { exitCode: EXIT.usage },
  );
}

/**
 * Gives a user of the database what a worker needs: reading and writing rows in the tables of the
 * fleet and of its queue. It may not create, change or drop a table, nor change their version.
 *
 * @throws FleetDatabaseError (exit 2) when there is no such user
 */
export async function grantWorker(database: FleetDatabase, role: string): Promise<void> {
  await database.transaction(async ({ query }) => {
    const [known] = await query<{ readonly name: string }>(
      "SELECT quote_ident(rolname) AS name FROM pg_roles WHERE rolname = $1",
      [role],
    );
    if (known === undefined) {
      throw new FleetDatabaseError(
        `The database ${database.place} has no user ${role}. Create it first, in psql: CREATE ROLE ${role} LOGIN PASSWORD '…'`,
        { exitCode: EXIT.usage },
      );
    }
    for (const schema of ["guideferry", "guideferry_jobs"]) {
      await query(`GRANT USAGE ON SCHEMA ${schema} TO ${known.name}`);
      await query(`GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${schema} TO ${known.name}`);
      await query(`GRANT USAGE ON ALL SEQUENCES IN SCHEMA ${schema} TO ${known.name}`);
    }
    await query(`REVOKE INSERT, UPDATE, DELETE ON guideferry.about FROM ${known.name}`);
  });
}

/** 0: there are none. */
async function tableVersion(queries: Queries): Promise<number> {
  const [found] = await queries.query<{ readonly found: boolean }>(
    // Not to_regclass: its cache may not know what another program created a moment ago.
    "SELECT EXISTS (SELECT FROM pg_tables WHERE schemaname = 'guideferry' AND tablename = 'about') AS found",
  );
  if (found?.found !== true) return 0;
  const [row] = await queries.query<{ readonly version: number }>("SELECT version FROM guideferry.about");
  return row?.version ?? 0;
}

function newerTables(place: string, version: number): FleetDatabaseError {
  return new FleetDatabaseError(
    `The database ${place} has tables of a newer guideferry (version ${version}; this program knows ${SCHEMA_VERSION}). Nothing was done. ` +
      "Install the version of guideferry that the other workers have, then run the same command again.",
    { exitCode: EXIT.usage },
  );
}

async function loadDriver(): Promise<Pick<typeof Pg, "Client" | "Pool">> {
  try {
    return (await import("pg")).default;
  } catch (cause) {
    if (!isMissingPackage(cause)) throw cause;
    throw new UsageError(
      `A fleet needs the packages ${PACKAGE} and pg-boss, and ${PACKAGE} is not installed. Install them next to guideferry: npm install ${PACKAGE} pg-boss ` +
        `(for a global installation: npm install --global ${PACKAGE} pg-boss). Then run the same command again.`,
      { cause },
    );
  }
}

/** Is it the error of an import of a package that is not installed? */
export function isMissingPackage(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND";
}

/** `host:port/database`; no part of the user's name or password. */
function placeOf(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !["postgres:", "postgresql:"].includes(url.protocol)) {
    throw new UsageError(
      "The address of the database has another form than postgres://USER:PASSWORD@HOST:5432/DATABASE. Set it in GUIDEFERRY_DATABASE, or give it with --database.",
    );
  }
  if (!hasReadableSignIn(url)) {
    throw new UsageError(
      "The user or the password in the address of the database has a percent sign without two hexadecimal digits. Write %25 for each percent sign, in GUIDEFERRY_DATABASE or --database.",
    );
  }
  return `${url.hostname || url.searchParams.get("host") || "localhost"}:${url.port || "5432"}${url.pathname}`;
}

/** SQLSTATE classes: 28 is a refused sign-in, 3D a missing database, 42501 a missing right. */
const REFUSALS: Readonly<Record<string, string>> = {
  "28": "Check the user and the password in GUIDEFERRY_DATABASE.",
  "3D": "Create the database first: createdb DATABASE",
  "42501": "Give the user its rights with `guideferry fleet init --worker-role USER`, run by the owner of the tables.",
};

function databaseError(error: unknown, place: string): FleetDatabaseError {
  const code = isObject(error) && typeof error["code"] === "string" ? error["code"] : "";
  const refusal = REFUSALS[code] ?? REFUSALS[code.slice(0, 2)];
  if (refusal !== undefined) {
    return new FleetDatabaseError(`The database ${place} refused: ${messageOf(error)}. ${refusal}`, {
      cause: error,
      exitCode: EXIT.usage,
    });
  }
  return new FleetDatabaseError(
    `The database ${place} did not do what was asked: ${messageOf(error) || code}. Nothing was lost: work that it confirmed is kept. ` +
      "Check that the server runs and can be reached from this machine, then run the same command again.",
    { cause: error, exitCode: EXIT.unreachable, retriable: true },
  );
}
