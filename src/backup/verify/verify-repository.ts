import { createHash } from "node:crypto";
import { UsageError } from "../../core/errors.js";
import { itemSchema, type Media } from "../../core/model/item.js";
import type { ItemKind, Key } from "../../core/model/key.js";
import { isMediaKind } from "../../core/model/key.js";
import type { RepositoryStorage } from "../../storage/repository/files/repository-storage.js";
import type { ItemRow, MediaRow, PresentRow, SnapshotId, SnapshotIndex } from "../../storage/repository/format.js";
import { indexName, parseArchiveName } from "../../storage/repository/names.js";
import { readTurn } from "../../storage/repository/proven.js";
import { describeDisplaced } from "../../storage/repository/read/archive-locations.js";
import { itemBytes } from "../../storage/repository/read/contents.js";
import { isDamage, unlessDamaged } from "../../storage/repository/read/damage.js";
import type { OpenRepository } from "../../storage/repository/read/open-repository.js";
import type { RowChange } from "../../storage/repository/read/rows.js";
import { readCutFormat } from "../../storage/workspace/incoming-file.js";
import type { SalvageFrom } from "../restore/salvaged-snapshot.js";
import { type CheckedFiles, checkFiles, hasTurn, type MediaEnds } from "./check-files.js";
import { checkByFiles, checkSnapshot, type SnapshotTools, SnapshotTotals, withBytes } from "./check-snapshot.js";
import { ContentsCheck, HitList } from "./contents-check.js";
import type { Hit, Problem, RepositoryCheck, ShortMedium, SnapshotCheck, Thoroughness } from "./repository-check.js";

interface VerifyParts {
  readonly thoroughness: Thoroughness;
  /** Was a key given? Without one, encrypted snapshots are checked by their files only. */
  readonly hasKeys: boolean;
  /** See salvageSnapshot; default: unreadable snapshots are not salvaged. */
  readonly salvageFrom?: SalvageFrom;
  readonly signal: AbortSignal;
  /** Checked files, all files, and hashed bytes. */
  readonly watch?: (done: number, total: number, bytes: number) => void;
}

/**
 * Checks a repository: files against indexes, manifests, rows, and the place of each row. A file
 * with the right hash proves its contents, which were checked when it was written. Each content of
 * a damaged file is read, to name the hits. Throws UsageError when a given key does not fit,
 * ArchiveError when the disk fails.
 */
export async function verifyRepository(repository: OpenRepository, parts: VerifyParts): Promise<RepositoryCheck> {
  const isReadable = readableWith(parts);
  const { thoroughness, signal, watch = () => undefined } = parts;
  return checkSnapshots(repository, await checkFiles(repository, thoroughness, isReadable, signal, watch), parts);
}

/** The same with files that are already checked. */
export async function checkSnapshots(
  repository: OpenRepository,
  files: CheckedFiles,
  parts: VerifyParts,
): Promise<RepositoryCheck> {
  const { thoroughness, hasKeys, signal } = parts;
  const isReadable = readableWith(parts);
  const isSampled = (sha256: string): boolean => thoroughness.kind === "sample" && hasTurn(thoroughness, sha256);
  const contents = new ContentsCheck(repository, files.states, isSampled);
  const hits = new HitList(repository.snapshots().map(({ snapshot }) => snapshot));
  const problems: Problem[] = [...folderProblems(repository), ...files.problems];
  const known = new Set(repository.remarks.map(({ text }) => text));
  const [rows, totals, hashes] = [{ count: 0 }, new SnapshotTotals(hits), hashesOf(repository)];
  const tools: SnapshotTools = {
    repository,
    contents,
    totals,
    hashes,
    problems,
    from: parts.salvageFrom,
    rows,
    signal,
  };
  const snapshots: SnapshotCheck[] = [];
  for (const index of repository.snapshots()) {
    const check = isReadable(index) ? await checkSnapshot(index, tools) : checkByFiles(index, files.states);
    snapshots.push(check);
  }
  for (const { file, text } of describeDisplaced(repository.locations.displaced(), repository.storage))
    if (!known.has(text)) problems.push({ file, snapshot: null, detail: text });
  const list = hits.list(await nameMedia(repository, hits.media(), signal));
  return {
    thoroughness,
    hashed: { ...files.hashed, contents: contents.read },
    rows: rows.count,
    proven: files.proven,
    problems,
    hits: list,
    snapshots,
    short: await shortMedia(repository, files.ends, problems.length > 0, parts),
    notes: notesOf(repository, files, hasKeys),
    damaged: problems.some((problem) => !isRepaired(problem, list)) || list.some(({ repaired }) => !repaired),
  };
}

