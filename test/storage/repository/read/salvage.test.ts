import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { generateX25519Identity, identityToRecipient } from "age-encryption";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ArchiveFile } from "../../../../src/storage/archive/archive-file.js";
import { writeArchive } from "../../../../src/storage/archive/write-archive.js";
import { ZipWriter } from "../../../../src/storage/archive/zip-writer.js";
import { mediaRowSchema, type Place } from "../../../../src/storage/repository/format.js";
import { openRepository } from "../../../../src/storage/repository/read/open-repository.js";
import { RepositoryKeys } from "../../../../src/storage/repository/read/repository-keys.js";
import { remainingRows, SalvagedArchive } from "../../../../src/storage/repository/read/salvage.js";
import { contentPlaces } from "../../../helpers/content-places.js";
import { guideItem } from "../../../helpers/items.js";
import { type Maker, makeRepository, sha256Of } from "../../../helpers/repository.js";
import { temporaryFolder } from "../../../helpers/temporary-folder.js";
import "../../../helpers/seed.js";

const NIGHT = "20261101T030000Z";
/** Bytes behind a packed content that hold its checksum. */
const DESCRIPTOR = 8;

async function oneNight(lock: Parameters<typeof makeRepository>[1] = null): Promise<Maker> {
  const maker = await makeRepository(await temporaryFolder(), lock);
  const items = Array.from({ length: 12 }, (_, id) =>
    guideItem(id + 1, { introduction: `Words ${id} `.repeat(id * id * 20) }),
  );
  const media = [Buffer.alloc(400, "PK\x03\x04"), Buffer.alloc(150_000, "picture"), Buffer.from("small")];
  await maker.add({ snapshot: NIGHT, items, media });
  return maker;
}

/** The places whose bytes can be had, and are right. */
async function readable(maker: Maker, keys?: RepositoryKeys): Promise<readonly string[]> {
  const repository = await openRepository(maker.folder, { keys });
  const { items = [], media = [] } = maker.rows.get(NIGHT) ?? {};
  const had: string[] = [];
  for (const row of [...items, ...media]) {
    if (!("archive" in row)) continue;
    const bytes = await read(repository, row);
    if (bytes === undefined) continue;
    expect(sha256Of(bytes)).toBe(row.sha256);
    had.push(row.path);
  }
  await repository.close();
  return had.toSorted();
}

async function read(
  repository: { readonly open: (place: Place) => Promise<NodeJS.ReadableStream> },
  row: Place,
): Promise<Buffer | undefined> {
  try {
    return await buffer(await repository.open(row));
  } catch (error) {
    expect(error).toMatchObject({ exitCode: 6 });
    return undefined;
  }
}

