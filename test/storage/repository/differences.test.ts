import { Hash } from "node:crypto";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { Key } from "../../../src/core/model/key.js";
import { LocalFolder } from "../../../src/storage/repository/files/local-folder.js";
import type { ArchiveFile, ItemRow, MediaRow, SnapshotId, WholeRows } from "../../../src/storage/repository/format.js";
import { snapshotIdOf } from "../../../src/storage/repository/names.js";
import { type OpenRepository, openRepository } from "../../../src/storage/repository/read/open-repository.js";
import type { RowChange } from "../../../src/storage/repository/read/rows.js";
import type { Draft } from "../../../src/storage/repository/write/drafts.js";
import { writeSnapshot } from "../../../src/storage/repository/write/write-snapshot.js";
import { entryRegion } from "../../helpers/zip-regions.js";
import "../../helpers/seed.js";
import { newFolder, opening, planOf, sha256 } from "./write/helpers/plans.js";

/** An item of a night: its text, and whether a list showed it. */
interface Wanted {
  readonly text: string;
  readonly compared: boolean;
  readonly deleted: boolean;
}
type Night = ReadonlyMap<number, Wanted>;

const DAY = 86_400_000;
const FIRST = Date.UTC(2026, 10, 1, 3);
const secondsOf = (night: number): number => (FIRST + night * DAY) / 1000;
const kindOf = (number: number) => (number % 3 === 1 ? "category" : "wiki");
/** Some have escapes in JSON. */
const keyOf = (number: number): Key =>
  `${kindOf(number)}/WIKI/Page ${number}${number % 2 === 0 ? "" : ' "é" \u{1f9f5}'}`;
const pathOf = (number: number): string => `items/wiki/aa/${number}.json`;

const wanted = fc.record({ text: fc.constantFrom("a", "b", "c"), compared: fc.boolean(), deleted: fc.boolean() });
const nights = fc.array(
  fc
    .uniqueArray(fc.tuple(fc.nat(14), wanted), { selector: ([number]) => number, maxLength: 12 })
    .map((all) => new Map(all)),
  { minLength: 2, maxLength: 5 },
);

/** Writes the nights one after the other, as a backup does, with differences or without. */
async function written(all: readonly Night[], withBase: boolean): Promise<OpenRepository> {
  const folder = await newFolder("repository");
  const storage = new LocalFolder(folder);
  await storage.replace(
    "repository.json",
    JSON.stringify({ format: 1, name: "site.example", created: "", madeBy: "test" }),
  );
  const places = new Map<string, string>();
  const archives = new Map<string, ArchiveFile>();
  let previous: SnapshotId | null = null;
  for (const [night, items] of all.entries()) {
    const snapshot = snapshotIdOf(new Date(FIRST + night * DAY), previous);
    const contents: Record<string, string> = {};
    const drafts = [...items].flatMap(([number, one]): readonly Draft[] => {
      const { row, medium, content } = draftsOf(number, one, night, snapshot, places);
      if (row.item.state === "present" && "write" in row && row.write) contents[row.item.path] = content;
      if (medium?.write === true) contents[medium.medium.path] = content;
      return medium === undefined ? [row] : [row, medium];
    });
    const kind = night === 0 ? "full" : "incremental";
    const repository: OpenRepository | undefined =
      withBase && previous !== null ? await openRepository(storage) : undefined;
    const plan = await planOf({}, { storage, snapshot, kind, previous, archives, drafts, open: opening(contents) });
    const base = previous === null ? undefined : repository?.baseAfter(previous);
    const index = await writeSnapshot({ ...plan, read: secondsOf(night), base });
    await repository?.close();
    for (const file of index.archives) archives.set(file.name, file);
    for (const path of Object.keys(contents)) places.set(path, index.archives.at(-1)?.name ?? "");
    previous = snapshot;
  }
  return openRepository(storage);
}