/** Does a repair archive have every damaged content of the file? The file stays damaged. */
function isRepaired({ file }: Problem, hits: readonly Hit[]): boolean {
  const inside = hits.filter(({ archive }) => archive === file);
  return inside.length > 0 && inside.every(({ repaired }) => repaired);
}

async function shortMedia(
  repository: OpenRepository,
  ends: MediaEnds,
  hasProblems: boolean,
  parts: VerifyParts,
): Promise<readonly ShortMedium[]> {
  const { thoroughness, signal } = parts;
  const last = repository.snapshots().at(-1);
  if (last === undefined || thoroughness.kind === "structure" || !readableWith(parts)(last)) return [];
  const isChecked = (sha256: string): boolean => thoroughness.kind === "bytes" || hasTurn(thoroughness, sha256);
  // With a problem, the rows may name archives that the index does not.
  const known = !hasProblems && ends.areComplete() ? "complete" : ends;
  return findShortMedia(repository, known, isChecked, signal);
}

function readableWith({ hasKeys }: VerifyParts): (index: SnapshotIndex) => boolean {
  return ({ encrypted }) => !encrypted || hasKeys;
}

function folderProblems({ remarks, snapshots, repairs }: OpenRepository): readonly Problem[] {
  const damaged = remarks.filter((remark) => remark.isDamage);
  const faults = [...snapshots(), ...repairs()].flatMap((index) => {
    const { name, snapshot } = index;
    return indexFaults(index).map((detail) => ({ file: indexName(name, snapshot), snapshot, detail }));
  });
  return [...damaged.map(({ file, text }) => ({ file, snapshot: null, detail: text })), ...faults];
}

function hashesOf(repository: OpenRepository): ReadonlyMap<string, string> {
  const all = [...repository.snapshots(), ...repository.repairs()].flatMap(({ archives }) => archives);
  return new Map(all.map(({ name, sha256 }) => [name, sha256]));
}

function notesOf(repository: OpenRepository, { problems }: CheckedFiles, hasKeys: boolean): readonly string[] {
  const notes = repository.remarks.filter((remark) => !remark.isDamage).map(({ text }) => text);
  const isLocked = !hasKeys && repository.snapshots().some(({ encrypted }) => encrypted);
  if (!isLocked) return notes;
  const needed = problems.length > 0 ? "to list the damaged items" : "to check manifests and rows too";
  return [...notes, `The archives are encrypted. Give --identity FILE, or set GUIDEFERRY_PASSPHRASE, ${needed}.`];
}

/**
 * The number of equal shares of at least `percent`: 10 for `10%`, 6 for `15%`. Throws UsageError.
 */
export function sharesOf(percent: number): number {
  if (percent > 0 && percent <= 100) return Math.floor(100 / percent);
  throw new UsageError(`--sample is ${percent} %. Give more than 0 and at most 100.`);
}

/** Contradictions between an index and the names of its archives. */
function indexFaults({ name, snapshot, kind, encrypted, archives }: SnapshotIndex): readonly string[] {
  return archives.flatMap((archive, at) => {
    const file = parseArchiveName(archive.name);
    const isLast = at === archives.length - 1;
    const isOwn =
      file?.name === name && file.snapshot === snapshot && file.kind === kind && (file.part === null) === isLast;
    const isAsSealed = file?.encrypted === encrypted && (archive.plain !== null) === encrypted;
    return [
      ...(isOwn ? [] : [`its index names ${archive.name}, which is not an archive of this snapshot`]),
      ...(isAsSealed ? [] : [`its index is wrong about whether ${archive.name} is encrypted`]),
    ];
  });
}

/**
 * The share that a sample reads now: the one after that of the last run. In a read-only repository
 * the hash of the date chooses it, since with numbered days a weekly run could always read the same
 * share. Throws ArchiveError when the disk fails.
 */
export async function turnOf(storage: RepositoryStorage, of: number, now: Date): Promise<number> {
  return (await storage.canWrite()) ? readTurn(storage, of) : drawn(of, now);
}

function drawn(of: number, now: Date): number {
  const day = now.toISOString().slice(0, "2026-11-20".length);
  return createHash("sha256").update(day).digest().readUInt32BE() % of;
}

/**
 * The images, videos and documents with these bytes. Reads the items of the first wanted snapshot,
 * and the changed items of the others.
 *
 * @param wanted the sha256 of media, each with a snapshot that names it
 */
