import { createHash } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { Readable } from "node:stream";
import type { SiteIdentity } from "../../../core/model/identity.js";
import { parseJson } from "../../../core/util/json.js";
import { onDisk } from "../../archive/disk-error.js";
import { type NewEntry, PackedRows } from "../../archive/write-archive.js";
import { LocalFolder } from "../files/local-folder.js";
import {
  type ArchiveFile,
  type BaseRows,
  EXPORT_FORMAT,
  type Manifest,
  type ManifestNotes,
  needsWith,
  REPOSITORY_FORMAT,
  type SnapshotCounts,
  type SnapshotIndex,
  type SnapshotKind,
} from "../format.js";
import { PART_BYTES } from "../names.js";
import { isDamage } from "../read/damage.js";
import { type Base, ROW_FILES, type RowFile } from "../read/row-files.js";
import { blocksOf } from "../read/rows.js";
import {
  type Draft,
  type Drafted,
  lineOf,
  type NewContent,
  type Outline,
  outlineOf,
  removedRow,
  rowIn,
  rowsIn,
  sortDrafts,
  withNews,
} from "./drafts.js";
import { LineSorter, type SortedLine } from "./line-sorter.js";
import {
  deletionsOf,
  distanceOf,
  type FilesPlan,
  type RowEntries,
  type RowsPlace,
  type WrittenParts,
  writeAlone,
  writeFiles,
} from "./write-files.js";

/**
 * Writes a snapshot in the order of docs/design/repository.md, "The folder"; after a kill,
 * `recover` completes or removes it. Throws ContentError when a content does not match its row,
 * ArchiveError for the disk (exit 4 when it is full, before or while writing), and the errors of
 * `drafts`, `open` and `beforeCommit`; then the snapshot does not exist.
 */
export async function writeSnapshot(plan: SnapshotPlan): Promise<SnapshotIndex> {
  const drafted = await sortDrafts(plan.drafts, plan.scratch);
  let difference: Difference | undefined;
  let rows: SnapshotRows | undefined;
  try {
    const limits = { bytes: plan.partBytes ?? PART_BYTES, entries: plan.partEntries ?? PART_ENTRIES };
    const outlined = withNews(await outlineOf(drafted, limits), plan.counts);
    difference = await differenceFrom(plan, drafted);
    const outline = { ...outlined, needs: needsWith(outlined.needs, difference?.base) };
    rows = new SnapshotRows(difference ?? drafted, { plan, outline, base: difference?.base });
    return await writeFiles(plan, drafted, outline, rows);
  } finally {
    await rows?.close();
    await difference?.close();
    await drafted.close();
  }
}

/** A full snapshot needs no other archive, not even for its rows. */
async function differenceFrom(plan: SnapshotPlan, drafted: Drafted): Promise<Difference | undefined> {
  return plan.kind === "full" || plan.base === undefined ? undefined : differenceOf(drafted, plan.base, plan.scratch);
}

/** A snapshot as one file outside a repository, in the form of EXPORT_FORMAT. */
type ArchivePlan = Omit<
  SnapshotPlan,
  "kind" | "storage" | "archives" | "partBytes" | "partEntries" | "beforeCommit" | "read" | "base" | "keepRows"
>;

/**
 * Writes a snapshot as one full archive in one part of any size, which needs no other archive.
 * `path` is replaced completely or not at all. Rows contain the name that the archive would have in
 * a repository. Every draft must have `write`. Throws as `writeSnapshot`.
 */
export async function writeArchiveOf(plan: ArchivePlan, path: string): Promise<ArchiveFile> {
  const drafted = await sortDrafts(plan.drafts, plan.scratch);
  try {
    const outline = withNews(await outlineOf(drafted, WHOLE), plan.counts);
    const storage = new LocalFolder(dirname(path));
    const whole: SnapshotPlan = { ...plan, kind: "full", storage, archives: new Map(), read: undefined };
    const rows = new SnapshotRows(drafted, { plan: whole, outline, base: undefined });
    return await writeAlone(whole, drafted, outline, { file: basename(path), rows });
  } finally {
    await drafted.close();
  }
}

const WHOLE = { bytes: Number.POSITIVE_INFINITY, entries: Number.POSITIVE_INFINITY };

