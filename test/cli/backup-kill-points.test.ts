import { mkdirSync, readdirSync, watch } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, it, onTestFinished } from "vitest";
import { verifyRepository } from "../../src/backup/verify/verify-repository.js";
import { type Sandbox, startSandbox } from "../../src/sandbox/index.js";
import { type OpenRepository, openRepository } from "../../src/storage/repository/read/open-repository.js";
import { fillLooms } from "../backup/helpers/looms.js";
import { randomFrom } from "../helpers/changing-site.js";
import { filesOf } from "../helpers/damaged-snapshots.js";
import { type RunningCli, runCli, startCli } from "../helpers/run-cli.js";
import { askSite } from "../helpers/snapshot-oracle.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";

/**
 * `KILLS=200 npx vitest run test/cli/backup-kill-points.test.ts`: a long run; other moments with
 * SEED=random or a number.
 */
const KILLS = Number(process.env["KILLS"] ?? 4);
const SEED = process.env["SEED"] === "random" ? Date.now() : Number(process.env["SEED"] ?? 20261120);

interface Place {
  readonly sandbox: Sandbox;
  readonly folder: string;
  readonly words: readonly string[];
  readonly cli: { readonly directory: string; readonly environment: Readonly<Record<string, string>> };
}

async function place(): Promise<Place> {
  const sandbox = await startSandbox({});
  onTestFinished(() => sandbox.close());
  fillLooms(sandbox);
  const directory = await temporaryFolder();
  const folder = join(directory, "repo");
  mkdirSync(folder);
  const environment = { GUIDEFERRY_SOURCE_TOKEN: sandbox.token, XDG_STATE_HOME: directory };
  const words = ["backup", sandbox.url, "--to", "repo", "--part-size", "20KB", "--full-every", "1000"];
  return { sandbox, folder, words, cli: { directory, environment } };
}

/**
 * Names of files in the order in which they come while a snapshot is written; README.md of the
 * repository, "The folder".
 */
const EVENTS = [
  /^\.guideferry-/,
  /\.part1\.zip$/,
  /\.part2\.zip$/,
  /\.index\.json\.new$/,
  /\.(?:full|incremental)\.zip$/,
  /\.index\.json$/,
];

/** Kills it when so many requests have come. */
function killAtRequest({ sandbox }: Place, { child }: RunningCli, count: number): () => void {
  const from = sandbox.recorded.length;
  sandbox.faults.decide(() => {
    if (sandbox.recorded.length >= from + count) child.kill("SIGKILL");
    return undefined;
  });
  return () => sandbox.faults.clear();
}

/** Kills it as soon as a file of this name comes or goes, and some events later. */
function killAtFile({ folder }: Place, { child }: RunningCli, name: RegExp, later: number): () => void {
  let left: number | undefined;
  const watcher = watch(folder, (_event, file) => {
    if (left === undefined && file !== null && name.test(file)) left = later;
    if (left === undefined) return;
    if (left <= 0) child.kill("SIGKILL");
    left -= 1;
  });
  return () => watcher.close();
}

/** Every snapshot that is there, byte by byte; gives how many. */
async function expectWhole(folder: string): Promise<number> {
  if (!readdirSync(folder).includes("repository.json")) return 0;
  const repository = await openRepository(folder);
  const signal = new AbortController().signal;
  const check = await verifyRepository(repository, {
    thoroughness: { kind: "sample", of: 1, turn: 0 },
    hasKeys: false,
    signal,
  });
  await repository.close();
  expect([check.problems, check.hits]).toEqual([[], []]);
  expect(check.snapshots.filter(({ whole }) => !whole)).toEqual([]);
  return check.snapshots.length;
}

/** Each content lies in one archive, and nothing lies in two. */
async function expectNothingTwice(repository: OpenRepository): Promise<void> {
  const archives = repository.snapshots().flatMap((index) => index.archives.map(({ name }) => name));
  const media: string[] = [];
  for (const archive of archives) {
    const paths = await repository.pool.use(archive, ({ entries }) => [...entries].map(({ path }) => path));
    media.push(...paths.filter((path) => path.startsWith("media/")));
  }
  expect(media.length).toBeGreaterThan(0);
  expect(media.toSorted()).toEqual([...new Set(media)].toSorted());
  for (const { snapshot } of repository.snapshots()) {
    const keys: string[] = [];
    for await (const { key } of repository.items(snapshot)) keys.push(key);
    expect(keys).toEqual([...new Set(keys)]);
  }
}

