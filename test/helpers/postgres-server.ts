import { execFile } from "node:child_process";
import { chown, mkdir, mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { createServer as createSocketServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import { inject, onTestFinished } from "vitest";
import type { TestProject } from "vitest/node";

const run = promisify(execFile);

declare module "vitest" {
  interface ProvidedContext {
    /** Answers with the address of the Postgres server. */
    postgres: string;
  }
}

/**
 * One Postgres server for all test files of a run: the first one that asks starts it, and the end
 * of the run stops it.
 */
export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  let server: Promise<PostgresServer> | undefined;
  const door = createServer((_request, response) => {
    server ??= startPostgres();
    server.then(
      ({ address }) => response.end(address),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  await new Promise<void>((resolve) => door.listen(0, "127.0.0.1", resolve));
  const address = door.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  provide("postgres", `http://127.0.0.1:${address.port}`);
  return async () => {
    door.close();
    await (await server)?.remove();
  };
}

let databases = 0;

/**
 * The address of a new, empty database on the server of the run. Give the test the tag `postgres`:
 * without the programs it is skipped.
 */
export async function emptyDatabase(): Promise<string> {
  const answer = await fetch(inject("postgres"));
  const server = await answer.text();
  if (!answer.ok) throw new Error(server);
  databases += 1;
  const name = `test_${process.pid}_${databases}`;
  await asAdministrator(server, `CREATE DATABASE ${name}`);
  onTestFinished(() => asAdministrator(server, `DROP DATABASE ${name} WITH (FORCE)`));
  return new URL(`/${name}`, server).href;
}

async function asAdministrator(address: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: address });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

/** A server of a test's own, which the test may stop and restart. */
export interface PostgresServer {
  /** `postgres://postgres@127.0.0.1:4711/postgres`: no password is asked. */
  readonly address: string;
  /** As after a crash: `immediate` writes no checkpoint. */
  restart(mode: "fast" | "immediate"): Promise<void>;
  start(): Promise<void>;
  stop(mode: "fast" | "immediate"): Promise<void>;
  /** Stops it and removes its files. */
  remove(): Promise<void>;
}

/** Starts a server whose commits are durable, with its files in a temporary folder. */
export async function startPostgres(): Promise<PostgresServer> {
  const folder = await mkdtemp(join(tmpdir(), "guideferry-postgres-"));
  const data = join(folder, "data");
  await mkdir(data, { mode: 0o700 });
  const owner = await ownerOf(folder, data);
  const port = await freePort();
  const call = async (program: string, ...words: string[]): Promise<void> => {
    await run(program, words, { ...owner, cwd: folder, env: { ...process.env, LC_ALL: "C", TZ: "UTC" } });
  };
  const settings = `-p ${port} -k ${folder} -c listen_addresses=127.0.0.1 -c max_connections=200`;
  const control = (...words: string[]) => call("pg_ctl", "-D", data, "-w", "-l", join(folder, "log"), ...words);
  await call("initdb", "-D", data, "-U", "postgres", "-A", "trust", "--no-sync");
  await control("start", "-o", settings);
  const stop = (mode: "fast" | "immediate") => control("stop", "-m", mode);
  return {
    address: `postgres://postgres@127.0.0.1:${port}/postgres`,
    restart: (mode) => control("restart", "-m", mode, "-o", settings),
    start: () => control("start", "-o", settings),
    stop,
    remove: async () => {
      // A test may have stopped it.
      await stop("immediate").catch(() => undefined);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Postgres refuses to run as root, so its files and processes belong to its own user then. */
async function ownerOf(...folders: readonly string[]): Promise<{ readonly uid?: number; readonly gid?: number }> {
  if (process.getuid?.() !== 0) return {};
  const idOf = async (flag: string): Promise<number> => Number((await run("id", [flag, "postgres"])).stdout);
  const [uid, gid] = [await idOf("-u"), await idOf("-g")];
  for (const folder of folders) await chown(folder, uid, gid);
  return { uid, gid };
}

async function freePort(): Promise<number> {
  const server = createSocketServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return address.port;
}
