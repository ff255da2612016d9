import { createReadStream, existsSync } from "node:fs";
import { join, relative, sep } from "node:path";
import type { Readable } from "node:stream";
import { EXIT, FerryError, UsageError } from "../core/errors.js";
import { idIn, isMediaKind, type Key, kindOf, MEDIA_KINDS } from "../core/model/key.js";
import { turnsInTime } from "../core/util/concurrency.js";
import { readAtOnce } from "../core/util/files.js";
import { AT_ONCE } from "../storage/archive/write-archive.js";
import { LocalFolder } from "../storage/repository/files/local-folder.js";
import type {
  Deletions,
  ManifestNotes,
  PresentRow,
  ReadingOptions,
  SnapshotId,
  SnapshotIndex,
  SnapshotKind,
} from "../storage/repository/format.js";
import { sinceFull } from "../storage/repository/names.js";
import { unlessDamaged } from "../storage/repository/read/damage.js";
import type { OpenRepository } from "../storage/repository/read/open-repository.js";
import { hashFile } from "../storage/repository/read/rebuild-index.js";
import { type Base, ROW_FILES } from "../storage/repository/read/row-files.js";
import { ContentError } from "../storage/repository/write/checked-content.js";
import { type Draft, type NewContent, openFrom } from "../storage/repository/write/drafts.js";
import type { Encryption } from "../storage/repository/write/encryption.js";
import { writeSnapshot } from "../storage/repository/write/write-snapshot.js";
import type { ArchivedItem } from "../storage/workspace/archived.js";
import type { ItemEntry } from "../storage/workspace/item-store.js";
import { type Layout, layoutOf } from "../storage/workspace/layout.js";
import type { Workspace } from "../storage/workspace/workspace.js";
import type { Control } from "../sync/control.js";
import type { ExtractSummary } from "../sync/extract/summary.js";
import { archivesThere, Batch, contentIn, type ItemContent } from "./learn-places.js";
import { failuresOf, type IsWanted } from "./left-out.js";
import { movesFrom, takeBack } from "./moved-media.js";

/** What is known of a snapshot before it is written. */
interface SnapshotRun {
  readonly workspace: Workspace;
  readonly repository: OpenRepository;
  readonly name: string;
  readonly snapshot: SnapshotId;
  readonly kind: SnapshotKind;
  readonly fullDue: number | undefined;
  readonly extracted: ExtractSummary;
  readonly isWanted: IsWanted;
  /** Guides and pages that no list had, and that stay as they were. */
  readonly kept: ReadonlySet<Key>;
  readonly deletions: Deletions;
  readonly encryption: Encryption | null;
  readonly partBytes: number;
  readonly readAs: ReadingOptions | undefined;
  readonly madeBy: string;
  readonly started: Date;
  readonly now: () => Date;
  readonly control: Control;
}

export interface WrittenSnapshot {
  readonly index: SnapshotIndex;
  readonly warnings: readonly string[];
}

/** Limit of damaged contents in one run; after each of them the archive is written again. */
const MOST_DAMAGED = 20;

/**
 * Writes the snapshot and notes all places. A content that is damaged in the workspace is removed
 * there and left out, as a failure; one that is damaged in an older archive makes a full snapshot
 * an incremental one.
 */
export async function writeBackup(run: SnapshotRun): Promise<WrittenSnapshot> {
  const warnings: string[] = [];
  let { kind } = run;
  for (let damaged = 0; ; damaged += 1) {
    try {
      return { index: await attempt({ ...run, kind }), warnings };
    } catch (error) {
      if (!(error instanceof ContentError) || damaged >= MOST_DAMAGED) throw error;
      await takeBack(run.workspace, run.control.abort);
      if (error.content.archive === null) await leaveOut(run.workspace, error.content);
      else {
        kind = "incremental";
        warnings.push(
          `guideferry could not make a full snapshot: ${error.message} \`guideferry verify\` reports what is damaged, \`guideferry repair\` fetches it again.`,
        );
      }
    }
  }
}