async function nameMedia(
  repository: OpenRepository,
  wanted: ReadonlyMap<string, SnapshotId>,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, readonly Key[]>> {
  const found = new Map<string, Key[]>();
  const holders = new Map<Key, string>();
  let before: SnapshotId | null = null;
  for (const snapshot of [...new Set(wanted.values())].toSorted()) {
    try {
      for await (const change of repository.changedItems(snapshot, before)) {
        signal.throwIfAborted();
        await follow(repository, change, wanted, holders);
      }
      before = snapshot;
    } catch (error) {
      // This damage is already reported.
      if (!isDamage(error)) throw error;
      before = null;
    }
    for (const [key, sha256] of holders) if (wanted.get(sha256) === snapshot) add(found, sha256, key);
    if (before === null) holders.clear();
  }
  return found;
}

async function follow(
  repository: OpenRepository,
  change: RowChange<ItemRow>,
  wanted: ReadonlyMap<string, SnapshotId>,
  holders: Map<Key, string>,
): Promise<void> {
  const [before, after] = [withBytes(change.before), withBytes(change.after)];
  if (before !== undefined && before.sha256 === after?.sha256) return;
  if (before !== undefined) holders.delete(before.key);
  if (after === undefined || !isMediaKind(after.kind)) return;
  const sha256 = await contentOf(repository, after);
  if (sha256 !== undefined && wanted.has(sha256)) holders.set(after.key, sha256);
}

function add(found: Map<string, Key[]>, sha256: string, key: Key): void {
  found.set(sha256, [...(found.get(sha256) ?? []), key].toSorted());
}

async function contentOf(repository: OpenRepository, row: PresentRow): Promise<string | undefined> {
  try {
    const item = itemSchema.safeParse(JSON.parse((await itemBytes(repository, row)).toString("utf8")));
    return item.success && "content" in item.data.body ? item.data.body.content?.sha256 : undefined;
  } catch (error) {
    if (isDamage(error) || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Kinds whose items are read for the reported size; the end of almost all pictures is checked. */
const SIZED_KINDS: ReadonlySet<ItemKind> = new Set(["document", "video"]);

/**
 * The incomplete media of the latest snapshot: they stop before the end of their format, or are
 * smaller than the site reported. Reads the items of videos and documents, and the start and end of
 * contents that `ends` does not know. Ignores damaged bytes, which the check of contents reports.
 *
 * @param isChecked is a content in the share that is checked now?
 */
async function findShortMedia(
  repository: OpenRepository,
  ends: MediaEnds | "complete",
  isChecked: (sha256: string) => boolean,
  signal: AbortSignal,
): Promise<readonly ShortMedium[]> {
  const snapshot = repository.snapshots().at(-1)?.snapshot;
  if (snapshot === undefined) return [];
  const lacks = new Map<string, Lack>();
  await unlessDamaged(async () => {
    if (ends === "complete") return;
    for await (const rows of repository.mediaBatches(snapshot)) {
      for (const row of rows) {
        signal.throwIfAborted();
        if (!isChecked(row.sha256)) continue;
        const { format } = ends.of(row) ?? { format: await cutFormatOf(repository, row) };
        if (format !== undefined) lacks.set(row.sha256, { format, toldSize: null });
      }
    }
  });
  await unlessDamaged(async () => {
    for await (const row of repository.itemsOf(snapshot, SIZED_KINDS)) {
      signal.throwIfAborted();
      if (row.state === "deleted") continue;
      const { content = null, toldSize = null } = (await unlessDamaged(() => mediaOf(repository, row))) ?? {};
      if (content === null || toldSize === null || content.size >= toldSize || !isChecked(content.sha256)) continue;
      if (!lacks.has(content.sha256)) lacks.set(content.sha256, { format: null, toldSize });
    }
  });
  if (lacks.size === 0) return [];
  const names = await nameMedia(repository, new Map([...lacks.keys()].map((sha256) => [sha256, snapshot])), signal);
  const found: ShortMedium[] = [];
  for (const [sha256, lack] of lacks) {
    const items = names.get(sha256) ?? [];
    found.push({ sha256, ...lack, items, confirmed: await isConfirmed(repository, snapshot, items) });
  }
  return found;
}

type Lack = Pick<ShortMedium, "format" | "toldSize">;

function cutFormatOf(repository: OpenRepository, row: MediaRow): Promise<string | undefined> {
  return unlessDamaged(() => readCutFormat(row.size, (start, end) => repository.readPart(row, { start, end })));
}

/** Does an item note that the file on the site is incomplete too? */
async function isConfirmed(repository: OpenRepository, snapshot: SnapshotId, items: readonly Key[]): Promise<boolean> {
  for (const key of items) {
    const row = await repository.item(snapshot, key);
    if (row === undefined || row.state === "deleted") continue;
    if ((await mediaOf(repository, row))?.content?.endsEarly === "confirmed") return true;
  }
  return false;
}

async function mediaOf(repository: OpenRepository, row: PresentRow): Promise<Media | undefined> {
  const item = itemSchema.safeParse(JSON.parse((await itemBytes(repository, row)).toString("utf8")));
  return item.success && "content" in item.data.body ? item.data.body : undefined;
}
