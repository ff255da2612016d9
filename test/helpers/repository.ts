import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Encrypter } from "age-encryption";
import { type NewEntry, writeArchive } from "../../src/storage/archive/write-archive.js";
import {
  type ArchiveFile,
  EXPORT_FORMAT,
  type ItemRow,
  type Manifest,
  type MediaRow,
  type SnapshotId,
  type SnapshotIndex,
  type SnapshotKind,
} from "../../src/storage/repository/format.js";
import { archiveName, indexName, timeOf } from "../../src/storage/repository/names.js";
import { by, itemRows, mediaRows, type Night, sha256Of, type Unwritten, unwritten } from "./repository-rows.js";

export { type Night, sha256Of, textOf } from "./repository-rows.js";

// Writes repositories by README.md of src/storage/repository alone, apart from the writer: what
// both agree on is the format.

export const NAME = "site.example";

export interface Maker {
  readonly folder: string;
  /** Every place that any snapshot names, by snapshot and key or sha256. */
  readonly rows: Map<SnapshotId, Rows>;
  readonly indexes: Map<SnapshotId, SnapshotIndex>;
  add(night: Night): Promise<SnapshotIndex>;
}

interface Rows {
  readonly items: readonly ItemRow[];
  readonly media: readonly MediaRow[];
}

type Lock = { readonly recipients: readonly string[] } | { readonly passphrase: string };

/** Begins a repository in a folder; `lock`: its archives are encrypted. */
export async function makeRepository(folder: string, lock: Lock | null = null): Promise<Maker> {
  await mkdir(folder, { recursive: true });
  const stamp = {
    format: EXPORT_FORMAT,
    name: NAME,
    created: "2026-11-01T03:00:00.000Z",
    madeBy: "guideferry test",
  };
  await writeFile(join(folder, "repository.json"), JSON.stringify(stamp));
  const maker: Maker = { folder, rows: new Map(), indexes: new Map(), add: (night) => addNight(maker, night, lock) };
  return maker;
}

/**
 * What the archives hold since the last full snapshot: an item that is again as it was is not
 * written again.
 */
function knownSince({ rows, indexes }: Maker): Rows {
  const nights = [...rows.keys()];
  const chain = nights.slice(nights.findLastIndex((id) => indexes.get(id)?.kind === "full"));
  const all = chain.flatMap((id) => rows.get(id) ?? []);
  return { items: all.flatMap(({ items }) => items), media: all.flatMap(({ media }) => media) };
}

async function addNight(maker: Maker, night: Night, lock: Lock | null): Promise<SnapshotIndex> {
  const previous = [...maker.indexes.keys()].at(-1) ?? null;
  const kind = night.kind ?? (previous === null ? "full" : "incremental");
  const before = previous === null ? { items: [], media: [] } : (maker.rows.get(previous) ?? { items: [], media: [] });
  const known = kind === "full" ? { items: [], media: [] } : knownSince(maker);
  const fresh = unwritten(night, known);
  const count = Math.min(night.parts ?? 0, fresh.length);
  const names = Array.from({ length: count + 1 }, (_, at) =>
    archiveName({ ...night, name: NAME, kind, part: at === count ? null : at + 1, encrypted: lock !== null }),
  );
  const groups = names.map((_, at) =>
    fresh.filter((_content, index) => Math.floor((index * (count + 1)) / fresh.length) === at),
  );
  const placed = new Map(groups.flatMap((group, at) => group.map(({ path }) => [path, names[at] ?? ""] as const)));
  const items = itemRows(night, before.items, known.items, placed);
  const media = mediaRows(night, known.media, placed);
  const counts = countsOf(night, { items, media }, before);
  maker.rows.set(night.snapshot, { items, media });
  const files: ArchiveFile[] = [];
  for (const [at, name] of names.slice(0, -1).entries())
    files.push(await archive(maker, name, entries(groups[at]), lock));
  const manifest = manifestOf(night, {
    counts,
    kind,
    previous,
    items,
    media,
    files: archivesOf(maker, files),
    main: names.at(-1) ?? "",
  });
  const last = [
    ...entries(groups.at(-1)),
    ...rowEntries(items, media),
    { path: "manifest.json", content: JSON.stringify(manifest) },
  ];
  files.push(await archive(maker, names.at(-1) ?? "", last, lock));
  const index = indexOf(manifest, files, [...items, ...media], lock !== null);
  await writeFile(join(maker.folder, indexName(NAME, night.snapshot)), JSON.stringify(index));
  maker.indexes.set(night.snapshot, index);
  return index;
}

function entries(group: readonly Unwritten[] = []): readonly NewEntry[] {
  return [{ path: "README.txt", content: "A backup.\n" }, ...group];
}

function rowEntries(items: readonly ItemRow[], media: readonly MediaRow[]): readonly NewEntry[] {
  return [
    { path: "items.ndjson", content: linesOf(items) },
    { path: "media.ndjson", content: linesOf(media.map(({ sha256, ...rest }) => ({ sha256, ...rest }))) },
  ];
}

