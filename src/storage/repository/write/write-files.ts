import { dirname, join } from "node:path";
import { FerryError } from "../../../core/errors.js";
import type { NewEntry } from "../../archive/write-archive.js";
import { type ArchiveFile, type Deletions, REPOSITORY_FORMAT, type SnapshotId, type SnapshotIndex } from "../format.js";
import { writeHead } from "../head.js";
import { archiveName } from "../names.js";
import { checkedContent } from "./checked-content.js";
import type { NewContent, OpenContent } from "./draft.js";
import { contentsOf, type Drafted, fileOf, type Outline } from "./drafted.js";
import type { Encryption } from "./encryption.js";
import { refuseFullDisk } from "./free-space.js";
import { readMeText } from "./read-me-text.js";
import { writeFile } from "./write-file.js";
import { commitIndex, writeNewIndex } from "./write-index.js";

/** The files of a snapshot that are to be written. */
export interface FilesPlan extends Deletions {
  /** The repository; its lock is held by the caller, and `recover` has been called. */
  readonly folder: string;
  readonly name: string;
  readonly snapshot: SnapshotId;
  readonly kind: SnapshotIndex["kind"];
  /** Snapshots since the last full one, this one counted. A full one has 0, whatever is said here. */
  readonly sinceFull?: number | undefined;
  /** See SnapshotIndex. */
  readonly fullDue?: number | undefined;
  readonly previous: SnapshotId | null;
  readonly madeBy: string;
  /** When the work for it began. */
  readonly started: Date;
  readonly complete: boolean;
  /** The bytes of a content that is written; checked against size and sha256 while they pass. */
  readonly open: OpenContent;
  /** null: plain zips. */
  readonly encryption: Encryption | null;
  /** The clock; default: the system's. */
  readonly now?: () => Date;
  readonly signal?: AbortSignal;
  /** Each content when it is packed, with how many there are. */
  readonly progress?: (content: NewContent, done: number, total: number) => void;
  /**
   * Called when every byte is written and was read again, just before the snapshot gets its name: what must be known when it has.
   * `archiveOf` gives the file of what was written with a path.
   */
  readonly beforeCommit?: (index: SnapshotIndex, archiveOf: (path: string) => string) => Promise<void>;
}

/** What the end of a main archive is made from. */
export interface WrittenParts {
  readonly parts: readonly ArchiveFile[];
  readonly archiveOf: (path: string) => string;
  readonly finished: Date;
}

interface Writing {
  readonly plan: FilesPlan;
  readonly outline: Outline;
  /** Of the files, the main archive last. */
  readonly names: readonly string[];
  /** What is still to be written, in order, over all files. */
  readonly contents: AsyncGenerator<NewContent>;
  readonly total: number;
  done: number;
}

type Ending = (written: WrittenParts) => AsyncGenerator<NewEntry>;

/** Parts first, then the main archive, whose end `ending` gives, then the index. */
export async function writeFiles(
  plan: FilesPlan,
  drafted: Drafted,
  outline: Outline,
  ending: Ending,
): Promise<SnapshotIndex> {
  await refuseFullDisk(plan.folder, outline, "Make room (guideferry prune takes old snapshots away)");
  return withContents(plan, drafted, outline, async (writing) => {
    const parts: ArchiveFile[] = [];
    const last = writing.names.length - 1;
    for (let at = 0; at < last; at += 1)
      parts.push(await writeFile({ ...fileAt(writing, at), entries: partAt(writing, at) }));
    return writeMain(writing, parts, ending);
  });
}

/** The main archive alone, under any path, without an index. */
export async function writeAlone(
  plan: FilesPlan,
  drafted: Drafted,
  outline: Outline,
  { path, ending }: { readonly path: string; readonly ending: Ending },
): Promise<ArchiveFile> {
  await refuseFullDisk(dirname(path), outline, "Make room, or name a place on another disk,");
  return withContents(plan, drafted, outline, async (writing) => {
    const { entries } = mainEntries(writing, [], ending);
    return writeFile({ ...fileAt(writing, 0), path, entries });
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
  const contents = contentsOf(drafted);
  try {
    return await work({ plan, outline, names, contents, total, done: 0 });
  } finally {
    await contents.return(undefined);
  }
}

function namesOf({ name, snapshot, kind, encryption }: FilesPlan, { parts }: Outline): readonly string[] {
  const last = parts.length - 1;
  return parts.map((_part, at) =>
    archiveName({ name, snapshot, kind, part: at === last ? null : at + 1, encrypted: encryption !== null }),
  );
}

async function writeMain(writing: Writing, parts: readonly ArchiveFile[], ending: Ending): Promise<SnapshotIndex> {
  const { plan, names } = writing;
  const { entries, written } = mainEntries(writing, parts, ending);
  let index: SnapshotIndex | undefined;
  await writeFile({
    ...fileAt(writing, names.length - 1),
    entries,
    beforeRename: async (main) => {
      const { finished, archiveOf } = written();
      index = indexOf(writing, [...parts, main], finished);
      await writeNewIndex(plan.folder, index);
      await plan.beforeCommit?.(index, archiveOf);
    },
  });
  await commitIndex(plan.folder, plan.name, plan.snapshot);
  if (plan.kind !== "repair") await writeHead(plan.folder, plan.snapshot);
  if (index === undefined) throw new FerryError("A main archive has its name and no index: a defect of guideferry.");
  return index;
}

/** `written`: to be asked when the entries were read to their end. */
function mainEntries(writing: Writing, parts: readonly ArchiveFile[], ending: Ending) {
  const { plan, outline, names } = writing;
  let written: WrittenParts = { parts, archiveOf: fileOf(outline.parts, names), finished: plan.started };
  async function* entries(): AsyncGenerator<NewEntry> {
    yield* partAt(writing, names.length - 1);
    written = { ...written, finished: plan.now?.() ?? new Date() };
    yield* ending(written);
  }
  return { entries: entries(), written: () => written };
}

function fileAt({ plan, names }: Writing, at: number) {
  const { folder, encryption, signal } = plan;
  const name = names[at] ?? "";
  return { path: join(folder, name), name, encryption, signal };
}

async function* partAt(writing: Writing, at: number): AsyncGenerator<NewEntry> {
  const { plan, names, outline, contents, total } = writing;
  const { name, snapshot, kind } = plan;
  const file = names[at] ?? "";
  yield { path: "README.txt", content: readMeText({ name, snapshot, kind, file, isMain: at === names.length - 1 }) };
  for (let left = outline.parts[at]?.entries ?? 0; left > 0; left -= 1) {
    const step = await contents.next();
    if (step.done === true) return;
    yield { path: step.value.path, content: await checkedContent(step.value, plan.open) };
    writing.done += 1;
    plan.progress?.(step.value, writing.done, total);
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

/** Without fields that say nothing. */
export function deletionsOf({ manyDeleted, deletionsAccepted }: Deletions): Deletions {
  return {
    ...(manyDeleted === undefined ? {} : { manyDeleted }),
    ...(deletionsAccepted === undefined ? {} : { deletionsAccepted }),
  };
}

/** As far as it is known: see format.ts. */
export function distanceOf({
  kind,
  sinceFull,
}: Pick<FilesPlan, "kind" | "sinceFull">): Pick<SnapshotIndex, "sinceFull"> {
  if (kind === "full") return { sinceFull: 0 };
  return kind === "repair" || sinceFull === undefined ? {} : { sinceFull };
}