function draftsOf(
  number: number,
  { text, compared, deleted }: Wanted,
  night: number,
  snapshot: SnapshotId,
  places: ReadonlyMap<string, string>,
): DraftsOfItem {
  const key = keyOf(number);
  const facts = { key, kind: kindOf(number), revision: text, title: `${text} of ${number}, "removed":true` } as const;
  if (deleted)
    return { row: { item: { ...facts, state: "deleted", deleted: snapshot }, change: null } as const, content: "" };
  const [path, content] = [`${pathOf(number)}-${text}`, `${text} of ${number}`];
  const archive = places.get(path) ?? null;
  const place = { sha256: sha256(content), size: Buffer.byteLength(content), archive, path };
  const write = archive === null;
  const read = compared ? secondsOf(night) : 1_700_000_000 + number;
  const item = { ...facts, state: "present", category: null, modified: null, read, ...place } as const;
  const mediumPath = `media/${path}.jpg`;
  const mediumArchive = places.get(mediumPath) ?? null;
  const medium = { ...place, archive: mediumArchive, path: mediumPath };
  return {
    row: { item, write, change: null, compared } as const,
    medium: { medium, write: mediumArchive === null, change: null } as const,
    content,
  };
}

/** The row of an item, that of its medium, and the text of both. */
interface DraftsOfItem {
  readonly row: Extract<Draft, { readonly item: unknown }>;
  readonly medium?: Extract<Draft, { readonly medium: unknown }>;
  readonly content: string;
}

async function all<T>(rows: AsyncIterable<T>): Promise<readonly T[]> {
  const list: T[] = [];
  for await (const row of rows) list.push(row);
  return list;
}

const sorted = (changes: readonly RowChange<ItemRow>[]): unknown =>
  changes
    .map(({ before, after }) => [before?.key ?? after?.key, before, after].map((one) => JSON.stringify(one)))
    .toSorted();

/** The base: the archives of the first snapshot that hold rows. */
function baseOf({ snapshots }: OpenRepository): { readonly whole: WholeRows; readonly main: string } {
  const [first] = snapshots();
  if (first?.whole === undefined) throw new Error("the first snapshot has no whole rows");
  return { whole: first.whole, main: first.archives.at(-1)?.name ?? "" };
}

const EXAMPLE: readonly Night[] = Array.from({ length: 4 }, (_, night) => {
  const items = Array.from({ length: 400 }, (_, number) => {
    const text = number % 50 === night ? "b" : "a";
    return [number, { text, compared: number % 3 !== 0, deleted: number === 7 && night > 1 }] as const;
  });
  return new Map(items.filter(([number]) => number !== 9 || night < 2));
});

/** The first night with another text in the items before this number. */
function editedUntil(count: number): Night {
  return new Map(
    [...(EXAMPLE[0] ?? [])].map(([number, one]) => [number, number < count ? { ...one, text: "c" } : one]),
  );
}

describe("the rows of the same nights", () => {
  it("are equal with whole rows and with differences, in each snapshot, however they are read", async () => {
    await fc.assert(
      fc.asyncProperty(nights, async (wantedNights) => {
        const [whole, differing] = [await written(wantedNights, false), await written(wantedNights, true)];
        const ids = whole.snapshots().map(({ snapshot }) => snapshot);
        expect(differing.snapshots().map(({ base }) => base?.snapshot)).toEqual([
          undefined,
          ...ids.slice(1).map(() => ids[0]),
        ]);
        for (const [night, id] of ids.entries()) {
          const items = await all(whole.items(id));
          expect(await all(differing.items(id))).toEqual(items);
          expect((await all(differing.itemBatches(id))).flat()).toEqual(items);
          for (const kinds of [new Set(["wiki", "category"] as const), new Set(["category"] as const)]) {
            const own = items.filter(({ kind }) => kind === "category" || kinds.size > 1);
            expect(await all(differing.itemsOf(id, kinds))).toEqual(own);
            const present = own.filter(({ state }) => state === "present").map(({ key }) => key);
            expect((await all(differing.keysOf(id, kinds))).flat()).toEqual(present);
          }
          const media = await all(whole.media(id));
          expect(await all(differing.media(id))).toEqual(media);
          expect((await all(differing.mediaBatches(id))).flat()).toEqual(media);
          for (let number = 0; number < 15; number += 1)
            expect(await differing.item(id, keyOf(number))).toEqual(items.find(({ key }) => key === keyOf(number)));
          for (const { sha256: hash } of media as readonly MediaRow[])
            expect(await differing.medium(id, hash)).toEqual(media.find((row) => row.sha256 === hash));
          const before = ids[night - 1] ?? null;
          const changed = await all(whole.changedItems(id, before));
          const expected = changed.filter(({ before: one, after }) => !isReadAlone(one, after));
          const found = await all(differing.changedItems(id, before));
          expect(sorted(found.filter(({ before: one, after }) => !isReadAlone(one, after)))).toEqual(sorted(expected));
        }
        await whole.close();
        await differing.close();
      }),
      { numRuns: 12 },
    );
  });
});

