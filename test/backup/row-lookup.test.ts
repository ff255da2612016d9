import { expect, onTestFinished, test, vi } from "vitest";
import { fillFromSnapshot, restoreElsewhere } from "../../src/backup/restore/fill-workspace.js";
import { ONE_BY_ONE, RowLookup, snapshotContents } from "../../src/backup/restore/snapshot-contents.js";
import { LocalFolder } from "../../src/storage/repository/files/local-folder.js";
import { openRepository } from "../../src/storage/repository/read/open-repository.js";
import type { Repository } from "../../src/storage/repository/repository.js";
import type { Scratch } from "../../src/storage/workspace/scratch.js";
import { openWorkspace } from "../../src/storage/workspace/workspace.js";
import { CircuitBreaker } from "../../src/sync/control.js";
import { EVERYTHING } from "../../src/sync/selection.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";
import { startBackups } from "./helpers/backups.js";
import { fillLooms } from "./helpers/looms.js";

interface Row {
  readonly key: string;
  readonly value: number;
}

const ROWS: readonly Row[] = Array.from({ length: 500 }, (_, value) => ({ key: `guide/${value}`, value }));

/** A manifest that counts how often it is read. */
function counted(scratch?: Scratch) {
  const reads = { one: 0, all: 0 };
  const lookup = new RowLookup<Row>({
    topic: "test",
    one: async (key) => {
      reads.one += 1;
      return ROWS.find((row) => row.key === key);
    },
    async *all() {
      reads.all += 1;
      yield* ROWS;
    },
    keyOf: ({ key }) => key,
  });
  if (scratch !== undefined) lookup.noteIn(scratch);
  return { lookup, reads };
}

async function scratchFolder(): Promise<Scratch & { readonly close: () => Promise<void> }> {
  const { scratch, close } = await openWorkspace(await temporaryFolder(), { create: true, command: "test" });
  return { ...scratch, close };
}

test("thousands of rows take one pass over the manifest, whoever asks for them at the same time", async () => {
  const scratch = await scratchFolder();
  const { lookup, reads } = counted(scratch);
  const found = await Promise.all([...ROWS, ...ROWS].map(({ key }) => lookup.find(key)));
  expect(found).toEqual([...ROWS, ...ROWS]);
  expect(await lookup.find("guide/500")).toBeUndefined();
  expect(reads).toEqual({ one: ONE_BY_ONE, all: 1 });
  await scratch.close();
});

test("a few rows are looked up by themselves, and so are all without a place for notes", async () => {
  const scratch = await scratchFolder();
  const few = counted(scratch);
  for (const { key } of ROWS.slice(0, ONE_BY_ONE)) await few.lookup.find(key);
  expect(few.reads).toEqual({ one: ONE_BY_ONE, all: 0 });
  const bare = counted();
  for (const { key } of ROWS) await bare.lookup.find(key);
  expect(bare.reads).toEqual({ one: ROWS.length, all: 0 });
  await scratch.close();
});

/** Restores what `include` names from a snapshot, whose rows can only be read one by one. */
async function restoreNamed(include: string) {
  const site = await startBackups({});
  fillLooms(site.sandbox);
  await site.backUp();
  const repository = await openRepository(site.folder);
  onTestFinished(() => repository.close());
  const asked: string[] = [];
  const all = (): never => {
    throw new Error("All rows are read.");
  };
  const watched: Repository = {
    ...repository,
    items: all,
    media: all,
    item: (snapshot, key) => {
      asked.push(key);
      return repository.item(snapshot, key);
    },
  };
  return { ...(await filledFrom(watched, [include])), asked };
}

/** Restores what `include` names from the last snapshot; empty: everything. */
async function filledFrom(repository: Repository, include: readonly string[]) {
  const { snapshot } = repository.find();
  const elsewhere = restoreElsewhere(repository, snapshot);
  const folder = await temporaryFolder();
  const workspace = await openWorkspace(folder, { create: true, command: "test", elsewhere });
  onTestFinished(() => workspace.close());
  const never = new AbortController().signal;
  const done = await fillFromSnapshot({
    elsewhere,
    contents: await snapshotContents(repository, snapshot),
    workspace,
    selection: { ...EVERYTHING, include },
    copyMedia: true,
    control: {
      ...{ stop: never, abort: never, concurrency: 2 },
      ...{ progress: () => undefined, breaker: new CircuitBreaker() },
    },
  });
  return { done, workspace };
}

test("a restore of one guide reads the rows that it names and needs, not all rows", async () => {
  const { done, asked, workspace } = await restoreNamed("guide/2");
  expect([done.failed, done.media]).toEqual([0, 1]);
  expect(asked).toContain("guide/2");
  expect(asked.filter((key) => key.startsWith("guide/"))).toEqual(["guide/2"]);
  expect(workspace.items.entry("guide/2")?.state).toBe("present");
  expect(workspace.items.entry("guide/3")).toBeUndefined();
});

test("a restore of a guide that the snapshot lacks reads no row but this one", async () => {
  const { done, asked } = await restoreNamed("guide/999");
  expect([done.items, done.failed]).toEqual([0, 0]);
  expect(new Set(asked)).toEqual(new Set(["guide/999"]));
});

test("a restore of one guide opens no archive of other snapshots, and restores what a whole restore does", async () => {
  const site = await startBackups({});
  fillLooms(site.sandbox);
  await site.backUp();
  for (const night of [1, 2, 3, 4]) {
    site.sandbox.edit.guide(3, { introduction: `Night ${night}.` });
    await site.backUp();
  }
  const storage = new LocalFolder(site.folder);
  const opening = vi.spyOn(storage, "open");
  const repository = await openRepository(storage);
  onTestFinished(() => repository.close());
  await repository.checkRows(repository.find().snapshot);
  const { done, workspace } = await filledFrom(repository, ["guide/2"]);
  const indexes = repository.snapshots();
  const mains = [indexes.at(0), indexes.at(-1)].map((index) => index?.archives.at(-1)?.name);
  expect(new Set(opening.mock.calls.map(([name]) => name))).toEqual(new Set(mains));
  const whole = await filledFrom(repository, []);
  expect(done.items).toBeGreaterThan(1);
  for (const { key, state } of workspace.items.entries()) {
    expect(state).toBe("present");
    expect(await workspace.items.file(key)).toEqual(await whole.workspace.items.file(key));
  }
  // Whatever was left out exists at the source.
  for (const key of ["guide/2", "guide/3"] as const) expect(workspace.items.isAtSource(key)).toBe(true);
  expect(workspace.items.isAtSource("guide/999")).toBe(false);
});
