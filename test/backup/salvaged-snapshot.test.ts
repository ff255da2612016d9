import { cp, mkdtemp, readdir, readFile, rename, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { afterAll, describe, expect, it } from "vitest";
import { type SalvagedSnapshot, salvageSnapshot, salvageSources } from "../../src/backup/restore/salvaged-snapshot.js";
import { LocalFolder } from "../../src/storage/repository/files/local-folder.js";
import type { ItemRow, SnapshotIndex } from "../../src/storage/repository/format.js";
import { openRepository } from "../../src/storage/repository/read/open-repository.js";
import type { Repository } from "../../src/storage/repository/repository.js";
import { openWorkspace } from "../../src/storage/workspace/workspace.js";
import { backedUpSite, summaryOf } from "../helpers/backed-up-site.js";
import { removeFolder, temporaryFolder } from "../helpers/temporary-folder.js";
import { entryRegion } from "../helpers/zip-regions.js";
import type { BackupSite } from "./helpers/backups.js";
import { looms } from "./helpers/read-backups.js";
import { threeNights } from "./verify-site.js";

/** `CUTS=9`: an archive is cut at each tenth of its length. */
const EVERY_TENTH = process.env["CUTS"] === undefined ? 3 : 1;

/** Enough that the rows are packed in several pieces. */
async function largeSite(): Promise<BackupSite> {
  const site = await looms();
  for (let at = 0; at < 150; at += 1)
    site.sandbox.edit.createWiki({ namespace: "WIKI", title: `Page ${at} on sheds`, contents: `Of ${at}.` });
  return site;
}

/** One snapshot of the large site, made once for all tests that damage copies of it. */
interface LargeNight {
  readonly base: string;
  readonly folder: string;
  readonly workspace: string;
  readonly index: SnapshotIndex;
}

let made: LargeNight | undefined;

afterAll(async () => {
  if (made !== undefined) await removeFolder(made.base);
});

async function largeNight(): Promise<LargeNight> {
  if (made !== undefined) return made;
  const site = await largeSite();
  const { index } = await site.backUp();
  const base = await mkdtemp(join(tmpdir(), "guideferry-salvage-"));
  const sample = { base, folder: join(base, "repository"), workspace: join(base, "workspace"), index };
  await cp(site.folder, sample.folder, { recursive: true });
  await cp(site.workspace, sample.workspace, { recursive: true });
  made = sample;
  return sample;
}

async function copyOf(folder: string): Promise<string> {
  const copy = join(await temporaryFolder(), "copy");
  await cp(folder, copy, { recursive: true });
  await removeRowCopies(copy);
  return copy;
}

/** Otherwise they replace all damaged rows, and nothing is salvaged. */
async function removeRowCopies(folder: string): Promise<void> {
  for (const name of await readdir(folder)) if (name.includes(".rows.zip")) await rm(join(folder, name));
}

/**
 * By key, without the fields that differ in each snapshot although the item is the same: a
 * salvaged row may come from a neighbouring snapshot.
 */
async function rowsIn(repository: Repository, { snapshot }: SnapshotIndex): Promise<ReadonlyMap<string, object>> {
  const rows = new Map<string, object>();
  for await (const row of repository.items(snapshot))
    rows.set(row.key, { ...row, read: 0, ...(row.kind === "record" ? { revision: "" } : {}) });
  for await (const row of repository.media(snapshot)) rows.set(row.sha256, row);
  return rows;
}

async function whole(folder: string, index: SnapshotIndex): Promise<ReadonlyMap<string, object>> {
  const repository = await openRepository(folder);
  const rows = await rowsIn(repository, index);
  await repository.close();
  return rows;
}

interface Salvage extends Omit<SalvagedSnapshot, "repository" | "close"> {
  readonly found: ReadonlyMap<string, object>;
  /** Contents of items that could be read. */
  readonly readable: number;
}

async function salvage(folder: string, index: SnapshotIndex, workspace?: string): Promise<Salvage | undefined> {
  const repository = await openRepository(folder);
  try {
    const salvaged = await salvageSnapshot(repository, index, { site: SITE, workspace });
    if (salvaged === undefined) return undefined;
    const found = await rowsIn(salvaged.repository, index);
    let readable = 0;
    for (const row of found.values() as Iterable<ItemRow>) {
      if (row.state !== "present") continue;
      expect(await buffer(await salvaged.repository.open(row)).then(({ length }) => length)).toBe(row.size);
      readable += 1;
    }
    await salvaged.close();
    return { ...salvaged, found, readable };
  } finally {
    await repository.close();
  }
}

const SITE = {
  root: "https://site.example/api/2.0",
  origin: "https://site.example",
  siteId: null,
  name: "site",
  dialect: "unknown",
  hosts: ["site.example"],
  language: "en",
  languages: ["en"],
  account: null,
} as const;

async function flip(folder: string, archive: string, path: string, share: number): Promise<void> {
  const { from, to } = await entryRegion(folder, archive, path, "data");
  const bytes = await readFile(join(folder, archive));
  const at = Math.floor(from + (to - from) * share);
  bytes.writeUInt8(bytes.readUInt8(at) ^ 0x10, at);
  await writeFile(join(folder, archive), bytes);
}

/** The places of items; titles are computed again, and there may be more unused media. */
function places(rows: ReadonlyMap<string, object>): readonly unknown[] {
  return [...rows.values()]
    .filter((row) => "key" in row)
    .map((row) => ("sha256" in row ? { ...row, title: "", category: null } : row));
}

const mainOf = ({ archives }: SnapshotIndex): string => archives.at(-1)?.name ?? "";

describe("one damaged bit among the rows of a snapshot", () => {
  it("loses no row where the contents are undamaged, and most rows are used as written", async () => {
    const site = await largeNight();
    const { index } = site;
    const rows = await whole(site.folder, index);
    for (const share of [0.1, 0.9]) {
      const folder = await copyOf(site.folder);
      await flip(folder, mainOf(index), "items.ndjson", share);
      const found = await salvage(folder, index);
      expect(found?.found).toEqual(rows);
      expect([found?.lost, found?.rows.beside]).toEqual([0, 0]);
      expect(found?.rows.own).toBeGreaterThan(index.counts.present / 2);
    }
  });

  it("is repaired from the snapshots before and after it, also rows of deleted items", async () => {
    const site = await largeSite();
    await site.backUp();
    site.sandbox.edit.deleteGuide(3);
    site.sandbox.edit.guide(4, { introduction: "Later." });
    const { index } = await site.backUp();
    site.sandbox.edit.guide(5, { introduction: "Later still." });
    await site.backUp();
    const rows = await whole(site.folder, index);
    for (const share of [0, 0.6]) {
      const folder = await copyOf(site.folder);
      await flip(folder, mainOf(index), "items.ndjson", share);
      expect((await salvage(folder, index))?.found).toEqual(rows);
    }
  });

  it("in archives of early versions, whose rows have no checksum, loses no row either", async () => {
    const { folder, indexes } = await threeNights();
    for (const index of indexes.values()) {
      const rows = await whole(folder, index);
      const copy = await copyOf(folder);
      await flip(copy, mainOf(index), "items.ndjson", 0.4);
      expect(places((await salvage(copy, index))?.found ?? new Map())).toEqual(places(rows));
    }
  });
});

it("an archive cut at any tenth of its length gives all contents before the cut", async () => {
  const site = await largeNight();
  const { index } = site;
  const main = mainOf(index);
  const repository = await openRepository(site.folder);
  const ends = await repository.pool.use(main, ({ entries }) =>
    [...entries].filter(({ path }) => path.startsWith("items/")).map(({ at }) => at),
  );
  await repository.close();
  for (let tenth = 1; tenth < 10; tenth += EVERY_TENTH) {
    const folder = await copyOf(site.folder);
    const cut = Math.floor(((await readFile(join(folder, main))).length * tenth) / 10);
    await truncate(join(folder, main), cut);
    const found = await salvage(folder, index);
    // Rows are before the list of entries.
    if (found === undefined) {
      expect(await whole(folder, index)).toEqual(await whole(site.folder, index));
      continue;
    }
    // The one at the cut may be complete or not.
    const before = ends.filter((at) => at < cut).length;
    expect(found.readable, `${tenth} tenths`).toBeGreaterThanOrEqual(before - 1);
    expect(found.lost).toBe(index.counts.present - found.readable);
  }
});

describe("rows that neither the archives nor the neighbouring snapshots have", () => {
  it("come from the workspace of the backups", async () => {
    const site = await largeNight();
    const { index } = site;
    const rows = await whole(site.folder, index);
    const main = mainOf(index);
    const folder = await copyOf(site.folder);
    await truncate(join(folder, main), Math.floor((await readFile(join(folder, main))).length * 0.3));
    const without = await salvage(folder, index).catch(() => undefined);
    expect(without?.lost).toBeGreaterThan(50);
    const repository = await openRepository(folder);
    const found = await salvageSnapshot(repository, index, { site: SITE, workspace: site.workspace });
    expect([found?.lost, (found?.rows.workspace ?? 0) > 100]).toEqual([0, true]);
    if (found === undefined) throw new Error("it is whole");
    expect(await rowsIn(found.repository, index)).toEqual(rows);
    await found.close();
    await repository.close();
  });

  it("are lost if the database of that workspace is damaged too, and nothing else fails", async () => {
    const site = await largeNight();
    const { index } = site;
    const folder = await copyOf(site.folder);
    const main = join(folder, mainOf(index));
    await truncate(main, Math.floor((await readFile(main)).length * 0.3));
    const without = await salvage(folder, index);
    const workspace = await copyOf(site.workspace);
    const state = join(workspace, "state.sqlite");
    const bytes = await readFile(state);
    // After the first page, which lists the tables.
    await writeFile(state, bytes.fill(0xa5, 4096));
    const found = await salvage(folder, index, workspace);
    expect([found?.rows, found?.lost, found?.found]).toEqual([without?.rows, without?.lost, without?.found]);
    expect(found?.lost).toBeGreaterThan(50);
  });

  it("of an earlier snapshot too, if the item is unchanged since, and never with later bytes", async () => {
    const site = await largeSite();
    const { index } = await site.backUp();
    const rows = await whole(site.folder, index);
    site.sandbox.edit.guide(4, { introduction: "Later." });
    const { index: later } = await site.backUp();
    const folder = await copyOf(site.folder);
    // Both lists of rows are damaged everywhere, so neither can repair the other.
    for (const one of [index, later])
      for (let share = 0.001; share < 1; share += 0.02) await flip(folder, mainOf(one), "items.ndjson", share);
    const found = await salvage(folder, index, site.workspace);
    expect(found?.rows.workspace).toBeGreaterThan(100);
    expect(places(found?.found ?? new Map())).toEqual(places(rows));
  });

  it("are read from the archive if the item has changed in the workspace since", async () => {
    const site = await looms();
    const { index } = await site.backUp();
    const rows = await whole(site.folder, index);
    const folder = await copyOf(site.folder);
    // As a killed backup leaves it: the workspace has the change, but there is no snapshot of it.
    const workspace = await openWorkspace(site.workspace, { create: false, command: "test", wait: () => 0 });
    const item = await workspace.items.get("guide/4");
    if (item?.kind !== "guide") throw new Error("there is no guide");
    await workspace.items.put({ ...item, revision: "later", body: { ...item.body, title: "Later" } });
    await workspace.close();
    for (let share = 0.001; share < 1; share += 0.02) await flip(folder, mainOf(index), "items.ndjson", share);
    const found = await salvage(folder, index, site.workspace);
    expect(found?.found.get("guide/4")).toEqual(rows.get("guide/4"));
    expect(found?.rows).toMatchObject({ remade: 0, beside: 0 });
  });
});

/** The only archive of the repository, cut to a share of its length. */
async function cutTo(repository: string, share: number): Promise<void> {
  await removeRowCopies(repository);
  const opened = await openRepository(repository);
  const [index] = opened.snapshots();
  await opened.close();
  if (index === undefined) throw new Error("there is no snapshot");
  const main = join(repository, mainOf(index));
  await truncate(main, Math.floor((await readFile(main)).length * share));
}

it("restore uses the valid rows of the only snapshot, names how much is lost, and ends with 3", async () => {
  const site = await backedUpSite();
  await rename(join(site.repository, "workspace"), join(site.directory, "elsewhere"));
  await cutTo(site.repository, 0.5);
  const done = await site.run("restore", "repo", "restored", "--json");
  expect([done.code, done.stdout]).toEqual([3, expect.stringMatching(/cannot be read completely.*rebuilt from items/)]);
  expect(Number(summaryOf(done)["items"])).toBeGreaterThan(15);
  expect(done.stdout).toMatch(/items of the snapshot \d{8}T\d{6}Z are lost/);
  const checked = await site.run("verify", "repo");
  expect([checked.code, checked.stdout]).toEqual([
    6,
    expect.stringMatching(
      /uses its valid rows: 0 rows as written, \d\d rebuilt.* 0 taken from the workspace .*\d+ of its items are lost/,
    ),
  ]);
});

it("a restore in place of a snapshot that lost rows ends with 3, although all known items are unchanged", async () => {
  const site = await backedUpSite();
  await rename(join(site.repository, "workspace"), join(site.directory, "elsewhere"));
  await cutTo(site.repository, 0.4);
  const done = await site.run("restore", "repo", site.sandbox.url, "--no-snapshot-first");
  expect([done.code, done.stdout]).toEqual([3, expect.stringMatching(/\d+ LOST with damaged rows of the snapshot/)]);
  expect(site.writes()).toEqual([]);
});

it("verify counts the rows taken from the workspace, and a restore from them is complete", async () => {
  const site = await backedUpSite();
  const opened = await openRepository(site.repository);
  const [index] = opened.snapshots();
  await opened.close();
  if (index === undefined) throw new Error("there is no snapshot");
  await removeRowCopies(site.repository);
  for (let share = 0.001; share < 1; share += 0.02) await flip(site.repository, mainOf(index), "items.ndjson", share);
  const checked = await site.run("verify", "repo");
  expect([checked.code, checked.stdout]).toEqual([
    6,
    expect.stringMatching(
      /uses its valid rows: .* [1-9]\d* taken from the workspace of the backups.*No row is known to be lost/,
    ),
  ]);
  const done = await site.run("restore", "repo", "restored");
  expect([done.code, done.stderr]).toEqual([0, expect.stringContaining("taken from the workspace")]);
});

it("a repository.json with a damaged address names no site, and nothing fails", async () => {
  const folder = await temporaryFolder();
  const stamp = { format: 1, name: "looms.example", created: "2026-11-20T03:00:00Z", madeBy: "guideferry" };
  const withRoot = (root: string): Promise<void> =>
    writeFile(join(folder, "repository.json"), JSON.stringify({ ...stamp, site: { root, siteId: null } }));
  await withRoot("https://looms.example/api/2.0");
  expect((await salvageSources(new LocalFolder(folder))).site?.hosts).toEqual(["looms.example"]);
  await withRoot("h\u0000tps://looms.example");
  expect((await salvageSources(new LocalFolder(folder))).site).toBeUndefined();
});