describe("an archive that lost its list of entries", () => {
  it("gives every content that lies before the place where it was cut", async () => {
    const maker = await oneNight();
    const file = join(maker.folder, maker.indexes.get(NIGHT)?.archives.at(-1)?.name ?? "");
    const bytes = await readFile(file);
    const places = await contentPlaces(maker);
    const paths = new Map(
      maker.rows.get(NIGHT)?.items.map((row) => [row.key as string, "path" in row ? row.path : ""]),
    );
    for (const { sha256, path } of maker.rows.get(NIGHT)?.media ?? []) paths.set(sha256, path);
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length - 1), async (left) => {
        await writeFile(file, bytes.subarray(0, left));
        const had = await readable(maker);
        // What is stored has its checksum before it, what is packed behind.
        const certain = places.filter(({ to }) => to + DESCRIPTOR <= left).map(({ name }) => paths.get(name) ?? "");
        const possible = places.filter(({ to }) => to <= left).map(({ name }) => paths.get(name) ?? "");
        expect(certain.filter((path) => !had.includes(path))).toEqual([]);
        expect(had.filter((path) => !possible.includes(path))).toEqual([]);
      }),
      { numRuns: 40 },
    );
  });

  it("is read wholly where only the list is damaged, rows and manifest too", async () => {
    const maker = await oneNight();
    const file = join(maker.folder, maker.indexes.get(NIGHT)?.archives.at(-1)?.name ?? "");
    const bytes = await readFile(file);
    const list = bytes.lastIndexOf("PK\x01\x02");
    bytes[list + 2] = 99;
    await writeFile(file, bytes);
    expect(await readable(maker)).toHaveLength(15);
    const repository = await openRepository(maker.folder);
    const keys: string[] = [];
    for await (const { key } of repository.items(NIGHT)) keys.push(key);
    expect(keys).toEqual(maker.rows.get(NIGHT)?.items.map(({ key }) => key));
    await repository.close();
  });

  it("never gives other bytes than were written, whichever bit is wrong", async () => {
    const path = join(await temporaryFolder(), "archive.zip");
    const text = Array.from({ length: 40 }, (_, at) => `Line ${at * at} of a manifest\n`).join("");
    await writeArchive(path, [{ path: "manifest.json", content: text }]);
    const bytes = await readFile(path);
    const end = bytes.indexOf("PK\x01\x02");
    for (let at = 30; at < end; at += 1) {
      const flipped = Buffer.from(bytes);
      flipped[at] = (flipped[at] ?? 0) ^ (1 << (at % 8));
      const source = {
        read: async (into: Buffer, offset: number, length: number, from: number) => ({
          bytesRead: flipped.copy(into, offset, from, from + length),
        }),
      };
      const salvaged = await SalvagedArchive.of(new ArchiveFile(source, flipped.length), "archive.zip");
      if (!salvaged.has("manifest.json")) continue;
      const read = await buffer(salvaged.content("manifest.json")).catch((error: unknown) => {
        expect(error).toMatchObject({ exitCode: 6 });
        return undefined;
      });
      if (read !== undefined) expect(read.toString()).toBe(text);
    }
  });

  it("is read as far as chunks are whole when it is encrypted", async () => {
    const identity = await generateX25519Identity();
    const keys = new RepositoryKeys({ identities: [identity], passphrase: null });
    const maker = await oneNight({ recipients: [await identityToRecipient(identity)] });
    const file = join(maker.folder, maker.indexes.get(NIGHT)?.archives.at(-1)?.name ?? "");
    const bytes = await readFile(file);
    expect(await readable(maker, keys)).toHaveLength(15);
    await writeFile(file, bytes.subarray(0, 66_000));
    const cut = await readable(maker, keys);
    expect(cut.length).toBeGreaterThan(8);
    expect(cut.length).toBeLessThan(15);
    // In the second chunk lies the large picture alone, in the last one the list of entries and the
    // end of that picture.
    for (const at of [67_000, bytes.length - 50]) {
      const flipped = Buffer.from(bytes);
      flipped[at] = (flipped[at] ?? 0) ^ 1;
      await writeFile(file, flipped);
      expect(await readable(maker, keys)).toHaveLength(14);
    }
  });
});

describe("rows of a damaged archive", () => {
  const row = (at: number, path = `media/${at}`) => ({
    sha256: sha256Of(Buffer.from(`${at}`)),
    size: at,
    archive: "a.zip",
    path,
  });

  it("are read as they come, without a flush between them too, as in archives of early versions", async () => {
    const count = 20_000;
    const lines = Array.from({ length: count }, (_, at) => `${JSON.stringify(row(at))}\n`);
    const pieces: Buffer[] = [];
    const zip = new ZipWriter(async (bytes) => void pieces.push(Buffer.from(bytes)));
    await zip.deflateStream("media.ndjson", Readable.from(lines.map((line) => Buffer.from(line))), { level: 6 });
    await zip.finish();
    const bytes = Buffer.concat(pieces);
    let furthest = 0;
    const source = {
      read: async (into: Buffer, offset: number, length: number, from: number) => {
        furthest = Math.max(furthest, from + length);
        return { bytesRead: bytes.copy(into, offset, from, from + length) };
      },
    };
    const remains = await SalvagedArchive.of(new ArchiveFile(source, bytes.length), "a.zip");
    furthest = 0;
    let found = 0;
    for await (const piece of remains.remnants("media.ndjson")) {
      if (found === 0) expect(furthest).toBeLessThan(bytes.length / 8);
      found += piece.toString().split("\n").length - 1;
    }
    expect(found).toBe(count + 1);
  });

  it("are never longer than a row may be", async () => {
    const path = join(await temporaryFolder(), "archive.zip");
    const content = [row(1), row(2, "x".repeat(2 * 1024 * 1024)), row(3)].map((one) => `${JSON.stringify(one)}\n`);
    await writeArchive(path, [{ path: "media.ndjson", content: Readable.from(content) }]);
    const bytes = await readFile(path);
    const source = {
      read: async (into: Buffer, offset: number, length: number, from: number) => ({
        bytesRead: bytes.copy(into, offset, from, from + length),
      }),
    };
    const remains = await SalvagedArchive.of(new ArchiveFile(source, bytes.length), "archive.zip");
    const sizes: number[] = [];
    for await (const found of remainingRows(remains, "media.ndjson", mediaRowSchema)) sizes.push(found.row.size);
    expect(sizes).toEqual([1, 3]);
  });
});