/** Contents to replace damaged ones in other archives. */
interface RepairPlan extends Omit<FilesPlan, "kind"> {
  /** Each once, with the path in its row, unordered. */
  readonly contents: AsyncIterable<NewContent> | Iterable<NewContent>;
  readonly scratch: string;
}

/** Writes contents into a repair archive with an index. Throws as `writeSnapshot`. */
export async function writeRepairArchive(plan: RepairPlan): Promise<SnapshotIndex> {
  const drafted = await sortDrafts(draftsOf(plan.contents), plan.scratch);
  try {
    const outline = await outlineOf(drafted, { bytes: PART_BYTES, entries: PART_ENTRIES });
    // It has no rows and no manifest: contents are found by their names.
    return await writeFiles({ ...plan, kind: "repair" }, drafted, outline, null);
  } finally {
    await drafted.close();
  }
}

/** All contents as media: only the bytes matter, and items with equal bytes are one content. */
async function* draftsOf(contents: RepairPlan["contents"]) {
  for await (const medium of contents) yield { medium, write: true, change: null } as const;
}

export interface SnapshotPlan extends Omit<FilesPlan, "kind">, ManifestNotes {
  readonly kind: SnapshotKind;
  readonly site: SiteIdentity;
  readonly failures: Manifest["failures"];
  readonly privateIncluded: Manifest["privateIncluded"];
  readonly personalData: readonly string[];
  /** Every row of the whole state, unordered; read once. */
  readonly drafts: AsyncIterable<Draft> | Iterable<Draft>;
  /** The changes when the snapshot was first written; default: those of the drafts. */
  readonly counts?: Pick<SnapshotCounts, "new" | "changed" | "deleted" | "newMedia">;
  /** The files of other snapshots in drafts, by name, for the manifest. */
  readonly archives: ReadonlyMap<string, ArchiveFile>;
  /** UNIX seconds: the `read` of drafts that are `compared`. Default: there are none. */
  readonly read?: number | undefined;
  /** Whole rows that may remain where they are. Default: the snapshot gets whole rows. */
  readonly base?: Base | undefined;
  /** A folder where whole rows are kept in addition, for a later `base`. Default: none. */
  readonly keepRows?: string | undefined;
  /** A folder for sorting rows, which contain titles. */
  readonly scratch: string;
  /** Default PART_BYTES and PART_ENTRIES. */
  readonly partBytes?: number;
  readonly partEntries?: number;
}

interface Described {
  readonly plan: SnapshotPlan;
  readonly outline: Outline;
  /** The base of the rows; undefined: they are whole. */
  readonly base: BaseRows | undefined;
}

/** The rows and the manifest of a snapshot, as the entries at the end of its archives. */
class SnapshotRows implements RowEntries {
  readonly #rows: Pick<Drafted, "items" | "media">;
  readonly #described: Described;
  #facts: Pick<Manifest, "items" | "media"> | undefined;
  /** The entries with whole rows, packed for both archives, and the folder with their files. */
  #packed: Readonly<Record<RowFile, NewEntry>> | undefined;
  #folder: string | undefined;

  constructor(rows: Pick<Drafted, "items" | "media">, described: Described) {
    this.#rows = rows;
    this.#described = described;
  }

  get isWhole(): boolean {
    return this.#described.base === undefined;
  }

