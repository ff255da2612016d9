import { writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { prune } from "../../src/backup/prune/prune.js";
import type { RepositoryCheck } from "../../src/backup/verify/repository-check.js";
import { verifyRepository } from "../../src/backup/verify/verify-repository.js";
import { FerryError } from "../../src/core/errors.js";
import { LocalFolder } from "../../src/storage/repository/files/local-folder.js";
import { openRepository } from "../../src/storage/repository/read/open-repository.js";
import { DAMAGE, type DamageCase } from "../helpers/damage-cases.js";
import { type Copied, type DamagedNights, damagedNights, filesOf, lostIn } from "../helpers/damaged-snapshots.js";
import { oneBackup } from "./helpers/backups.js";
import { mediaOfItems, restored } from "./helpers/restored-snapshots.js";

const both = (row: string): readonly [string, string] => [row, row];

/**
 * The matrix: plain and encrypted (null: single bytes have no meaning there). What verify ends
 * with; each of the five nights: + whole, - something of it is lost, ? not shown, since its index
 * is lost and no key opens archives by themselves; the backup of the night after; what a prune does
 * then.
 */
const MATRIX: Readonly<Record<string, readonly [plain: string, encrypted: string | null]>> = {
  "missing: the part of the full one": both("6 ---++ | complete, whole | 3 removed"),
  "missing: the main archive of the full one": both("6 ---++ | complete, whole | 3 removed"),
  "missing: the first incremental one": both("6 +--++ | complete, whole | 3 removed"),
  "missing: the second incremental one": both("6 ++-++ | complete, whole | 3 removed"),
  "missing: the second full one": both("6 +++-- | complete, whole | exit 6"),
  "missing: the last incremental one": both("6 ++++- | complete, whole | exit 6"),
  "cut in half: the part of the full one": both("6 ---++ | complete, whole | 3 removed"),
  "cut in half: the main archive of the full one": both("6 ---++ | complete, whole | 3 removed"),
  "cut in half: the first incremental one": both("6 +--++ | complete, whole | 3 removed"),
  "cut in half: the second incremental one": both("6 ++-++ | complete, whole | 3 removed"),
  "cut in half: the second full one": both("6 +++-- | complete, whole | exit 6"),
  "cut in half: the last incremental one": both("6 ++++- | complete, whole | exit 6"),
  "empty: the first incremental one": both("6 +--++ | complete, whole | 3 removed"),
  "missing: the index of snapshot 1": ["6 +++++ | complete, whole | exit 6", "6 ?++++ | complete, whole | exit 6"],
  "missing: the index of snapshot 3": ["6 +++++ | complete, whole | exit 6", "6 ++?++ | complete, whole | exit 6"],
  "missing: the index of snapshot 5": ["6 +++++ | complete, whole | exit 6", "6 ++++? | complete, whole | exit 6"],
  "one bit: the first byte of an index": ["6 +++++ | complete, whole | exit 6", "6 +?+++ | complete, whole | exit 6"],
  "one bit: the first byte of repository.json": both("6 +++++ | exit 6 | exit 6"),
  "missing: repository.json": both("6 +++++ | exit 6 | exit 6"),
  "one bit: the header of an item": ["6 +++++ | complete, whole | 3 removed", null],
  "one bit: the header of a medium": ["6 +++++ | complete, whole | 3 removed", null],
  "one bit: the name of an item": ["6 +++++ | complete, whole | 3 removed", null],
  "one bit: the name of a medium": ["6 +++++ | complete, whole | 3 removed", null],
  "one bit: the data of an item": ["6 ---++ | complete, whole | 3 removed", null],
  "one bit: the data of a medium": ["6 ---++ | complete, whole | 3 removed", null],
  "one bit: items.ndjson of snapshot 3": ["6 ++-++ | complete, whole | 3 removed", null],
  "one bit: media.ndjson of snapshot 3": ["6 ++-++ | complete, whole | 3 removed", null],
  "one bit: manifest.json of snapshot 3": ["6 ++-++ | complete, whole | 3 removed", null],
  "one bit: README.txt of snapshot 3": ["6 +++++ | complete, whole | 3 removed", null],
  "one bit: the list of entries of the part 1": ["6 +++++ | complete, whole | 3 removed", null],
  "one bit: the list of entries of the main 3": ["6 +++++ | complete, whole | 3 removed", null],
  "one bit: the end record of the part 1": ["6 +++++ | complete, whole | 3 removed", null],
  "one bit: the end record of the main 3": ["6 +++++ | complete, whole | 3 removed", null],
  "one bit: at the beginning of the part 1": [
    "6 +++++ | complete, whole | 3 removed",
    "6 ---++ | complete, whole | 3 removed",
  ],
  "one bit: at the end of the first incremental one": [
    "6 +++++ | complete, whole | 3 removed",
    "6 +--++ | complete, whole | 3 removed",
  ],
  "one bit: at the beginning of the second incremental one": [
    "6 +++++ | complete, whole | 3 removed",
    "6 ++-++ | complete, whole | 3 removed",
  ],
  "one bit: in the second full one, which the last one needs": both("6 +++-- | complete, not whole | exit 6"),
  "a foreign file": both("0 +++++ | complete, whole | 3 removed"),
  "a foreign zip with a name of ours": ["0 +++++ | complete, whole | 3 removed", "6 +++++ | complete, whole | exit 6"],
  "swapped: two incremental ones": both("6 +++++ | complete, whole | exit 6"),
  "swapped: part and main archive": both("6 +++++ | complete, whole | exit 6"),
  "mixed: archive and index of another site": both("0 +++++ | complete, whole | 3 removed"),
  "mixed: an archive of another site under a name of ours": both("6 +--++ | complete, whole | 3 removed"),
};

/** `DAMAGE_TABLE=file`: the matrix is also written there, for people. */
const TABLE = process.env["DAMAGE_TABLE"];
/** `DAMAGE=all`: also what goes the way that something else goes by default. */
const EVERY = process.env["DAMAGE"] === "all" || TABLE !== undefined;
/** Plain: the same kind of damage to other files, which comes to the same. */
const ALIKE =
  /^(?:missing: the (?:main archive|second incremental|last|index of snapshot [15])|cut in half: the (?:main|first|second)|empty|swapped: part|one bit: (?:the (?:name|header) of a medium|media|the list of entries of the main|the end record of the part|at the (?:beginning of the part|end)))/;
/** Encrypted: one of each kind of damage, and what comes to something else than in the plain one. */
const TRIED = /^(?:missing: the (?:part|index of snapshot 3)|cut in half: the part|a foreign file|mixed: an)/;
/** Encrypted: what comes to the same as the same damage to another snapshot. */
const ALIKE_ENCRYPTED = /^(?:missing: the index of snapshot [15]|one bit: at the beginning of the second)/;

function isTried(name: string, kind: "plain" | "encrypted"): boolean {
  if (EVERY) return true;
  const [plain, encrypted] = MATRIX[name] ?? [];
  if (kind === "plain") return !ALIKE.test(name);
  return TRIED.test(name) || (plain !== encrypted && !ALIKE_ENCRYPTED.test(name));
}

const SIXTH = new Date(Date.UTC(2026, 10, 6, 3));
const signal = new AbortController().signal;

type Files = ReadonlyMap<string, string>;
type Lost = Awaited<ReturnType<typeof lostIn>>;

/** Before anything is damaged: the files, and the medium that each item names. */
interface Good {
  readonly files: Files;
  readonly media: Files;
}

/** A copy after the damage: its files, and what can't be had of each night. */
interface Damaged {
  readonly copy: Copied;
  readonly lost: Lost;
  readonly now: Files;
}

async function check({ folder }: Copied, { keys }: DamagedNights): Promise<RepositoryCheck> {
  const repository = await openRepository(folder, { keys });
  try {
    return await verifyRepository(repository, { thoroughness: { kind: "bytes" }, hasKeys: true, signal });
  } finally {
    await repository.close();
  }
}

/** One sign for each of the nights: whole, not whole, not shown. */
function maskOf({ indexes }: DamagedNights, { snapshots }: RepositoryCheck): string {
  const signs = indexes.map(({ snapshot }) => snapshots.find((one) => one.snapshot === snapshot)?.whole);
  return signs.map((whole) => (whole === undefined ? "?" : whole ? "+" : "-")).join("");
}

/**
 * What verify names is what can't be read, and of that nothing lies in a file that is as it was.
 */
function expectTold(nights: DamagedNights, { lost, now }: Damaged, found: RepositoryCheck, { files }: Good): void {
  for (const [at, { snapshot }] of nights.indexes.entries()) {
    const told = found.snapshots.find((one) => one.snapshot === snapshot);
    const named = found.hits.filter((hit) => hit.snapshots.includes(snapshot)).map(({ name }) => name);
    const list = lost[at];
    expect([snapshot, told?.whole ?? null]).toEqual([snapshot, list === undefined ? null : list?.length === 0]);
    if (list == null) continue;
    expect([snapshot, named.toSorted()]).toEqual([snapshot, list]);
    const archives = new Set(list.map((name) => nights.contents[at]?.get(name)?.archive ?? ""));
    expect([...archives].filter((archive) => now.get(archive) === files.get(archive))).toEqual([]);
  }
}

/**
 * Each snapshot is restored that has or needs a file which is not as it was: what verify calls
 * whole comes back byte for byte, and each item is told that verify named or whose medium it named.
 * A medium comes with its item only.
 */
async function expectRestored(
  nights: DamagedNights,
  { copy, lost, now }: Damaged,
  found: RepositoryCheck,
  { files, media }: Good,
): Promise<void> {
  const other = new Set(changed(files, now));
  for (const [at, { snapshot, archives, needs }] of nights.indexes.entries()) {
    if (!found.snapshots.some((one) => one.snapshot === snapshot)) continue;
    const names = [...archives.map(({ name }) => name), ...needs.map(({ archive }) => archive), "repository.json"];
    const isOther = [...names, `looms-${snapshot}.index.json`].some((name) => other.has(name));
    if (!isOther) continue;
    const wanted = nights.contents[at] ?? new Map<string, never>();
    const hit = new Set(found.hits.filter((one) => one.snapshots.includes(snapshot)).map(({ name }) => name));
    const back = await restored(copy.folder, snapshot, wanted, nights);
    if (back === null) {
      // Nothing says any more what it holds.
      expect([snapshot, lost[at]]).toEqual([snapshot, null]);
      continue;
    }
    if (lost[at] === null) {
      // Its rows are wrong, so no list of what is lost can be had: what is not told comes back,
      // with its medium.
      const items = [...wanted.keys()].filter((name) => name.includes("/") && !back.failed.includes(name));
      const missing = items.flatMap((key) => [key, media.get(key) ?? key]).filter((name) => !back.whole.has(name));
      expect([snapshot, missing]).toEqual([snapshot, []]);
      continue;
    }
    const failed = [...wanted.keys()].filter((name) => hit.has(name) || hit.has(media.get(name) ?? ""));
    const without = new Set(failed.filter((name) => hit.has(name)).map((name) => media.get(name) ?? ""));
    const whole = [...wanted.keys()].filter((name) => !hit.has(name) && !without.has(name));
    expect([snapshot, back.failed]).toEqual([snapshot, failed.filter((name) => name.includes("/")).toSorted()]);
    expect([snapshot, [...back.whole].toSorted()]).toEqual([snapshot, whole.toSorted()]);
  }
}

/**
 * Files that are not as they were; each new snapshot changes the notes of which one is the
 * youngest.
 */
function changed(before: Files, after: Files): readonly string[] {
  const others = [...before].filter(([name]) => !name.startsWith("head."));
  return others.filter(([name, hash]) => after.get(name) !== hash).map(([name]) => name);
}

/** What a run came to, or the exit code that it ended with. */
async function outcome(run: () => Promise<string>): Promise<string> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof FerryError) return `exit ${error.exitCode}`;
    throw error;
  }
}