async function attempt(run: SnapshotRun): Promise<SnapshotIndex> {
  const { workspace, repository, kind, snapshot, extracted, isWanted, started, control } = run;
  const { archived } = workspace;
  const memory = Buffer.allocUnsafeSlow(AT_ONCE + 1);
  await stageSnapshot(workspace, { snapshot, full: kind === "full", isWanted, memory });
  const failed = failuresOf(workspace, isWanted);
  const indexes = repository.snapshots();
  const read = Math.floor(started.getTime() / 1000);
  const index = await writeSnapshot({
    storage: repository.storage,
    name: run.name,
    snapshot,
    kind,
    fullDue: run.fullDue,
    sinceFull: sinceFull(indexes) + 1,
    previous: indexes.at(-1)?.snapshot ?? null,
    madeBy: run.madeBy,
    site: extracted.site,
    started,
    now: run.now,
    complete: failed.length === 0,
    failures: failed.map(({ key, stage, reason, remedy }) => ({ key, stage, reason, remedy })),
    privateIncluded: extracted.privateIncluded,
    personalData: extracted.personalData,
    ...notesOf(extracted, run.kept.size),
    ...run.deletions,
    reading: run.readAs,
    read,
    base: kind === "full" ? undefined : await baseOf(run),
    keepRows: run.encryption === null ? undefined : layoutOf(workspace.directory).baseRows,
    drafts: snapshotDrafts(workspace, {
      at: read,
      except: new Set([...run.kept, ...extracted.archived]),
    }),
    open: (content) => openContent(run, content, memory),
    archives: new Map(indexes.flatMap(({ archives }) => archives.map((file) => [file.name, file]))),
    encryption: run.encryption,
    scratch: layoutOf(workspace.directory).temporary,
    partBytes: run.partBytes,
    signal: control.abort,
    progress: (_content, done, total) => control.progress({ stage: "archive", done, total, failed: failed.length }),
    beforeCommit: async (_index, archiveOf) => archived.place(archiveOf),
    moves: movesFrom(workspace, run.encryption),
  });
  archived.settle();
  return index;
}

/**
 * The last whole rows, if they can be read and both archives with them exist; otherwise the new
 * snapshot gets whole rows. Rows in encrypted archives are read from the workspace, without a key.
 */
async function baseOf({ workspace, repository }: SnapshotRun): Promise<Base | undefined> {
  const last = repository.snapshots().findLast(({ whole }) => whole !== undefined);
  const base = last === undefined ? undefined : repository.baseAfter(last.snapshot);
  if (last === undefined || base === undefined) return undefined;
  const there = await archivesThere(repository);
  if (!there.has(base.archive) || !there.has(base.copy)) return undefined;
  if (!last.encrypted) return base;
  return (await keptBase(workspace, base)) ?? ((await isOpen(repository, base.archive)) ? base : undefined);
}

/** undefined: the workspace has other rows, or none. */
async function keptBase(workspace: Workspace, base: Base): Promise<Base | undefined> {
  const { baseRows } = layoutOf(workspace.directory);
  for (const of of ["items", "media"] as const) {
    const file = join(baseRows, ROW_FILES[of].path);
    if (!existsSync(file) || (await hashFile(new LocalFolder(baseRows), ROW_FILES[of].path)).sha256 !== base[of].sha256)
      return undefined;
  }
  return { ...base, rows: (of) => createReadStream(join(baseRows, ROW_FILES[of].path)) };
}

async function isOpen({ pool }: OpenRepository, archive: string): Promise<boolean> {
  try {
    return (await unlessDamaged(() => pool.use(archive, () => true))) ?? false;
  } catch (error) {
    if (error instanceof UsageError) return false;
    throw error;
  }
}

/** Items whose texts may be in the index of the workspace. */
const IN_INDEX = new RegExp(`^items/(?:${MEDIA_KINDS.join("|")})/`);

function openContent(
  { workspace, repository }: SnapshotRun,
  content: NewContent,
  memory: Buffer,
): Promise<Readable | Buffer> | Buffer {
  if (content.archive !== null) return openFrom(repository, content);
  const key = IN_INDEX.test(content.path) ? workspace.archived.waitingKey(content.path) : undefined;
  if (key !== undefined) return workspace.items.file(key, memory);
  const isMedium = content.path.startsWith("media/");
  const file = isMedium ? workspace.media.path(content.sha256) : join(workspace.directory, content.path);
  return content.size <= AT_ONCE ? readAtOnce(file, content.size, memory) : Promise.resolve(createReadStream(file));
}