/** `read` alone is no change: whether such a row is among the changes is left open. */
function isReadAlone(one: ItemRow | undefined, other: ItemRow | undefined): boolean {
  return (
    one !== undefined &&
    other !== undefined &&
    JSON.stringify({ ...one, read: 0 }) === JSON.stringify({ ...other, read: 0 })
  );
}

it("rows are unpacked and hashed once, when they are checked, and not again when they are read", async () => {
  const repository = await written(EXAMPLE, true);
  const id = repository.snapshots().at(-1)?.snapshot ?? "";
  const { base, items, media } = await repository.manifest(id);
  const hashing = vi.spyOn(Hash.prototype, "update");
  const unpacking = vi.spyOn(repository.pool, "content");
  onTestFinished(() => void vi.restoreAllMocks());
  const hashed = (): number => {
    const bytes = hashing.mock.calls.reduce((sum, [piece]) => sum + Buffer.byteLength(piece), 0);
    hashing.mockClear();
    return bytes;
  };
  await repository.checkRows(id);
  expect(hashed()).toBeGreaterThan(0);
  expect(unpacking).toHaveBeenCalledTimes(4);
  const keys = (await all(repository.keysOf(id, new Set(["wiki", "category"])))).flat();
  const rows = await all(repository.items(id));
  expect((await all(repository.itemBatches(id))).flat()).toEqual(rows);
  for (const number of [0, 7, 9, 53, 399])
    expect(await repository.item(id, keyOf(number))).toEqual(rows.find(({ key }) => key === keyOf(number)));
  expect(hashed()).toBe(0);
  expect(unpacking).toHaveBeenCalledTimes(4);
  expect(keys).toEqual(rows.filter(({ state }) => state === "present").map(({ key }) => key));
  expect([base?.items.count, items.count, media.count].every((count) => (count ?? 0) > 0)).toBe(true);
  await repository.close();
});

it("the changes of all snapshots need two passes over the rows of their base, which hash them once", async () => {
  const nightsOfEdits = [0, 5, 9, 14].map(editedUntil);
  const [whole, repository] = [await written(nightsOfEdits, false), await written(nightsOfEdits, true)];
  const ids = repository.snapshots().map(({ snapshot }) => snapshot);
  const expected = await Promise.all(
    ids.slice(1).map(async (id, night) => sorted(await all(whole.changedItems(id, ids[night] ?? null)))),
  );
  const { main } = baseOf(repository);
  const hashing = vi.spyOn(Hash.prototype, "update");
  const unpacking = vi.spyOn(repository.pool, "content");
  onTestFinished(() => void vi.restoreAllMocks());
  const hashed = (): number => hashing.mock.calls.reduce((sum, [piece]) => sum + Buffer.byteLength(piece), 0);
  await all(repository.itemBatches(ids[0] ?? ""));
  const once = hashed();
  for (const [night, changes] of expected.entries())
    expect(sorted(await all(repository.changedItems(ids[night + 1] ?? "", ids[night] ?? null)))).toEqual(changes);
  const passes = unpacking.mock.calls.filter(([archive, path]) => archive === main && path === "items.ndjson");
  expect(passes).toHaveLength(2);
  expect(hashed()).toBeLessThan(once * 1.5);
  await repository.close();
  await whole.close();
});

