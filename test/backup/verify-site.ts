import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import type { RepositoryCheck, Thoroughness } from "../../src/backup/verify/repository-check.js";
import { verifyRepository } from "../../src/backup/verify/verify-repository.js";
import { writeArchive } from "../../src/storage/archive/write-archive.js";
import { indexName } from "../../src/storage/repository/names.js";
import { openRepository } from "../../src/storage/repository/read/open-repository.js";
import type { RepositoryKeys } from "../../src/storage/repository/read/repository-keys.js";
import { contentPlaces } from "../helpers/content-places.js";
import { guideItem, mediaItem } from "../helpers/items.js";
import { type Maker, makeRepository, NAME, sha256Of } from "../helpers/repository.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";
import "../helpers/seed.js";

export const [FIRST, SECOND, THIRD] = ["20261101T030000Z", "20261102T030000Z", "20261103T030000Z"] as const;
export const NIGHTS = [FIRST, SECOND, THIRD];
export const PICTURE = Buffer.alloc(3000, "picture");
const OTHER = Buffer.from("another picture");
export const BYTES: Thoroughness = { kind: "bytes" };

export async function threeNights(lock: Parameters<typeof makeRepository>[1] = null): Promise<Maker> {
  const maker = await makeRepository(await temporaryFolder(), lock);
  const content = { sha256: sha256Of(PICTURE), size: PICTURE.length, type: "image/png" };
  const guides = Array.from({ length: 8 }, (_, id) =>
    guideItem(id + 1, { introduction: `Words of ${id} `.repeat(id * 9) }),
  );
  const image = mediaItem("image", 5, { content });
  await maker.add({ snapshot: FIRST, items: [...guides, image], media: [PICTURE], parts: 1 });
  const changed = [guideItem(1, { title: "Changed" }), ...guides.slice(1), image];
  await maker.add({ snapshot: SECOND, items: changed, media: [PICTURE, OTHER] });
  await maker.add({ snapshot: THIRD, items: changed.slice(1), media: [PICTURE] });
  return maker;
}

export async function check(folder: string, thoroughness = BYTES, keys?: RepositoryKeys): Promise<RepositoryCheck> {
  const repository = await openRepository(folder, { keys });
  try {
    const signal = new AbortController().signal;
    return await verifyRepository(repository, { thoroughness, hasKeys: keys !== undefined, signal });
  } finally {
    await repository.close();
  }
}

export function wholeOf({ snapshots }: RepositoryCheck): readonly boolean[] {
  return snapshots.map(({ whole }) => whole);
}

export function archiveOf({ indexes }: Maker, snapshot: string, at = -1): string {
  return indexes.get(snapshot)?.archives.at(at)?.name ?? "";
}

interface Stretch {
  readonly at: number;
  readonly length: number;
}

export async function flip(file: string, { at, length }: Stretch): Promise<void> {
  const bytes = await readFile(file);
  const place = at + Math.floor(length / 2);
  bytes[place] = (bytes[place] ?? 0) ^ 1;
  await writeFile(file, bytes);
}

export async function placeIn(maker: Maker, name: string): Promise<Stretch> {
  const place = (await contentPlaces(maker)).find((one) => one.name === name);
  if (place === undefined) throw new Error(`${name} is nowhere`);
  return { at: place.from, length: place.to - place.from };
}

/**
 * Other contents in a main archive whose file and index agree: as a defect of the writer, or
 * somebody's hand, would leave it.
 */
export async function rewrite(
  maker: Maker,
  snapshot: string,
  changed: RegExp,
  change: (text: string) => string,
): Promise<void> {
  const repository = await openRepository(maker.folder);
  const name = archiveOf(maker, snapshot);
  const contents = await repository.pool.use(name, async ({ entries, content }) => {
    const all: { path: string; content: Buffer }[] = [];
    for (const { path } of entries) all.push({ path, content: await buffer(content(path)) });
    return all;
  });
  await repository.close();
  const file = join(maker.folder, name);
  await writeArchive(
    file,
    contents.map(({ path, content }) => ({
      path,
      content: changed.test(path) ? change(content.toString()) : content,
    })),
  );
  const bytes = await readFile(file);
  const index = maker.indexes.get(snapshot);
  const archives = index?.archives.map((archive) =>
    archive.name === name ? { ...archive, bytes: bytes.length, sha256: sha256Of(bytes) } : archive,
  );
  await writeFile(join(maker.folder, indexName(NAME, snapshot)), JSON.stringify({ ...index, archives }));
}