/** What the backup of the night after came to, and what verify finds then. */
async function sixthNight(
  nights: DamagedNights,
  copy: Copied,
): Promise<{ readonly row: string; readonly found: RepositoryCheck }> {
  const { source, keys, encryption } = nights;
  const { folder, workspace } = copy;
  const options = { name: "looms", fullEvery: 30 };
  const { index } = await oneBackup({ folder, workspace, source, keys, encryption, now: SIXTH, options });
  const found = await check(copy, nights);
  const whole = found.snapshots.find(({ snapshot }) => snapshot === index.snapshot)?.whole;
  return { row: `${index.complete ? "complete" : "incomplete"}, ${whole === true ? "whole" : "not whole"}`, found };
}

async function pruned({ folder }: Copied, before: Files): Promise<string> {
  const retention = { last: 2, daily: 0, weekly: 0, monthly: 0, yearly: 0 };
  const { plan } = await prune({
    storage: new LocalFolder(folder),
    retention,
    dryRun: false,
    compact: null,
    madeBy: "test",
    signal,
  });
  const going = plan.removed.flatMap(({ archives, name, snapshot }) => [
    ...archives.map((archive) => archive.name),
    `${name}-${snapshot}.index.json`,
  ]);
  const gone = changed(before, await filesOf(folder));
  expect(gone.filter((name) => !going.includes(name))).toEqual([]);
  return `${plan.removed.length} removed`;
}