  *copy(): Generator<NewEntry> {
    for (const of of FILES) if (this.#packed !== undefined) yield this.#packed[of];
  }

  async *main(written: WrittenParts): AsyncGenerator<NewEntry> {
    const { archiveOf, copy } = written;
    const [items, media] = [this.#file("items", archiveOf), this.#file("media", archiveOf)];
    if (copy !== null) this.#packed = { items: await this.#pack(items.entry), media: await this.#pack(media.entry) };
    yield this.#packed?.items ?? items.entry;
    yield this.#packed?.media ?? media.entry;
    this.#facts = { items: items.facts(), media: media.facts() };
    const manifest = manifestOf(this.#described, written, { ...this.#facts, ...this.place(written.copy) });
    yield { path: "manifest.json", content: `${JSON.stringify(manifest, null, 2)}\n` };
    const { keepRows } = this.#described.plan;
    if (keepRows !== undefined && this.isWhole) await this.#keep(keepRows, archiveOf);
  }

  place(copy: string | null): RowsPlace {
    const { base } = this.#described;
    if (base !== undefined) return { base };
    if (copy === null || this.#facts === undefined) return {};
    return { whole: { copy, ...this.#facts } };
  }

  #file(of: RowFile, archiveOf: WrittenParts["archiveOf"]): RowLines {
    const { content, facts } = rowLines(this.#rows[of], archiveOf);
    return { entry: { path: ROW_FILES[of].path, content }, facts };
  }

  async #pack({ path, content }: RowLines["entry"]): Promise<NewEntry> {
    const { scratch } = this.#described.plan;
    this.#folder ??= await onDisk(`packing rows in ${scratch}`, mkdtemp(join(scratch, "rows-")));
    return { path, content: await PackedRows.pack(content, join(this.#folder, path)) };
  }

  async close(): Promise<void> {
    if (this.#folder !== undefined) await rm(this.#folder, { recursive: true, force: true });
  }

  /** Files without a sync: their sha256 shows later whether they are complete. */
  async #keep(folder: string, archiveOf: WrittenParts["archiveOf"]): Promise<void> {
    await onDisk(`creating ${folder}`, mkdir(folder, { recursive: true, mode: 0o700 }));
    for (const of of FILES) {
      const { path, content } = this.#file(of, archiveOf).entry;
      const file = join(folder, path);
      await onDisk(`writing ${file}`, writeFile(file, content, { mode: 0o600 }));
    }
  }
}

const FILES = ["items", "media"] as const;

function manifestOf(
  { plan, outline, base }: Described,
  { parts, archiveOf, finished }: WrittenParts,
  rows: RowsPlace & Pick<Manifest, "items" | "media">,
): Manifest {
  const { madeBy, name, snapshot, kind, previous, site, started, complete, failures, privateIncluded } = plan;
  const isExport = base === undefined && rows.whole === undefined;
  return {
    format: isExport ? EXPORT_FORMAT : REPOSITORY_FORMAT,
    madeBy,
    name,
    snapshot,
    kind,
    ...distanceOf(plan),
    previous,
    site: { ...site, hosts: [...site.hosts], languages: [...site.languages] },
    started: started.toISOString(),
    finished: finished.toISOString(),
    complete,
    ...deletionsOf(plan),
    failures,
    privateIncluded,
    personalData: [...plan.personalData],
    leftOut: plan.leftOut,
    refused: plan.refused,
    kept: plan.kept,
    reading: plan.reading,
    counts: outline.counts,
    archives: [
      ...outline.needs.map(({ archive }) => {
        const file = plan.archives.get(archive);
        return { name: archive, bytes: file?.bytes ?? null, sha256: file?.sha256 ?? null };
      }),
      ...parts.map(({ name: file, bytes, sha256 }) => ({ name: file, bytes, sha256 })),
      { name: archiveOf("\uffff"), bytes: null, sha256: null },
    ],
    read: plan.read,
    ...rows,
  };
}

/** Lines of JSON that are counted and hashed while they are read. */
interface RowLines {
  readonly entry: { readonly path: string; readonly content: Readable };
  /** Call it after the content was read to its end. */
  readonly facts: () => { readonly count: number; readonly sha256: string };
}

/** Characters of whole rows in one piece. Each piece can be unpacked alone (salvage.ts). */
const GIVEN_AT_ONCE = 32 * 1024;

function rowLines(
  sorter: LineSorter,
  archiveOf: (path: string) => string,
): Pick<RowLines, "facts"> & Pick<RowLines["entry"], "content"> {
  const hash = createHash("sha256");
  let count = 0;
  async function* pieces(): AsyncGenerator<Buffer> {
    let text = "";
    for await (const rows of rowsIn(sorter))
      for (const row of rows) {
        text += `${lineOf(row, archiveOf)}\n`;
        count += 1;
        if (text.length < GIVEN_AT_ONCE) continue;
        yield hashed(text);
        text = "";
      }
    if (text !== "") yield hashed(text);
  }
  const hashed = (text: string): Buffer => {
    const bytes = Buffer.from(text);
    hash.update(bytes);
    return bytes;
  };
  return {
    content: Readable.from(pieces(), { objectMode: false }),
    facts: () => ({ count, sha256: hash.copy().digest("hex") }),
  };
}

/** The limit of contents in a part, because the list of entries stays in memory until its end. */
const PART_ENTRIES = 8000;

/** The rows that differ from those of a base, sorted on the disk. */
interface Difference extends Pick<Drafted, "items" | "media" | "close"> {
  readonly base: BaseRows;
}

/** A snapshot with more differences, as a share of the rows of its base, gets whole rows. */
const LARGEST_SHARE = 1 / 8;
/** So many differences are always allowed: whole rows need another archive for their copy. */
const FEW = 100;

/**
 * The rows that differ from those of the base, and marks for rows that only the base has. A row in
 * which only its own `read` differs is equal. undefined: there are too many, or the base is
 * damaged.
 */
async function differenceOf(drafted: Drafted, base: Base, scratch: string): Promise<Difference | undefined> {
  const sorters = { items: new LineSorter(scratch), media: new LineSorter(scratch) };
  const close = async (): Promise<void> => {
    await sorters.items.close();
    await sorters.media.close();
  };
  let left = Math.max(FEW, (base.items.count + base.media.count) * LARGEST_SHARE);
  let isDone = false;
  try {
    for (const of of ["items", "media"] as const) {
      const lines = blocksOf(base.rows(of), `the rows of ${base.archive}`);
      for await (const row of differing(drafted[of], lines, ROW_FILES[of].field)) {
        left -= 1;
        if (left < 0) return undefined;
        await sorters[of].add(row.key, row.line);
      }
    }
    isDone = true;
    const { snapshot, archive, copy, items, media } = base;
    return { ...sorters, close, base: { snapshot, archive, copy, items, media } };
  } catch (error) {
    if (isDamage(error)) return undefined;
    throw error;
  } finally {
    if (!isDone) await close();
  }
}

async function* differing(
  sorter: LineSorter,
  blocks: AsyncGenerator<Buffer>,
  field: string,
): AsyncGenerator<SortedLine> {
  const base = new BaseLines(blocks, field);
  const removed = (key: string): SortedLine => ({ key, line: removedRow(field, key) });
  try {
    await base.refill();
    for await (const rows of sorter.sorted())
      for (const sorted of rows) {
        const row = rowIn(sorted.line);
        // Its archive has no name yet, and is not that of the base.
        const line = row.write ? undefined : lineOf(row, () => "");
        for (; base.hasBefore(sorted.key, line); await base.pass()) yield removed(base.key());
        const isThere = base.line !== undefined && (base.line === line || base.key() === sorted.key);
        if (!isThere || line === undefined || !isSame(line, base.line)) yield sorted;
        if (isThere) await base.pass();
      }
    for (; base.line !== undefined; await base.pass()) yield removed(base.key());
  } finally {
    await blocks.return(undefined);
  }
}

/** The lines of a file of rows. Only the keys of lines without an equal one are parsed. */
class BaseLines {
  readonly #blocks: AsyncGenerator<Buffer>;
  readonly #field: string;
  #held: readonly string[] = [];
  #at = 0;
  /** undefined: at the end. */
  line: string | undefined;

  constructor(blocks: AsyncGenerator<Buffer>, field: string) {
    this.#blocks = blocks;
    this.#field = field;
  }

  key(): string {
    return String(Reflect.get(Object(parseJson(this.line ?? "")), this.#field));
  }

  /** Does the line come before this key? `line`: that of the key. */
  hasBefore(key: string, line: string | undefined): boolean {
    return this.line !== undefined && this.line !== line && this.key() < key;
  }

  async pass(): Promise<void> {
    this.#at += 1;
    this.line = this.#held[this.#at];
    if (this.line === undefined) await this.refill();
  }

  async refill(): Promise<void> {
    const { done, value } = await this.#blocks.next();
    this.#held = done === true ? [] : value.toString("utf8", 0, value.length - 1).split("\n");
    this.#at = 0;
    this.line = this.#held[0];
  }
}

/** A row without `read` was compared when its snapshot was taken, one with it was not. */
function isSame(line: string, other: string | undefined): boolean {
  if (line === other) return true;
  const [one, two] = [withoutRead(line), withoutRead(other ?? "")];
  return one.hasRead && two.hasRead && one.text === two.text;
}

function withoutRead(line: string): { readonly text: string; readonly hasRead: boolean } {
  const { read, ...fields } = Object(parseJson(line));
  return { text: JSON.stringify(fields), hasRead: read !== undefined };
}
