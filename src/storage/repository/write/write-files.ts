import { createHash } from "node:crypto";
import { join } from "node:path";
import { ArchiveError, EXIT, FerryError } from "../../../core/errors.js";
import { withCommas } from "../../../core/util/printable-text.js";
import { type NewEntry, packInto } from "../../archive/write-archive.js";
import type { FileFacts, RepositoryStorage, StagedFile } from "../files/repository-storage.js";
import {
  type ArchiveFile,
  type BaseRows,
  type Deletions,
  REPOSITORY_FORMAT,
  type SnapshotId,
  type SnapshotIndex,
  type SnapshotKind,
} from "../format.js";
import { indexText, writeHead } from "../index-files.js";
import { archiveName, indexName } from "../names.js";
import { Sealer } from "../read/byte-source.js";
import { checkedContent } from "./checked-content.js";
import { ContentQueue, type Drafted, fileOf, type NewContent, type OpenContent, type Outline } from "./drafts.js";
import type { Encryption } from "./encryption.js";
import { raiseFormat } from "./stamp.js";

export interface FilesPlan extends Deletions {
  /** The repository. The caller holds its lease and has called `recover`. */
  readonly storage: RepositoryStorage;
  readonly name: string;
  readonly snapshot: SnapshotId;
  readonly kind: SnapshotIndex["kind"];
  /** Snapshots since the last full one, with this one. Ignored for a full one. */
  readonly sinceFull?: number | undefined;
  /** See SnapshotIndex. */
  readonly fullDue?: number | undefined;
  readonly previous: SnapshotId | null;
  readonly madeBy: string;
  readonly started: Date;
  readonly complete: boolean;
  /** Returns the bytes of a content, which are checked against its size and sha256. */
  readonly open: OpenContent;
  /** null: plain zips. */
  readonly encryption: Encryption | null;
  /** The clock; default: the system's. */
  readonly now?: () => Date;
  readonly signal?: AbortSignal;
  /** Called for each packed content, with its number and the number of all. */
  readonly progress?: (content: NewContent, done: number, total: number) => void;
  /**
   * Called after all bytes were written and read again, before the snapshot exists. `archiveOf`
   * returns the file with the content of a path.
   */
  readonly beforeCommit?: (index: SnapshotIndex, archiveOf: (path: string) => string) => Promise<void>;
  /** Where the storage can link to its folder. Default: nothing is moved. */
  readonly moves?: Moves | undefined;
}

/** Contents that leave their place as soon as an archive holds them: they are on the disk once. */
export interface Moves {
  /** Archives have a second name in this folder, which the caller removes. */
  readonly folder: string;
  /** An archive holds these contents: synced and read again. After a kill, its second name does. */
  readonly moved: (contents: readonly NewContent[]) => Promise<void>;
}

export interface WrittenParts {
  readonly parts: readonly ArchiveFile[];
  /** The archive with a copy of the rows; null: there is none. */
  readonly copy: string | null;
  readonly archiveOf: (path: string) => string;
  readonly finished: Date;
}

interface Writing {
  readonly plan: FilesPlan;
  readonly outline: Outline;
  /** The file names, the main archive last. */
  readonly names: readonly string[];
  /** The remaining contents of all files, in order. */
  readonly contents: ContentQueue;
  readonly total: number;
  done: number;
  readonly moves: Moves | undefined;
  /** The contents that were given to the archive since the last ones were moved. */
  readonly given: NewContent[];
}

/** What an index says of the rows. */
export type RowsPlace = Pick<SnapshotIndex, "whole" | "base">;

/** The rows of a snapshot, as entries of its archives. */
export interface RowEntries {
  /** Whole rows get a copy in an archive of their own. */
  readonly isWhole: boolean;
  /** Call it after the entries of `main` were read to their end. */
  copy(): Iterable<NewEntry>;
  /** The end of the main archive: the rows, then the manifest. */
  main(written: WrittenParts): AsyncGenerator<NewEntry>;
  /** Call it after the entries of `main` were read to their end. */
  place(copy: string | null): RowsPlace;
}

/**
 * Writes the parts, the main archive, the copy of whole rows before it gets its name, the index.
 *
 * @param rows null: the archives have contents only
 */
export async function writeFiles(
  plan: FilesPlan,
  drafted: Drafted,
  outline: Outline,
  rows: RowEntries | null,
): Promise<SnapshotIndex> {
  const moves =
    plan.moves !== undefined && (await plan.storage.canLinkTo?.(plan.moves.folder)) ? plan.moves : undefined;
  const remedy = "Make room (`guideferry prune` removes old snapshots)";
  await refuseFullDisk(plan.storage, outline, { remedy, moves: moves !== undefined });
  await raiseFormat(plan.storage);
  return withContents({ ...plan, moves }, drafted, outline, async (writing) => {
    const parts: ArchiveFile[] = [];
    const last = writing.names.length - 1;
    for (let at = 0; at < last; at += 1)
      parts.push(await writeFile({ ...fileAt(writing, at), entries: partAt(writing, at) }));
    const { name, snapshot, kind, encryption } = plan;
    const copy = archiveName({ name, snapshot, kind, part: "rows", encrypted: encryption !== null });
    return writeMain(writing, parts, { rows, copy: rows?.isWhole === true ? copy : null });
  });
}