/** Name, verify's exit code, the five nights, the sixth night, what a prune does then. */
async function rowOf(nights: DamagedNights, damage: DamageCase, good: Good): Promise<string> {
  const copy = await nights.copy();
  await damage.do(copy);
  const before = await filesOf(copy.folder);
  const found = await check(copy, nights);
  const damaged = { copy, lost: await lostIn(copy.folder, nights), now: before };
  expectTold(nights, damaged, found, good);
  await expectRestored(nights, damaged, found, good);
  let later: RepositoryCheck | undefined;
  const sixth = await outcome(async () => {
    const night = await sixthNight(nights, copy);
    later = night.found;
    return night.row;
  });
  const after = await filesOf(copy.folder);
  expect([damage.name, changed(before, after)]).toEqual([damage.name, []]);
  expect([damage.name, maskOf(nights, later ?? (await check(copy, nights)))]).toEqual([
    damage.name,
    maskOf(nights, found),
  ]);
  const prunes = await outcome(() => pruned(copy, after));
  if (prunes.startsWith("exit")) expect(changed(after, await filesOf(copy.folder))).toEqual([]);
  await copy.remove();
  return `${found.damaged ? 6 : 0} ${maskOf(nights, found)} | ${sixth} | ${prunes}`;
}

describe.each([["plain"], ["encrypted"]] as const)("%s", (kind) => {
  it("whatever is damaged is told, the rest is whole, and no run takes anything good away", async () => {
    const nights = await damagedNights(kind === "encrypted", true);
    const all = DAMAGE.filter(({ plain }) => plain === undefined || kind === "plain");
    const cases = all.filter(({ name }) => isTried(name, kind));
    const rows: string[] = [];
    const whole = await nights.copy();
    const good = { files: await filesOf(whole.folder), media: await mediaOfItems(whole.folder, nights) };
    await whole.remove();
    for (const damage of cases) rows.push(`${damage.name} | ${await rowOf(nights, damage, good)}`);
    if (TABLE !== undefined) writeFileSync(`${TABLE}.${kind}`, `${rows.join("\n")}\n`);
    expect(rows).toEqual(cases.map(({ name }) => `${name} | ${MATRIX[name]?.[kind === "plain" ? 0 : 1]}`));
  }, 600_000);
});
