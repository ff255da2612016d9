import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { MediaWatch } from "../../src/backup/verify/check-files.js";
import type { RepositoryCheck, Thoroughness } from "../../src/backup/verify/repository-check.js";
import { verifyRepository } from "../../src/backup/verify/verify-repository.js";
import type { ListedEntry } from "../../src/storage/archive/read-list.js";
import { type OpenRepository, openRepository } from "../../src/storage/repository/read/open-repository.js";
import { pngOf } from "../helpers/png.js";
import { looms } from "./helpers/read-backups.js";
import { BYTES, flip, threeNights } from "./verify-site.js";

const PNG = pngOf(30, 20);
const CUT = PNG.subarray(0, -9);

interface Stored {
  readonly entry: ListedEntry;
  readonly bytes: Buffer;
}

/** A local header with its content, at a position. */
function stored(at: number, path: string, content: Buffer, extra = 0): Stored {
  const header = Buffer.alloc(30 + path.length + extra);
  header.writeUInt16LE(path.length, 26);
  header.writeUInt16LE(extra, 28);
  header.write(path, 30);
  const facts = { spelling: path, rawName: path, isFolder: false, isJunk: false, method: 0, flags: 0, crc32: 0 };
  const entry = { ...facts, path, packedSize: content.length, size: content.length, at };
  return { entry, bytes: Buffer.concat([header, content]) };
}

/** Entries one behind the other, after some bytes that are no medium. */
function adjacent(contents: readonly (readonly [path: string, content: Buffer, extra?: number])[]) {
  const all: Stored[] = [];
  let at = 100;
  for (const [path, content, extra] of contents) {
    const one = stored(at, path, content, extra);
    all.push(one);
    at += one.bytes.length;
  }
  const bytes = Buffer.concat([Buffer.alloc(100, "PK"), ...all.map((one) => one.bytes), Buffer.alloc(50)]);
  return { entries: all.map(({ entry }) => entry), bytes };
}

/** What a watch finds when the bytes come in pieces of this length, all in the same memory. */
function watched(entries: readonly ListedEntry[], bytes: Buffer, length: number) {
  const watch = new MediaWatch(entries[Symbol.iterator]());
  const memory = Buffer.alloc(length);
  for (let at = 0; at < bytes.length; at += length) {
    const piece = memory.subarray(0, bytes.copy(memory, 0, at, at + length));
    watch.push(piece);
  }
  const { cut = [], unknown = [] } = watch.end() ?? {};
  return { cut: [...cut], unknown: [...unknown] };
}

/** The repository, and the paths of contents of which a part is read. */
function counted(repository: OpenRepository) {
  const read: string[] = [];
  const readPart: OpenRepository["readPart"] = (place, range) => {
    read.push(place.path);
    return repository.readPart(place, range);
  };
  return { counting: { ...repository, readPart }, read };
}

test("a cut picture is found in pieces of any length", () => {
  const { entries, bytes } = adjacent([
    ["media/a", PNG],
    ["media/b", CUT],
    ["media/c", Buffer.alloc(0)],
    ["media/d", PNG],
    ["media/e", CUT],
  ]);
  const expected = {
    cut: [
      ["media/b", "PNG"],
      ["media/e", "PNG"],
    ],
    unknown: [],
  };
  for (let length = 1; length <= bytes.length; length += length < 100 ? 1 : 37)
    expect(watched(entries, bytes, length), `pieces of ${length}`).toEqual(expected);
});

test("what is packed, large, out of order, cut off or unusual is left to be read", () => {
  const { entries, bytes } = adjacent([
    ["media/a", CUT, 8],
    ["media/b", CUT],
    ["media/c", Buffer.alloc(1024 * 1024 + 1)],
    ["media/d", CUT],
  ]);
  const [a, b, c, d] = entries;
  if (a === undefined || b === undefined || c === undefined || d === undefined) throw new Error("An entry is missing.");
  const found = (order: readonly ListedEntry[], till = bytes.length) =>
    watched(order, bytes.subarray(0, till), 4096).unknown;
  expect(found(entries)).toEqual(["media/a", "media/c"]);
  expect(found([d, b, a])).toEqual(["media/b", "media/a"]);
  expect(found([{ ...b, method: 8 }, d])).toEqual(["media/b"]);
  expect(found([b, d], d.at + 40)).toEqual(["media/d"]);
  const broken = (function* () {
    yield b;
    throw new Error("The list of entries is damaged.");
  })();
  expect(new MediaWatch(broken).end()).toBeUndefined();
});

test("a check of all bytes reads no medium a second time, and finds what a check of each finds", async () => {
  const site = await looms();
  site.sandbox.faults.inject({ kind: "half" }, { path: /^\/media\/.*\.full$/, times: 1000 });
  await site.backUp();
  const repository = await openRepository(site.folder);
  onTestFinished(() => repository.close());
  const { counting, read } = counted(repository);
  const check = (thoroughness: Thoroughness): Promise<RepositoryCheck> =>
    verifyRepository(counting, { thoroughness, hasKeys: false, signal: new AbortController().signal });
  const whole = await check(BYTES);
  expect([whole.short.length, read]).toEqual([13, []]);
  const single = await check({ kind: "sample", of: 1, turn: 0 });
  expect(single.short).toEqual(whole.short);
  expect(new Set(read).size).toBe(13);
});

test("an archive that is not as it was written proves nothing about its media", async () => {
  const maker = await threeNights();
  for (const { archives } of maker.indexes.values())
    for (const { name } of archives) await flip(join(maker.folder, name), { at: 40, length: 0 });
  const repository = await openRepository(maker.folder);
  onTestFinished(() => repository.close());
  const { counting, read } = counted(repository);
  const signal = new AbortController().signal;
  const found = await verifyRepository(counting, { thoroughness: BYTES, hasKeys: false, signal });
  expect([found.problems.length > 0, read.length > 0]).toEqual([true, true]);
});