async function writeCopy(writing: Writing, { rows, copy: file }: Ending): Promise<readonly ArchiveFile[]> {
  const { plan } = writing;
  if (rows === null || file === null) return [];
  const { storage, name, snapshot, kind, encryption, signal } = plan;
  const content = readMeText({ name, snapshot, kind, file, holds: "copy" });
  const entries = [{ path: "README.txt", content }, ...rows.copy()];
  return [await writeFile({ storage, file, name: file, entries, encryption, signal })];
}

/** Writes the main archive only, under any name, without an index. */
export async function writeAlone(
  plan: FilesPlan,
  drafted: Drafted,
  outline: Outline,
  { file, rows }: { readonly file: string; readonly rows: RowEntries },
): Promise<ArchiveFile> {
  await refuseFullDisk(plan.storage, outline, { remedy: "Make room, or give a path on another disk,", moves: false });
  return withContents({ ...plan, moves: undefined }, drafted, outline, async (writing) => {
    const { entries } = mainEntries(writing, [], { rows, copy: null });
    return writeFile({ ...fileAt(writing, 0), file, entries });
  });
}

async function withContents<T>(
  plan: FilesPlan,
  drafted: Drafted,
  outline: Outline,
  work: (writing: Writing) => Promise<T>,
): Promise<T> {
  const names = namesOf(plan, outline);
  const total = outline.parts.reduce((sum, { entries }) => sum + entries, 0);
  const contents = new ContentQueue(drafted);
  try {
    return await work({ plan, outline, names, contents, total, done: 0, moves: plan.moves, given: [] });
  } finally {
    await contents.close();
  }
}

function namesOf({ name, snapshot, kind, encryption }: FilesPlan, { parts }: Outline): readonly string[] {
  const last = parts.length - 1;
  return parts.map((_part, at) =>
    archiveName({ name, snapshot, kind, part: at === last ? null : at + 1, encrypted: encryption !== null }),
  );
}

interface Ending {
  readonly rows: RowEntries | null;
  /** The archive with their copy. */
  readonly copy: string | null;
}

async function writeMain(writing: Writing, parts: readonly ArchiveFile[], ending: Ending): Promise<SnapshotIndex> {
  const { plan, names } = writing;
  const { entries, written } = mainEntries(writing, parts, ending);
  const indexFile = indexName(plan.name, plan.snapshot);
  let index: SnapshotIndex | undefined;
  await writeFile({
    ...fileAt(writing, names.length - 1),
    entries,
    beforeCommit: async (main) => {
      const { finished, archiveOf } = written();
      const copy = await writeCopy(writing, ending);
      index = { ...indexOf(writing, [...parts, ...copy, main], finished), ...ending.rows?.place(ending.copy) };
      await plan.storage.prepareIndex(indexFile, indexText(index));
      await plan.beforeCommit?.(index, archiveOf);
    },
  });
  await plan.storage.commitIndex(indexFile);
  if (plan.kind !== "repair") await writeHead(plan.storage, plan.snapshot);
  if (index === undefined)
    throw new FerryError("A main archive was committed without an index. This is a defect of guideferry.");
  return index;
}

/** `written`: call it after the entries were read to their end. */
function mainEntries(writing: Writing, parts: readonly ArchiveFile[], { rows, copy }: Ending) {
  const { plan, outline, names } = writing;
  let written: WrittenParts = { parts, copy, archiveOf: fileOf(outline.parts, names), finished: plan.started };
  async function* entries(): AsyncGenerator<NewEntry> {
    yield* partAt(writing, names.length - 1, rows?.place(copy).base);
    written = { ...written, finished: plan.now?.() ?? new Date() };
    if (rows !== null) yield* rows.main(written);
  }
  return { entries: entries(), written: () => written };
}

function fileAt({ plan, names, moves, given }: Writing, at: number) {
  const { storage, encryption, signal } = plan;
  const name = names[at] ?? "";
  const moving = moves === undefined ? undefined : { ...moves, given };
  return { storage, file: name, name, encryption, signal, moving };
}

