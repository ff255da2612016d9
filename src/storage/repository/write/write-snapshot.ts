import { createHash } from "node:crypto";
import { basename, dirname } from "node:path";
import { Readable } from "node:stream";
import type { SiteIdentity } from "../../../core/model/identity.js";
import type { NewEntry } from "../../archive/write-archive.js";
import { LocalFolder } from "../files/local-folder.js";
import {
  type ArchiveFile,
  type Manifest,
  type ManifestNotes,
  PART_BYTES,
  REPOSITORY_FORMAT,
  type SnapshotCounts,
  type SnapshotIndex,
  type SnapshotKind,
} from "../format.js";
import {
  type Draft,
  type Drafted,
  lineOf,
  type NewContent,
  type Outline,
  outlineOf,
  rowsIn,
  sortDrafts,
  withNews,
} from "./drafts.js";
import type { LineSorter } from "./line-sorter.js";
import { deletionsOf, distanceOf, type FilesPlan, type WrittenParts, writeAlone, writeFiles } from "./write-files.js";

/**
 * Writes a snapshot in the order of docs/design/repository.md, "The folder"; after a kill,
 * `recover` completes or removes it. Throws ContentError when a content does not match its row,
 * ArchiveError for the disk (exit 4 when it is full, before or while writing), and the errors of
 * `drafts`, `open` and `beforeCommit`; then the snapshot does not exist.
 */
export async function writeSnapshot(plan: SnapshotPlan): Promise<SnapshotIndex> {
  const drafted = await sortDrafts(plan.drafts, plan.scratch);
  try {
    const limits = { bytes: plan.partBytes ?? PART_BYTES, entries: plan.partEntries ?? PART_ENTRIES };
    const outline = withNews(await outlineOf(drafted, limits), plan.counts);
    return await writeFiles(plan, drafted, outline, (written) =>
      manifestEntries({ plan, drafted, outline, ...written }),
    );
  } finally {
    await drafted.close();
  }
}

/** A snapshot as one file outside a repository. */
type ArchivePlan = Omit<SnapshotPlan, "kind" | "storage" | "archives" | "partBytes" | "partEntries" | "beforeCommit">;

/**
 * Writes a snapshot as one full archive in one part of any size, which needs no other archive.
 * `path` is replaced completely or not at all. Rows contain the name that the archive would have in
 * a repository. Every draft must have `write`. Throws as `writeSnapshot`.
 */
export async function writeArchiveOf(plan: ArchivePlan, path: string): Promise<ArchiveFile> {
  const drafted = await sortDrafts(plan.drafts, plan.scratch);
  try {
    const outline = withNews(await outlineOf(drafted, WHOLE), plan.counts);
    const whole: SnapshotPlan = { ...plan, kind: "full", storage: new LocalFolder(dirname(path)), archives: new Map() };
    return await writeAlone(whole, drafted, outline, {
      file: basename(path),
      ending: (written) => manifestEntries({ plan: whole, drafted, outline, ...written }),
    });
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
    return await writeFiles({ ...plan, kind: "repair" }, drafted, outline, async function* () {
      // It has no manifest: contents are found by their names.
    });
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
  /** A folder for sorting rows, which contain titles. */
  readonly scratch: string;
  /** Default PART_BYTES and PART_ENTRIES. */
  readonly partBytes?: number;
  readonly partEntries?: number;
}

interface Manifested extends WrittenParts {
  readonly plan: SnapshotPlan;
  readonly drafted: Drafted;
  readonly outline: Outline;
}

/** The end of a main archive: the rows of all items and media, then the manifest. */
async function* manifestEntries(manifested: Manifested): AsyncGenerator<NewEntry> {
  const { drafted, archiveOf } = manifested;
  const items = rowLines(drafted.items, archiveOf);
  yield { path: "items.ndjson", content: items.content };
  const media = rowLines(drafted.media, archiveOf);
  yield { path: "media.ndjson", content: media.content };
  const manifest = manifestOf(manifested, items.facts(), media.facts());
  yield { path: "manifest.json", content: `${JSON.stringify(manifest, null, 2)}\n` };
}

function manifestOf(
  { plan, outline, parts, archiveOf, finished }: Manifested,
  items: Manifest["items"],
  media: Manifest["media"],
): Manifest {
  const { madeBy, name, snapshot, kind, previous, site, started, complete, failures, privateIncluded } = plan;
  return {
    format: REPOSITORY_FORMAT,
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
    items,
    media,
  };
}

/** Lines of JSON that are counted and hashed while they are read. */
interface RowLines {
  readonly content: Readable;
  /** Call it after the content was read to its end. */
  readonly facts: () => { readonly count: number; readonly sha256: string };
}

/** Characters of whole rows in one piece. Each piece can be unpacked alone (salvage.ts). */
const GIVEN_AT_ONCE = 32 * 1024;

function rowLines(sorter: LineSorter, archiveOf: (path: string) => string): RowLines {
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
