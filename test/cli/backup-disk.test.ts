import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmodSync, chownSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { type Sandbox, startSandbox } from "../../src/sandbox/index.js";
import { fillLooms } from "../backup/helpers/looms.js";
import { filesOf } from "../helpers/damaged-snapshots.js";
import { runCli } from "../helpers/run-cli.js";
import { post, upload } from "../helpers/small-sites.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";

const PROGRAM = fileURLToPath(new URL("../../lib/src/cli.js", import.meta.url));
/**
 * No file may grow beyond 1 MiB (blocks of 512 bytes): the nearest to a full disk that every
 * machine can make.
 */
const SMALL_FILES = ["sh", "-c", 'trap "" XFSZ; ulimit -f 2048; exec "$@"', "sh"];
const NOBODY = 65_534;

interface Place {
  readonly sandbox: Sandbox;
  readonly directory: string;
  readonly environment: Readonly<Record<string, string>>;
  run(...words: readonly string[]): ReturnType<typeof runCli>;
}

async function place(): Promise<Place> {
  const sandbox = await startSandbox({});
  onTestFinished(() => sandbox.close());
  fillLooms(sandbox);
  const directory = await temporaryFolder();
  const environment = { GUIDEFERRY_SOURCE_TOKEN: sandbox.token, XDG_STATE_HOME: directory };
  return { sandbox, directory, environment, run: (...words) => runCli(words, { directory, environment }) };
}

/** Does something with the rights of another user, in this process. */
async function asUser<T>(uid: number | undefined, act: () => Promise<T>): Promise<T> {
  if (uid === undefined) return act();
  process.setegid?.(uid);
  process.seteuid?.(uid);
  try {
    return await act();
  } finally {
    process.seteuid?.(0);
    process.setegid?.(0);
  }
}

/** The program in circumstances of its own. */
async function runIn(
  { directory, environment }: Place,
  [command = "", ...before]: readonly string[],
  words: readonly string[],
) {
  const child = spawn(command, [...before, PROGRAM, ...words], {
    cwd: directory,
    env: { ...process.env, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [stderr, stdout] = await Promise.all([text(child.stderr), text(child.stdout)]);
  const code = child.exitCode ?? (await new Promise<number | null>((resolve) => child.once("exit", resolve)));
  return { code, stdout, stderr };
}

/** Documents of 300 kB that can't be packed smaller, on the first guide. */
async function addDocuments({ sandbox }: Place, count: number): Promise<void> {
  const documents: number[] = [];
  for (let at = 0; at < count; at += 1) {
    const bytes = Buffer.concat([Buffer.from("%PDF-1.4\n"), randomBytes(300_000)]);
    documents.push(await upload(sandbox, "uploads", `plan ${at}.pdf`.replaceAll(" ", "-"), bytes));
  }
  const answer = await fetch(`${sandbox.url}/guides/1`, { headers: { authorization: `api ${sandbox.token}` } });
  const { guide_revisionid: revision } = (await answer.json()) as { readonly guide_revisionid: number };
  await post(sandbox, `guides/1?revisionid=${revision}`, { documents }, "PATCH");
}

it("a disk that is full stops the backup with 4; the snapshots before are untouched, and with room it goes on", async () => {
  const where = await place();
  const backup = ["backup", where.sandbox.url, "--to", "repo"] as const;
  expect((await where.run(...backup)).code).toBe(0);
  const folder = join(where.directory, "repo");
  const before = await filesOf(folder, "workspace");
  await addDocuments(where, 5);
  const full = await runIn(where, [...SMALL_FILES, process.execPath], backup);
  expect([full.code, full.stderr]).toEqual([4, expect.stringMatching(/limit is reached|disk is full/)]);
  expect(await filesOf(folder, "workspace")).toEqual(before);
  expect((await where.run("verify", "repo")).code).toBe(0);
  const again = await where.run(...backup);
  expect([again.code, again.stdout]).toEqual([0, expect.stringMatching(/18 media files \(5 new\)/)]);
  expect((await where.run("verify", "repo")).code).toBe(0);
  expect(readdirSync(folder).filter((name) => name.startsWith(".") || name.endsWith(".new"))).toEqual([]);
});

it("a repository that may only be read is read, and a backup into it is refused with what to do", {
  tags: process.getuid?.() === 0 ? ["open-checkout"] : [],
}, async () => {
  const where = await place();
  expect((await where.run("backup", where.sandbox.url, "--to", "repo", "--workspace", "work")).code).toBe(0);
  const folder = join(where.directory, "repo");
  // The super-user may write everywhere: there another user goes on, to whom all of it belongs.
  const uid = process.getuid?.() === 0 ? NOBODY : undefined;
  if (uid !== undefined) {
    for (const path of [where.directory, folder, ...readdirSync(folder).map((name) => join(folder, name))])
      chownSync(path, uid, uid);
  }
  chmodSync(folder, 0o500);
  const as = (...words: readonly string[]) => asUser(uid, () => where.run(...words));
  const before = await filesOf(folder);
  for (const words of [
    ["snapshots", "repo"],
    ["verify", "repo"],
    ["cat", "repo", "guide/1"],
  ]) {
    const { code, stderr } = await as(...words);
    expect([words, code, stderr]).toEqual([words, 0, expect.not.stringMatching(/error|warning/)]);
  }
  const refused = await as("backup", where.sandbox.url, "--to", "repo", "--workspace", "other");
  expect([refused.code, refused.stderr]).toEqual([
    2,
    expect.stringMatching(/cannot write to the repository .*repo: .*run as the user who owns it/i),
  ]);
  const pruned = await as("prune", "repo", "--keep-last", "1");
  expect([pruned.code, pruned.stderr]).toEqual([
    2,
    expect.stringMatching(/cannot write to the repository .*repo: .*run as the user who owns it/i),
  ]);
  expect(await filesOf(folder)).toEqual(before);
  chmodSync(folder, 0o700);
});

it("prune frees a disk on which not a byte can be written", async () => {
  const site = await place();
  for (const guide of [1, 2]) {
    site.sandbox.edit.guide(guide, { introduction: "Later." });
    expect((await site.run("backup", site.sandbox.url, "--to", "repo", "--full-every", "1")).code).toBe(0);
  }
  const archives = (): readonly string[] =>
    readdirSync(join(site.directory, "repo")).filter((name) => /(?:full|incremental)\.zip$/.test(name));
  expect(archives()).toHaveLength(2);
  const full = ["sh", "-c", 'trap "" XFSZ; ulimit -f 0; exec "$@"', "sh", process.execPath];
  const pruned = await runIn(site, full, ["prune", "repo", "--keep-last", "1"]);
  expect([pruned.code, pruned.stdout]).toEqual([0, expect.stringMatching(/Deleted: 1 snapshot/)]);
  expect(archives()).toHaveLength(1);
});