async function* partAt(writing: Writing, at: number, base?: BaseRows): AsyncGenerator<NewEntry> {
  const { plan, names, outline, contents, total } = writing;
  const { name, snapshot, kind } = plan;
  const file = names[at] ?? "";
  const holds = base ?? (at === names.length - 1 ? "main" : "part");
  yield { path: "README.txt", content: readMeText({ name, snapshot, kind, file, holds }) };
  for (let left = outline.parts[at]?.entries ?? 0; left > 0; ) {
    const taken = await contents.take(left);
    if (taken.length === 0) return;
    left -= taken.length;
    for (const content of taken) {
      const bytes = checkedContent(content, plan.open);
      yield { path: content.path, content: bytes instanceof Promise ? await bytes : bytes };
      if (writing.moves !== undefined) writing.given.push(content);
      writing.done += 1;
      plan.progress?.(content, writing.done, total);
    }
  }
}

function indexOf({ plan, outline }: Writing, archives: readonly ArchiveFile[], finished: Date): SnapshotIndex {
  const { madeBy, name, snapshot, kind, previous, started, complete, encryption } = plan;
  return {
    format: REPOSITORY_FORMAT,
    madeBy,
    name,
    snapshot,
    kind,
    ...distanceOf(plan),
    ...(plan.fullDue === undefined ? {} : { fullDue: plan.fullDue }),
    previous,
    started: started.toISOString(),
    finished: finished.toISOString(),
    complete,
    ...deletionsOf(plan),
    encrypted: encryption !== null,
    archives: [...archives],
    needs: [...outline.needs],
    counts: outline.counts,
  };
}

export function deletionsOf({ manyDeleted, deletionsAccepted }: Deletions): Deletions {
  return {
    ...(manyDeleted === undefined ? {} : { manyDeleted }),
    ...(deletionsAccepted === undefined ? {} : { deletionsAccepted }),
  };
}

/** See format.ts; empty if it is unknown. */
export function distanceOf({
  kind,
  sinceFull,
}: Pick<FilesPlan, "kind" | "sinceFull">): Pick<SnapshotIndex, "sinceFull"> {
  if (kind === "full") return { sinceFull: 0 };
  return kind === "repair" || sinceFull === undefined ? {} : { sinceFull };
}

interface FileToWrite {
  readonly storage: RepositoryStorage;
  readonly file: string;
  /** Its name in a repository. */
  readonly name: string;
  readonly entries: AsyncIterable<NewEntry> | Iterable<NewEntry>;
  /** null: a plain zip. */
  readonly encryption: Encryption | null;
  readonly signal?: AbortSignal | undefined;
  /** Contents that may be moved: `given` has those whose entries were read to their end. */
  readonly moving?: (Moves & { readonly given: NewContent[] }) | undefined;
  /** Called after the bytes were read again, before the file gets its name. */
  readonly beforeCommit?: (file: ArchiveFile) => Promise<void>;
}

/**
 * Writes an archive under a temporary name, proves that the storage has its bytes, and gives it its
 * name. Throws ArchiveError, also when the disk returns other bytes (exit 4), and the errors of
 * entries; then nothing is left on the disk.
 */
async function writeFile(file: FileToWrite): Promise<ArchiveFile> {
  const staged = await file.storage.stage(file.file);
  try {
    if (file.moving !== undefined) await staged.linkTo?.(join(file.moving.folder, file.name));
    const plain = await writeTo(staged, file);
    const facts = { name: file.name, ...(await prove(staged, file)), plain };
    await file.beforeCommit?.(facts);
    await staged.commit();
    return facts;
  } catch (error) {
    await staged.discard();
    throw error;
  }
}

/** Proves what was written so far, and moves the contents in it. */
async function prove(staged: StagedFile, { moving }: FileToWrite): Promise<FileFacts> {
  const facts = await staged.readAgain();
  await moving?.moved(moving.given.splice(0));
  return facts;
}

/** Bytes of an archive after which contents are moved: so much is on the disk twice. */
const MOVED_AT_ONCE = 16 * 1024 * 1024;

/** Returns the facts of the zip in an encrypted archive. */
async function writeTo(staged: StagedFile, writing: FileToWrite): Promise<FileFacts | null> {
  const { storage, file, entries, encryption, signal, moving } = writing;
  let [stored, proven] = [0, 0];
  const store = async (bytes: Buffer): Promise<void> => {
    stored += bytes.length;
    await staged.write(bytes);
    if (moving === undefined || stored - proven < MOVED_AT_ONCE) return;
    // The writer gives bytes in their order, so it has given all bytes of the contents before.
    await prove(staged, writing);
    proven = stored;
  };
  if (encryption === null) {
    await packInto(storage.at(file), store, entries, signal);
    return null;
  }
  const { sealer, head } = await Sealer.begin(encryption);
  const hash = createHash("sha256");
  let bytes = 0;
  await store(head);
  const seal = async (plain: Buffer): Promise<void> => {
    hash.update(plain);
    bytes += plain.length;
    await store(sealer.add(plain));
  };
  await packInto(storage.at(file), seal, entries, signal);
  await store(sealer.end());
  return { bytes, sha256: hash.digest("hex") };
}