function linesOf(rows: readonly object[]): string {
  return rows.map((row) => `${JSON.stringify(row)}\n`).join("");
}

function archivesOf(maker: Maker, own: readonly ArchiveFile[]): readonly ArchiveFile[] {
  return [...[...maker.indexes.values()].flatMap(({ archives }) => archives), ...own];
}

interface Described {
  readonly counts: Manifest["counts"];
  readonly kind: SnapshotKind;
  readonly previous: SnapshotId | null;
  readonly items: readonly ItemRow[];
  readonly media: readonly MediaRow[];
  readonly files: readonly ArchiveFile[];
  readonly main: string;
}

function manifestOf(night: Night, { counts, kind, previous, items, media, files, main }: Described): Manifest {
  const named = new Set([...items, ...media].flatMap((row) => ("archive" in row ? [row.archive] : [])));
  const rows = (list: readonly object[]): Manifest["items"] => ({
    count: list.length,
    sha256: sha256Of(Buffer.from(linesOf(list))),
  });
  const time = timeOf(night.snapshot).toISOString();
  return {
    format: EXPORT_FORMAT,
    madeBy: "guideferry test",
    name: NAME,
    snapshot: night.snapshot,
    kind,
    previous,
    site: SITE,
    started: time,
    finished: time,
    complete: night.complete ?? true,
    failures: [],
    privateIncluded: "yes",
    personalData: [],
    counts,
    archives: [...named].toSorted().map((name) => {
      const file = files.find((one) => one.name === name);
      return {
        name,
        bytes: name === main ? null : (file?.bytes ?? null),
        sha256: name === main ? null : (file?.sha256 ?? null),
      };
    }),
    items: rows(items),
    media: rows(media),
  };
}

function countsOf(night: Night, { items, media }: Rows, before: Rows): Manifest["counts"] {
  const old = new Map(before.items.flatMap((row) => (row.state === "present" ? [[row.key, row.sha256]] : [])));
  const present = items.filter((row) => row.state === "present");
  return {
    present: present.length,
    new: present.filter(({ key }) => !old.has(key)).length,
    changed: present.filter(({ key, sha256 }) => old.has(key) && old.get(key) !== sha256).length,
    deleted: items.filter((row) => row.state === "deleted" && row.deleted === night.snapshot).length,
    media: media.length,
    mediaBytes: media.reduce((sum, { size }) => sum + size, 0),
    newMedia: media.filter(({ sha256 }) => !before.media.some((row) => row.sha256 === sha256)).length,
  };
}

function indexOf(
  manifest: Manifest,
  archives: readonly ArchiveFile[],
  rows: readonly (ItemRow | MediaRow)[],
  encrypted: boolean,
): SnapshotIndex {
  const own = new Set(archives.map(({ name }) => name));
  const needs = new Map<string, { archive: string; contents: number; bytes: number }>();
  for (const row of rows) {
    if (!("archive" in row) || own.has(row.archive)) continue;
    const sum = needs.get(row.archive) ?? { archive: row.archive, contents: 0, bytes: 0 };
    needs.set(row.archive, { ...sum, contents: sum.contents + 1, bytes: sum.bytes + row.size });
  }
  const { format, madeBy, name, snapshot, kind, previous, started, finished, complete, counts } = manifest;
  const facts = { format, madeBy, name, snapshot, kind, previous, started, finished, complete, counts, encrypted };
  return { ...facts, archives: [...archives], needs: [...needs.values()].toSorted(by(({ archive: file }) => file)) };
}

async function archive(
  maker: Maker,
  name: string,
  content: readonly NewEntry[],
  lock: Lock | null,
): Promise<ArchiveFile> {
  const path = join(maker.folder, name);
  if (lock === null) {
    await writeArchive(path, content);
    const bytes = await readFile(path);
    return { name, bytes: bytes.length, sha256: sha256Of(bytes), plain: null };
  }
  await writeArchive(`${path}.plain`, content);
  const plain = await readFile(`${path}.plain`);
  await rm(`${path}.plain`);
  const bytes = await encrypted(plain, lock);
  await writeFile(path, bytes);
  const facts = { bytes: plain.length, sha256: sha256Of(plain) };
  return { name, bytes: bytes.length, sha256: sha256Of(bytes), plain: facts };
}

async function encrypted(plain: Buffer, lock: Lock): Promise<Buffer> {
  const encrypter = new Encrypter();
  if ("passphrase" in lock) {
    encrypter.setPassphrase(lock.passphrase);
    encrypter.setScryptWorkFactor(10);
  } else for (const recipient of lock.recipients) encrypter.addRecipient(recipient);
  return Buffer.from(await encrypter.encrypt(plain));
}

const SITE: Manifest["site"] = {
  root: "https://site.example/api/2.0",
  origin: "https://site.example",
  siteId: "1",
  name: "Example",
  dialect: "dozuki",
  hosts: ["site.example"],
  language: "en",
  languages: ["en"],
  account: null,
};