describe("a base whose archives are damaged", () => {
  it.each<[string, (folder: string, base: ReturnType<typeof baseOf>) => Promise<void> | void]>([
    ["its main archive is missing", (folder, { main }) => rmSync(join(folder, main))],
    ["the copy of its rows is missing", (folder, { whole }) => rmSync(join(folder, whole.copy))],
    ["its main archive is cut", (folder, { main }) => cut(join(folder, main))],
    ["the copy of its rows is cut", (folder, { whole }) => cut(join(folder, whole.copy))],
    ...[0.02, 0.3, 0.6, 0.97].map(
      (share): [string, (folder: string, base: ReturnType<typeof baseOf>) => Promise<void>] => [
        `a bit flips at ${share} of its rows`,
        (folder, { main }) => flipIn(folder, main, share),
      ],
    ),
  ])("costs no later snapshot a row: %s", async (_what, damage) => {
    const repository = await written(EXAMPLE, true);
    const ids = repository.snapshots().map(({ snapshot }) => snapshot);
    const rows = await Promise.all(ids.map((id) => all(repository.items(id))));
    const media = await Promise.all(ids.map((id) => all(repository.media(id))));
    await repository.close();
    await damage(repository.storage.folder ?? "", baseOf(repository));
    const damaged = await openRepository(repository.storage);
    for (const [night, id] of ids.entries()) {
      if (night === 0) continue;
      expect(await all(damaged.items(id))).toEqual(rows[night]);
      expect(await all(damaged.media(id))).toEqual(media[night]);
      await damaged.checkRows(id);
      expect(await all(damaged.items(id))).toEqual(rows[night]);
      for (const number of [0, 7, 9, 53, 399])
        expect(await damaged.item(id, keyOf(number))).toEqual(rows[night]?.find(({ key }) => key === keyOf(number)));
    }
    await damaged.close();
  });
});

function cut(file: string): void {
  const bytes = readFileSync(file);
  writeFileSync(file, bytes.subarray(0, bytes.length / 2));
}

async function flipIn(folder: string, archive: string, share: number): Promise<void> {
  const { from, to } = await entryRegion(folder, archive, "items.ndjson", "data");
  const file = join(folder, archive);
  const bytes = readFileSync(file);
  const at = Math.floor(from + (to - from) * share);
  bytes.writeUInt8(bytes.readUInt8(at) ^ 0x10, at);
  writeFileSync(file, bytes);
}

describe("a snapshot with differences", () => {
  it("gets whole rows when more than an eighth differ, and they are the base of the next one", async () => {
    const repository = await written([0, 20, 200, 210].map(editedUntil), true);
    const [first, second, third, fourth] = repository.snapshots();
    expect([second?.base?.snapshot, third?.base, fourth?.base?.snapshot]).toEqual([
      first?.snapshot,
      undefined,
      third?.snapshot,
    ]);
    expect(third?.whole?.copy).toBe(third?.archives[0]?.name);
    expect([first?.kind, third?.kind]).toEqual(["full", "incremental"]);
    const listed = await repository.pool.use(third?.whole?.copy ?? "", ({ entries }) =>
      [...entries].map(({ path }) => path),
    );
    expect(listed.toSorted()).toEqual(["README.txt", "items.ndjson", "media.ndjson"]);
    await repository.close();
  });

  it("needs both archives with the rows of its base, and gives the repository its format", async () => {
    const repository = await written(EXAMPLE, true);
    const { whole, main } = baseOf(repository);
    for (const { needs } of repository.snapshots().slice(1))
      expect(needs.map(({ archive }) => archive)).toEqual(expect.arrayContaining([main, whole.copy]));
    const folder = repository.storage.folder ?? "";
    expect(JSON.parse(readFileSync(join(folder, "repository.json"), "utf8"))).toMatchObject({ format: 2 });
    // Its index is rebuilt from the archives, with what it needs.
    const lost = repository.snapshots()[2];
    await repository.close();
    for (const name of readdirSync(folder)) if (name.includes(`${lost?.snapshot}.index`)) rmSync(join(folder, name));
    const again = await openRepository(repository.storage);
    expect(again.snapshots()[2]).toEqual(lost);
    await again.close();
  });
});
