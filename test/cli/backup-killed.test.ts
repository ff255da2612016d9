import { readdirSync } from "node:fs";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { expect, it, onTestFinished } from "vitest";
import { type Sandbox, startSandbox } from "../../src/sandbox/index.js";
import { openRepository } from "../../src/storage/repository/read/open-repository.js";
import { fillLooms } from "../backup/helpers/looms.js";
import { runCli, startCli } from "../helpers/run-cli.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";
import { sha256 } from "../storage/repository/write/helpers/plans.js";

/**
 * Beside those of backup-kill-points.test.ts, whose moments are chosen; `RANDOM_KILLS=100` for a
 * long run.
 */
const KILLS = Number(process.env["RANDOM_KILLS"] ?? 2);
/** Runs that come to their end before their kill don't count; so many may. */
const MOST_ROUNDS = 12 * KILLS;

interface Place {
  readonly sandbox: Sandbox;
  readonly directory: string;
  readonly words: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

async function place(): Promise<Place> {
  const sandbox = await startSandbox({});
  onTestFinished(() => sandbox.close());
  fillLooms(sandbox);
  const directory = await temporaryFolder();
  const environment = { GUIDEFERRY_SOURCE_TOKEN: sandbox.token, XDG_STATE_HOME: directory };
  const words = ["backup", sandbox.url, "--to", "repo", "--part-size", "20KB", "--full-every", "4"];
  return { sandbox, directory, words, environment };
}

/**
 * Reads every byte that any snapshot names; gives what the last one has, without what differs from
 * run to run.
 */
async function readAll(directory: string): Promise<Readonly<Record<string, string>>> {
  const repository = await openRepository(join(directory, "repo"));
  const last: [string, string][] = [];
  const snapshots = repository.snapshots();
  for (const { snapshot } of snapshots) {
    const isLast = snapshot === snapshots.at(-1)?.snapshot;
    for await (const row of repository.items(snapshot)) {
      if (row.state !== "present") continue;
      expect(sha256(await buffer(await repository.open(row)))).toBe(row.sha256);
      if (isLast) last.push([row.key, row.title]);
    }
    for await (const row of repository.media(snapshot)) {
      expect(sha256(await buffer(await repository.open(row)))).toBe(row.sha256);
      if (isLast) last.push([row.path, row.sha256]);
    }
  }
  await repository.close();
  return Object.fromEntries(last);
}

it(`a backup whose process is killed ${KILLS} times at random moments loses nothing and leaves nothing behind`, async () => {
  const { sandbox, directory, words, environment } = await place();
  const cli = { directory, environment };
  let killed = 0;
  for (let round = 0; killed < KILLS && round < MOST_ROUNDS; round += 1) {
    sandbox.edit.guide(1 + (round % 12), { introduction: `Round ${round}` });
    const running = startCli(words, cli);
    // Half of them while the site is read, half while archives are written: the run says when it
    // begins to.
    const moment = round % 2 === 0 ? running.seen(/error|list: \d/) : running.seen(/archive: \d|Snapshot/);
    await Promise.race([moment, running.ended]);
    setTimeout(() => running.child.kill("SIGKILL"), Math.random() * (round % 2 === 0 ? 300 : 100));
    const { signal, code, stderr } = await running.ended;
    if (signal === "SIGKILL") killed += 1;
    else expect(code, stderr).toBe(0);
    if (readdirSync(join(directory, "repo")).includes("repository.json")) await readAll(directory);
  }
  expect(killed).toBe(KILLS);
  const last = await runCli(words, cli);
  expect([last.code, last.stderr]).toEqual([0, expect.not.stringMatching(/error|warning/)]);
  const undisturbed = await place();
  for (let guide = 1; guide <= 12; guide += 1) undisturbed.sandbox.edit.guide(guide, { introduction: "Round" });
  expect((await runCli(undisturbed.words, undisturbed)).code).toBe(0);
  expect(Object.keys(await readAll(directory)).sort()).toEqual(
    Object.keys(await readAll(undisturbed.directory)).sort(),
  );
  const left = readdirSync(join(directory, "repo")).filter((name) => name.startsWith(".") || name.endsWith(".new"));
  expect(left).toEqual([]);
  // What an archive holds left the workspace, also what a killed run had no time to take away.
  expect(
    readdirSync(join(directory, "repo/workspace/media"), { recursive: true, withFileTypes: true }).filter((one) =>
      one.isFile(),
    ),
  ).toEqual([]);
}, 600_000);