/** Removes damaged media; staging finds a damaged item, and the next backup reads it again. */
async function leaveOut({ media }: Workspace, { path, sha256 }: NewContent): Promise<void> {
  if (path.startsWith("media/")) await media.remove(sha256);
}

/**
 * Notes in the workspace what the snapshot writes: new and changed items, media that no archive
 * holds, and deletions; `full`: all items and media. An item that can't be read is a failure: the
 * snapshot keeps its earlier version, or lacks it.
 */
async function stageSnapshot(
  workspace: Workspace,
  { snapshot, full, isWanted, memory }: Pick<SnapshotRun, "snapshot" | "isWanted"> & Pick<Staging, "full" | "memory">,
): Promise<void> {
  const { archived, items, failures } = workspace;
  archived.begin(snapshot);
  const staging: Staging = {
    workspace,
    full,
    layout: layoutOf(workspace.directory),
    batch: new Batch(archived),
    memory,
    lacking: new Set(failures.list("media").map(({ key }) => key)),
  };
  // Files are read synchronously, so signals and timers would wait.
  const dueTurn = turnsInTime();
  for (const entry of items.entries()) {
    await dueTurn();
    if (!isWanted(entry.key)) continue;
    if (entry.state === "present") await stageItem(staging, entry);
    else stageDeleted(staging, entry, snapshot);
  }
  staging.batch.flush();
}

interface Staging {
  readonly workspace: Workspace;
  readonly full: boolean;
  readonly layout: Layout;
  readonly batch: Batch;
  /** For the bytes of one item at a time. */
  readonly memory: Buffer;
  readonly lacking: ReadonlySet<Key>;
}

async function stageItem(staging: Staging, entry: ItemEntry): Promise<void> {
  const { workspace, batch, full } = staging;
  const { key, digest } = entry;
  const known = workspace.archived.item(key);
  if (known?.digest === digest) {
    if (full) batch.add((add) => add.item(key, { ...known, archive: "" }));
    if (known.content !== null) stageMedium(staging, key, known.content, await freshOf(staging, entry, known.content));
    return;
  }
  const file = await fileOf(staging, entry);
  if (file === undefined) {
    // Keep the version of the previous snapshot.
    if (known !== undefined && full) batch.add((add) => add.item(key, { ...known, archive: "" }));
    return;
  }
  const medium = isMediaKind(entry.kind) ? contentIn(file) : null;
  const path = pathOf(staging, key);
  const content = medium?.sha256 ?? null;
  batch.add((add) => add.item(key, { digest, size: file.length, content, archive: "", path }));
  if (medium !== null) stageMedium(staging, key, medium.sha256, medium);
}

/** The content of an unchanged item, where no archive has it any more. */
async function freshOf(staging: Staging, entry: ItemEntry, sha256: string): Promise<ItemContent | null> {
  if (staging.workspace.archived.medium(sha256) !== undefined) return null;
  const file = await fileOf(staging, entry);
  return file === undefined ? null : contentIn(file);
}

/** @param fresh the content that the item's file names, where it was read */
function stageMedium(
  { workspace, batch, full, lacking }: Staging,
  key: Key,
  sha256: string,
  fresh: { readonly size: number; readonly path: string } | null,
): void {
  const { archived, media, failures } = workspace;
  const known = archived.medium(sha256);
  if (known === undefined && (fresh === null || !media.isHere(sha256))) {
    failures.add(
      "media",
      key,
      `The bytes of ${key} (sha256 ${sha256}) are neither in the workspace nor in an existing archive.`,
      "Run the backup again: it reads everything from the site again and fetches what is missing.",
    );
    return;
  }
  if (lacking.has(key)) failures.clear("media", key);
  const place = known ?? fresh;
  if (place === null || (known !== undefined && !full)) return;
  batch.add((add) => add.medium(sha256, { size: place.size, path: place.path, archive: "" }));
}

/** An item that no snapshot has gets no tombstone. */
function stageDeleted({ workspace, batch }: Staging, entry: ItemEntry, deleted: SnapshotId): void {
  if (workspace.archived.item(entry.key) === undefined) return;
  const { key, kind, revision, title } = entry;
  batch.add((add) => add.tombstone({ key, kind, revision, title, deleted }));
}