/** `README.txt` of an archive, for a reader without guideferry. */
function readMeText(archive: {
  readonly name: string;
  readonly snapshot: SnapshotId;
  readonly kind: SnapshotKind | "repair";
  readonly file: string;
  /** The base: it is a main archive with differences from it. */
  readonly holds: "main" | "part" | "copy" | BaseRows;
}): string {
  const { name, snapshot, kind, file, holds } = archive;
  const [what, how] = typeof holds === "object" ? describeDifferences(file, holds) : [HOLDS[holds], FIND];
  return `${file}

This is a backup of the site ${name}, written by guideferry. It is an ordinary zip file.

It belongs to the snapshot ${snapshot}, which is a time in UTC (year, month, day, T, hour, minute, second).
${KINDS[kind]}
Contents:

  items/      one JSON file for each guide, page, category, image and so on; "raw" in it is
              the answer of the site, the other fields are the same data in guideferry's model
  media/      images, videos and documents, each named by the sha256 of its bytes;
              the files in items/image/, items/video/ and items/document/ name them under "content"
${what}
How to read it without guideferry:

  1. Unpack it: unzip ${file}
${how}
  3. To check a file: run sha256sum FILE, and compare the result with "sha256" of its line.

The page docs/design/repository.md of guideferry describes the format.
`;
}

const KINDS: Readonly<Record<SnapshotKind | "repair", string>> = {
  full: "\nThe snapshot is full: its archives hold everything and need no older archive.\n",
  incremental:
    "\nThe snapshot is incremental: its archives hold the new and changed files. Older archives of the\nsame folder hold the other files; the lines of items.ndjson and media.ndjson name them.\n",
  repair: "\nIt holds files that were fetched again, because other archives are damaged.\n",
};

const HOLDS = {
  main: `
  items.ndjson, media.ndjson    a line for each item and file of the whole snapshot, also for those
                                in other archives
  manifest.json                 the time and site of the snapshot, and whether it is complete
`,
  part: `
This is one part of the snapshot. Its main archive, without "part" in its name, lists all files.
`,
  copy: `
  items.ndjson, media.ndjson    a copy of these files in the main archive, which has no ".rows" in
                                its name. Later snapshots need one of the two.
`,
} as const;

const FIND = `  2. To find a guide: search for its title in items.ndjson of the main archive. "archive" and "path"
     of that line name the zip file and the path in it.`;

function describeDifferences(file: string, { snapshot, archive, copy }: BaseRows): readonly [string, string] {
  return [
    `
  items.ndjson, media.ndjson    the lines that differ from those of the snapshot ${snapshot}.
                                Every other line is in ${archive}
                                (a copy: ${copy}).
                                A line here replaces the line there with the same "key" or "sha256".
                                "removed" means that this snapshot has no such line.
  manifest.json                 the time and site of the snapshot, and whether it is complete
`,
    `  2. To find a guide: search for its title here. If there is no line, search in the other file:
       unzip -p ${file} items.ndjson | grep "TITLE"
       unzip -p ${archive} items.ndjson | grep "TITLE"
     "archive" and "path" of the line name the zip file and the path in it.`,
  ];
}

/** Bytes of an archive for each entry: its headers and its line of the list. */
const BYTES_AN_ENTRY = 512;
/** Maximum bytes of a packed row, which whole rows have twice. */
const BYTES_A_ROW = 300;
/** Bytes for the index, the database of a workspace and other runs. */
const LEFT_FREE = 16 * 1024 * 1024;

/**
 * Throws ArchiveError (exit 4) when the contents may not fit on the disk. Their unpacked size
 * counts, because the packed size is unknown. `remedy`: how to make room.
 */
async function refuseFullDisk(
  storage: RepositoryStorage,
  { parts, counts, movable }: Outline,
  { remedy, moves }: { readonly remedy: string; readonly moves: boolean },
): Promise<void> {
  const contents = parts.reduce((sum, { bytes, entries }) => sum + bytes + entries * BYTES_AN_ENTRY, 0);
  const moved = moves ? Math.max(0, movable.bytes - movable.largest - MOVED_AT_ONCE) : 0;
  const needed = contents - moved + (counts.present + counts.media) * 2 * BYTES_A_ROW + LEFT_FREE;
  const free = await storage.free();
  if (free === null || free >= needed) return;
  throw new ArchiveError(
    `The disk of ${storage.address} has ${megabytes(free)} free, but the new archives may need ${megabytes(needed)}. Nothing was written. ` +
      `${remedy} and run the same command again.`,
    { exitCode: EXIT.stopped },
  );
}

function megabytes(bytes: number): string {
  return `${withCommas(Math.ceil(bytes / 1e6))} MB`;
}