/** The last snapshot has the guides as the site has them now. */
async function expectAsSite(repository: OpenRepository, sandbox: Sandbox): Promise<void> {
  const { answers } = await askSite(sandbox, new Map(), null);
  const last = repository.find().snapshot;
  const stored = new Map<string, string>();
  for await (const row of repository.items(last)) {
    if (row.kind !== "guide" || row.state !== "present") continue;
    stored.set(row.key, JSON.stringify(JSON.parse(await text(await repository.open(row))).raw.json));
  }
  expect(stored).toEqual(new Map([...answers].filter(([key]) => key.startsWith("guide/"))));
}

it(`a backup that is killed at ${KILLS} requests and files loses nothing, doubles nothing and leaves nothing`, async () => {
  const where = await place();
  const { sandbox, folder, words, cli } = where;
  const random = randomFrom(SEED);
  let [killed, snapshots] = [0, 0];
  const moments: string[] = [];
  for (let round = 0; killed < KILLS && round < 4 * KILLS; round += 1) {
    const guide = 1 + (round % 12);
    sandbox.edit.guide(guide, { introduction: `Round ${round}` });
    const step = sandbox.edit.addStep(guide, {
      orderby: 1,
      title: "New",
      lines: [{ text: "Do.", bullet: "black", level: 0 }],
    });
    sandbox.edit.exchangeImage(guide, step, `round ${round}`);
    const before = await filesOf(folder, "workspace");
    const running = startCli(words, cli);
    const event = EVENTS[Math.floor(random() * EVENTS.length)] ?? /^$/;
    const [count, later] = [1 + Math.floor(random() * 90), Math.floor(random() * 3)];
    const done = round % 2 === 0 ? killAtRequest(where, running, count) : killAtFile(where, running, event, later);
    const { code, signal, stderr } = await running.ended;
    done();
    moments.push(`${round % 2 === 0 ? `request ${count}` : `${event} + ${later}`}: ${signal ?? code}`);
    if (signal === "SIGKILL") killed += 1;
    else expect([moments.at(-1), code, stderr]).toEqual([moments.at(-1), 0, expect.any(String)]);
    const after = await filesOf(folder, "workspace");
    // What had its name keeps it and its bytes; the lock's note and files under work come and go.
    const kept = [...before].filter(([name]) => /\.(?:zip|index\.json)$/.test(name) || name === "repository.json");
    // Parts and copies of rows of a snapshot that is not there yet are written again.
    const complete = kept.filter(([name]) => !/\.(?:part|rows)/.test(name) || hasIndex(before, name));
    expect([moments, complete.filter(([name, hash]) => after.get(name) !== hash)]).toEqual([moments, []]);
    const there = await expectWhole(folder);
    expect(there).toBeGreaterThanOrEqual(snapshots);
    snapshots = there;
  }
  expect([killed, moments]).toEqual([KILLS, moments]);
  const last = await runCli(words, cli);
  expect([last.code, last.stderr]).toEqual([0, expect.not.stringMatching(/error|warning/)]);
  expect((await runCli(["verify", "repo"], cli)).code).toBe(0);
  const repository = await openRepository(folder);
  expect(repository.warnings).toEqual([]);
  await expectNothingTwice(repository);
  await expectAsSite(repository, sandbox);
  const named = new Set(
    repository
      .snapshots()
      .flatMap((one) => [...one.archives.map(({ name }) => name), `${one.name}-${one.snapshot}.index.json`]),
  );
  await repository.close();
  const left = readdirSync(folder).filter((name) => !named.has(name));
  expect(left.toSorted()).toEqual([
    "head.copy.json",
    "head.json",
    "lock",
    "proven.json",
    "repository.json",
    "workspace",
  ]);
}, 900_000);

/** Parts of a snapshot that never came to be go with the next run. */
function hasIndex(files: ReadonlyMap<string, string>, part: string): boolean {
  const id = /\d{8}T\d{6}Z/.exec(part)?.[0] ?? "";
  return [...files.keys()].some((name) => name.includes(id) && /(?:full|incremental)\.zip$/.test(name));
}