/** Bytes whose memory the next call uses again. */
async function fileOf({ workspace, memory }: Staging, { key }: ItemEntry): Promise<Buffer | undefined> {
  try {
    return await workspace.items.file(key, memory);
  } catch (error) {
    if (!(error instanceof FerryError) || error.exitCode !== EXIT.someFailed) throw error;
    workspace.failures.add(
      "extract",
      key,
      error.message,
      "Run the backup again: it reads this item from the site again.",
    );
    return undefined;
  }
}

function pathOf({ layout }: Staging, key: Key): string {
  return relative(layout.directory, layout.item(key)).split(sep).join("/");
}

/** Kinds whose whole lists each backup compares: an unchanged item is as recent as the list. */
const LISTED: ReadonlySet<string> = new Set(["category", "wiki", "guide"]);

interface Compared {
  /** UNIX seconds of the start, after which the site's lists were read. */
  readonly at: number;
  /** Guides and pages that no list had, or that this account may not see. */
  readonly except: ReadonlySet<Key>;
}

function* snapshotDrafts(workspace: Workspace, compared: Compared): Generator<Draft> {
  const { archived, items, failures } = workspace;
  const unseen = new Set([...compared.except, ...failures.list("extract").map(({ key }) => key)]);
  for (const entry of items.entries()) {
    if (entry.state !== "present") continue;
    const isCompared = LISTED.has(entry.kind) && !unseen.has(withoutLanguage(entry.key));
    yield* draftsOf(workspace, entry, isCompared ? compared.at : undefined);
  }
  for (const tombstone of archived.tombstones("waiting"))
    yield { item: { ...tombstone, state: "deleted" }, change: "deleted" };
  for (const tombstone of archived.tombstones("known")) {
    const isBack = items.entry(tombstone.key)?.state === "present" && archived.waitingItem(tombstone.key) !== undefined;
    if (!isBack) yield { item: { ...tombstone, state: "deleted" }, change: null };
  }
}

function withoutLanguage(key: Key): Key {
  return kindOf(key) === "guide" ? `guide/${idIn(key)}` : key;
}

/** @param compared when the item was compared in this backup; undefined: it was not */
function* draftsOf({ archived }: Workspace, entry: ItemEntry, compared: number | undefined): Generator<Draft> {
  const known = archived.item(entry.key);
  const waiting = archived.waitingItem(entry.key);
  const item = waiting ?? known;
  if (item === undefined) return;
  const isSame = known?.digest === item.digest;
  yield {
    item: rowOf(entry, item, isSame ? (known?.archive ?? null) : null, compared ?? entry.readAt),
    write: waiting !== undefined,
    change: known === undefined ? "new" : isSame ? null : "changed",
    compared: compared !== undefined,
  };
  const sha256 = item.content;
  if (sha256 === null) return;
  const [knownMedium, waitingMedium] = [archived.medium(sha256), archived.waitingMedium(sha256)];
  const medium = waitingMedium ?? knownMedium;
  if (medium === undefined) return;
  const { size, path } = medium;
  yield {
    medium: { sha256, size, path, archive: knownMedium?.archive ?? null },
    write: waitingMedium !== undefined,
    change: knownMedium === undefined ? "new" : null,
  };
}

function rowOf(entry: ItemEntry, item: ArchivedItem, archive: string | null, read: number) {
  const { key, kind, revision, title, category, modified } = entry;
  const { digest: sha256, size, path } = item;
  const state: PresentRow["state"] = "present";
  return { key, kind, state, revision, title, category, modified, read, sha256, size, archive, path };
}

function notesOf({ archived, vanished, refused }: ExtractSummary, kept: number): ManifestNotes {
  const leftOut = [
    ...archived.map((key) => ({ key, why: "archived" as const })),
    ...vanished.map((key) => ({ key, why: "vanished" as const })),
  ];
  return {
    ...(leftOut.length === 0 ? {} : { leftOut }),
    ...(refused.length === 0 ? {} : { refused: [...refused] }),
    ...(kept === 0 ? {} : { kept }),
  };
}
