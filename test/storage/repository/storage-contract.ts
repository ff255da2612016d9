import { createHash, randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { Lease, RepositoryStorage } from "../../../src/storage/repository/files/repository-storage.js";

/** A new, empty place. `open` opens it as another process would. */
export interface StoragePlace {
  readonly open: () => Promise<RepositoryStorage>;
}

const NAME = "site.example-20261120T030000Z";
const [MAIN, INDEX] = [`${NAME}.full.zip`, `${NAME}.index.json`];
const MIB = 1024 * 1024;

/**
 * What every storage promises, see RepositoryStorage. `tags`: those of the tests of this storage.
 */
export function describeStorage(
  what: string,
  newPlace: () => Promise<StoragePlace>,
  { tags = [] }: { readonly tags?: string[] } = {},
): void {
  const held = async (): Promise<Held> => {
    const place = await newPlace();
    const storage = await place.open();
    return { place, storage, lease: await leaseOf(storage) };
  };
  describe(`${what} as a storage`, { tags }, () => {
    describeReads(held);
    describeLargeFiles(held);
    describeSmallFiles(held);
    describeIndexes(held);
    describeLeases(newPlace);
  });
}

interface Held {
  readonly place: StoragePlace;
  readonly storage: RepositoryStorage;
  readonly lease: Lease;
}

function describeReads(held: () => Promise<Held>): void {
  it("lists every file with its size, in the order of the names", async () => {
    const { place, storage, lease } = await held();
    expect(await storage.list()).toEqual([]);
    const texts = { "b.json": "bb", "B.json": "", "a.json": "a", "a-b.json": "é" };
    for (const [name, text] of Object.entries(texts)) await storage.replace(name, text);
    const expected = [
      { name: "B.json", bytes: 0 },
      { name: "a-b.json", bytes: 2 },
      { name: "a.json", bytes: 1 },
      { name: "b.json", bytes: 2 },
    ];
    expect(await storage.list()).toEqual(expected);
    expect(await (await place.open()).list()).toEqual(expected);
    await lease.release();
    expect(await storage.list()).toEqual(expected);
  });

  it("reads many small files at once, and leaves missing ones out", async () => {
    const { storage } = await held();
    const names = Array.from({ length: 40 }, (_, at) => `file-${at}.json`);
    for (const name of names.slice(1)) await storage.replace(name, `text of ${name}`);
    const found = await storage.readAll(names);
    expect([...found.keys()].toSorted()).toEqual(names.slice(1).toSorted());
    expect(found.get("file-39.json")).toBe("text of file-39.json");
    expect(await storage.readAll([])).toEqual(new Map());
  });

  it("reads a file at any position, and tells a missing one", async () => {
    const { storage } = await held();
    const bytes = randomBytes(2 * MIB + 777);
    await write(storage, "large.bin", bytes);
    const source = await storage.open("large.bin");
    if (source === undefined) throw new Error("large.bin is missing");
    expect(source.bytes).toBe(bytes.length);
    const ends = [0, 1, 777, MIB - 3, MIB, bytes.length - 20_000, bytes.length - 5];
    for (const from of ends)
      for (const length of [1, 10, 70_000]) {
        const part = Buffer.alloc(length);
        const { bytesRead } = await source.read(part, 0, length, from);
        expect(bytesRead).toBeGreaterThan(0);
        expect(part.subarray(0, bytesRead).equals(bytes.subarray(from, from + bytesRead))).toBe(true);
      }
    expect(await source.read(Buffer.alloc(9), 0, 9, bytes.length)).toMatchObject({ bytesRead: 0 });
    await source.close();
    expect(await storage.open("nothing.bin")).toBeUndefined();
  });

  it("streams a file as it is now, tells a missing one, and stops on a signal", async () => {
    const { storage } = await held();
    await write(storage, "file.bin", Buffer.from("first"));
    expect(String(await whole(storage, "file.bin"))).toBe("first");
    await write(storage, "file.bin", Buffer.from("second"));
    expect(String(await whole(storage, "file.bin"))).toBe("second");
    await expect(whole(storage, "nothing.bin")).rejects.toMatchObject({ name: "ArchiveError", exitCode: 10 });
    const stopped = AbortSignal.abort(new Error("stopped"));
    await expect(whole(storage, "file.bin", stopped)).rejects.toThrow("stopped");
  });

  it.each(["", "a/b", "..\\b", "a\0b"])("refuses the name %j", async (name) => {
    const { storage } = await held();
    await expect((async () => storage.open(name))()).rejects.toThrow(/name/);
    await expect((async () => storage.replace(name, ""))()).rejects.toThrow(/name/);
  });
}

function describeLargeFiles(held: () => Promise<Held>): void {
  it.each([0, 1, 100_000, 9 * MIB + 5])("shows a file of %d bytes only after its commit", async (size) => {
    const { place, storage } = await held();
    const bytes = randomBytes(size);
    const staged = await storage.stage("file.bin");
    // The same Buffer again and again: it belongs to the caller after each write.
    const memory = Buffer.alloc(65_536);
    for (let at = 0; at < size; at += memory.length) {
      const length = bytes.copy(memory, 0, at, at + memory.length);
      await staged.write(memory.subarray(0, length));
    }
    memory.fill(0);
    expect(await staged.readAgain()).toEqual({ bytes: size, sha256: sha256(bytes) });
    expect(await (await place.open()).list()).toEqual([]);
    expect(await storage.open("file.bin")).toBeUndefined();
    await staged.commit();
    await staged.discard();
    expect(await (await place.open()).list()).toEqual([{ name: "file.bin", bytes: size }]);
    expect((await whole(storage, "file.bin")).equals(bytes)).toBe(true);
  });

  it("leaves nothing of a discarded file, and the old one where there is one", async () => {
    const { place, storage } = await held();
    await write(storage, "file.bin", Buffer.from("old"));
    for (const name of ["file.bin", "other.bin"]) {
      const staged = await storage.stage(name);
      await staged.write(randomBytes(100_000));
      await staged.discard();
    }
    const again = await storage.stage("file.bin");
    await again.write(Buffer.from("new"));
    await again.readAgain();
    await again.discard();
    expect(await (await place.open()).list()).toEqual([{ name: "file.bin", bytes: 3 }]);
    expect(String(await whole(storage, "file.bin"))).toBe("old");
  });

  it("forgets a file that a run began and never committed", async () => {
    const { place, storage, lease } = await held();
    await write(storage, "file.bin", Buffer.from("stays"));
    const staged = await storage.stage("left.bin");
    await staged.write(randomBytes(9 * MIB));
    await lease.release();
    const next = await place.open();
    const taken = await leaseOf(next);
    await next.removeLeftovers();
    expect(await next.list()).toEqual([{ name: "file.bin", bytes: 5 }]);
    // Unlike a dead process, this one holds the file open.
    await staged.discard();
    expect(await next.list()).toEqual([{ name: "file.bin", bytes: 5 }]);
    await taken.release();
  });

  it("renames a file, but over no other one", async () => {
    const { storage } = await held();
    await write(storage, "a.bin", Buffer.from("bytes of a"));
    await storage.rename("a.bin", "b.bin");
    expect(await storage.list()).toEqual([{ name: "b.bin", bytes: 10 }]);
    await write(storage, "c.bin", Buffer.from("bytes of c"));
    await expect(storage.rename("c.bin", "b.bin")).rejects.toMatchObject({ name: "ArchiveError" });
    expect(String(await whole(storage, "b.bin"))).toBe("bytes of a");
    expect(String(await whole(storage, "c.bin"))).toBe("bytes of c");
  });

  it("removes files, also those that are gone already", async () => {
    const { place, storage } = await held();
    for (const name of ["a.bin", "b.bin", "c.bin"]) await write(storage, name, Buffer.from(name));
    await storage.remove(["a.bin", "nothing.bin", "c.bin"]);
    await storage.remove([]);
    expect(await (await place.open()).list()).toEqual([{ name: "b.bin", bytes: 5 }]);
  });
}

function describeSmallFiles(held: () => Promise<Held>): void {
  it("replaces a small file", async () => {
    const { place, storage } = await held();
    for (const text of ["one", "a longer text", "x"]) {
      await storage.replace("head.json", text);
      expect((await (await place.open()).readAll(["head.json"])).get("head.json")).toBe(text);
    }
    expect(await storage.list()).toEqual([{ name: "head.json", bytes: 1 }]);
  });

  it("takes notes without the lease, whole ones also when several come at once", async () => {
    const { place, storage, lease } = await held();
    await lease.release();
    expect(await storage.canWrite()).toBe(true);
    const texts = ["a".repeat(50_000), "b".repeat(50_000)];
    for (let round = 0; round < 5; round += 1) {
      const other = await place.open();
      await Promise.allSettled([
        storage.note("proven.json", texts[0] ?? ""),
        other.note("proven.json", texts[1] ?? ""),
      ]);
      expect(texts).toContain((await storage.readAll(["proven.json"])).get("proven.json"));
    }
    expect(await storage.list()).toEqual([{ name: "proven.json", bytes: 50_000 }]);
  });

  it("knows its free space, or that it does not", async () => {
    const { storage } = await held();
    const free = await storage.free();
    expect(free === null || free > 0).toBe(true);
  });
}

function describeIndexes(held: () => Promise<Held>): void {
  it("commits an index: nothing, then prepared, then there; a second commit changes nothing", async () => {
    const { place, storage } = await held();
    await storage.prepareIndex(INDEX, "draft");
    await storage.prepareIndex(INDEX, "index");
    await write(storage, MAIN, Buffer.from("archive"));
    const reader = await place.open();
    expect(await names(reader)).toEqual([MAIN, `${INDEX}.new`]);
    expect((await reader.readAll([INDEX, `${INDEX}.new`])).get(`${INDEX}.new`)).toBe("index");
    await storage.commitIndex(INDEX);
    await storage.commitIndex(INDEX);
    expect((await reader.readAll([INDEX])).get(INDEX)).toBe("index");
    expect(await names(reader)).toEqual([MAIN, INDEX]);
  });

  it("commits a snapshot under the name of one that a killed run did not commit", async () => {
    const { place, storage, lease } = await held();
    await write(storage, `${NAME}.full.part1.zip`, Buffer.from("part of the first run"));
    await storage.prepareIndex(INDEX, "index of the first run");
    await lease.release();
    const next = await place.open();
    const taken = await leaseOf(next);
    await next.remove(await names(next));
    await next.removeLeftovers();
    expect(await names(next)).toEqual([]);
    await write(next, `${NAME}.full.part1.zip`, Buffer.from("part"));
    await next.prepareIndex(INDEX, "index");
    await write(next, MAIN, Buffer.from("archive"));
    await next.commitIndex(INDEX);
    await taken.release();
    const reader = await place.open();
    expect(await names(reader)).toEqual([`${NAME}.full.part1.zip`, MAIN, INDEX]);
    expect((await reader.readAll([INDEX])).get(INDEX)).toBe("index");
    expect(String(await whole(reader, `${NAME}.full.part1.zip`))).toBe("part");
  });

  it("marks a snapshot as removed, once", async () => {
    const { place, storage } = await held();
    await storage.prepareIndex(INDEX, "index");
    await write(storage, MAIN, Buffer.from("archive"));
    await storage.commitIndex(INDEX);
    await storage.markRemoved(INDEX);
    await storage.markRemoved(INDEX);
    const reader = await place.open();
    expect(await names(reader)).toEqual([MAIN, `${INDEX}.removed`]);
    expect((await reader.readAll([`${INDEX}.removed`])).get(`${INDEX}.removed`)).toBe("index");
    await storage.remove([MAIN]);
    await storage.remove([`${INDEX}.removed`]);
    expect(await names(reader)).toEqual([]);
  });
}

function describeLeases(newPlace: () => Promise<StoragePlace>): void {
  it("is held by one at a time, and says by whom", async () => {
    const { open } = await newPlace();
    const [one, other] = [await open(), await open()];
    expect(await one.holder()).toBeUndefined();
    const lease = await leaseOf(one, "guideferry backup");
    expect(lease.lost.aborted).toBe(false);
    const refused = await other.acquire("guideferry prune");
    expect(refused).toMatchObject({ heldBy: { pid: process.pid, command: "guideferry backup" } });
    expect(await other.holder()).toMatchObject({ command: "guideferry backup" });
    await lease.release();
    await lease.release();
    expect(await other.holder()).toBeUndefined();
    const next = await leaseOf(other, "guideferry prune");
    expect(await one.holder()).toMatchObject({ command: "guideferry prune" });
    await next.release();
  });

  it("of several that come at once, one gets the lease", async () => {
    const { open } = await newPlace();
    const all = await Promise.all(Array.from({ length: 4 }, async () => (await open()).acquire("guideferry test")));
    const leases = all.flatMap((taken) => ("lease" in taken ? [taken.lease] : []));
    expect(leases).toHaveLength(1);
    for (const lease of leases) await lease.release();
  });

  it("abandons a place that did not become a repository, and never one that did", async () => {
    const { open } = await newPlace();
    const first = await open();
    await (await leaseOf(first)).abandon();
    expect(await first.holder()).toBeUndefined();
    const next = await leaseOf(first);
    await first.replace("repository.json", "{}");
    await next.abandon();
    expect(await names(first)).toEqual(["repository.json"]);
    expect(await first.holder()).toBeUndefined();
  });
}

async function leaseOf(storage: RepositoryStorage, command = "guideferry test"): Promise<Lease> {
  const taken = await storage.acquire(command);
  if ("lease" in taken) return taken.lease;
  throw new Error(`The lease is held by ${taken.heldBy.command}.`);
}

async function write(storage: RepositoryStorage, name: string, bytes: Buffer): Promise<void> {
  const staged = await storage.stage(name);
  await staged.write(bytes);
  await staged.readAgain();
  await staged.commit();
}

async function whole(storage: RepositoryStorage, name: string, signal?: AbortSignal): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of storage.pieces(name, signal)) pieces.push(Buffer.from(piece));
  return Buffer.concat(pieces);
}

async function names(storage: RepositoryStorage): Promise<readonly string[]> {
  return (await storage.list()).map(({ name }) => name);
}

function sha256(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}
