import type { SnapshotIndex } from "../../storage/repository/format.js";
import { indexName } from "../../storage/repository/names.js";
import { describeDisplaced } from "../../storage/repository/read/archive-locations.js";
import type { OpenRepository } from "../../storage/repository/read/open-repository.js";
import { UsageError } from "../../core/errors.js";
import type { SalvageFrom } from "../salvaged-snapshot.js";
import { type CheckedFiles, checkFiles, hasTurn } from "./check-files.js";
import { checkSnapshot, judgeByFiles, type SnapshotTools } from "./check-snapshot.js";
import { ContentsCheck } from "./contents-check.js";
import { HitList } from "./hit-list.js";
import { indexFaults } from "./index-faults.js";
import { nameMedia } from "./name-media.js";
import type { Hit, Problem, RepositoryCheck, ShortMedium, SnapshotCheck, Thoroughness } from "./repository-check.js";
import { findShortMedia } from "./short-media.js";
import { Standing } from "./standing.js";

/** How a check is steered and watched. */
export interface VerifyParts {
  readonly thoroughness: Thoroughness;
  /** Was a key given? Encrypted snapshots are read to their rows then, and judged by their files otherwise. */
  readonly hasKeys: boolean;
  /**
   * See salvageSnapshot; default: nobody asks what is left of snapshots that can't be read to their
   * end.
   */
  readonly salvageFrom?: SalvageFrom;
  readonly signal: AbortSignal;
  /** Files that were looked at, and bytes that were hashed by then. */
  readonly watch?: (done: number, total: number, bytes: number) => void;
}

/**
 * Looks at a whole repository: files against indexes, manifests and rows, and whether each row's bytes are where it says. A file whose hash is
 * right proves its contents, since they were read back when it was written; where one is wrong or missing, each content of it is read, so that what is
 * hit can be named. Throws UsageError when a key that was given does not fit, ArchiveError when the disk fails.
 */
export async function verifyRepository(repository: OpenRepository, parts: VerifyParts): Promise<RepositoryCheck> {
  const isReadable = readableWith(parts);
  const { thoroughness, signal, watch = () => undefined } = parts;
  return judge(repository, await checkFiles(repository, thoroughness, isReadable, signal, watch), parts);
}

/** The same, where the files were looked at already. */
export async function judge(
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
  const [rows, standing, hashes] = [{ count: 0 }, new Standing(hits), hashesOf(repository)];
  const tools: SnapshotTools = {
    repository,
    contents,
    standing,
    hashes,
    problems,
    from: parts.salvageFrom,
    rows,
    signal,
  };
  const snapshots: SnapshotCheck[] = [];
  for (const index of repository.snapshots()) {
    const check = isReadable(index) ? await checkSnapshot(index, tools) : judgeByFiles(index, files.states);
    snapshots.push(check);
  }
  // Some come to light only when archives are read.
  for (const { file, text } of describeDisplaced(repository.locations.displaced(), repository.folder))
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
    short: await shortMedia(repository, parts),
    notes: notesOf(repository, files, hasKeys),
    damaged: problems.some((problem) => !isMended(problem, list)) || list.some(({ repaired }) => !repaired),
  };
}

/** Is an archive damaged in contents alone, each of which a repair archive has? The file itself stays as it is for ever. */
function isMended({ file }: Problem, hits: readonly Hit[]): boolean {
  const inside = hits.filter(({ archive }) => archive === file);
  return inside.length > 0 && inside.every(({ repaired }) => repaired);
}

async function shortMedia(repository: OpenRepository, parts: VerifyParts): Promise<readonly ShortMedium[]> {
  const { thoroughness, signal } = parts;
  const last = repository.snapshots().at(-1);
  if (last === undefined || thoroughness.kind === "structure" || !readableWith(parts)(last)) return [];
  const isChecked = (sha256: string): boolean => thoroughness.kind === "bytes" || hasTurn(thoroughness, sha256);
  return findShortMedia(repository, isChecked, signal);
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
  const needed = problems.length > 0 ? "to have what is hit named" : "to have manifests and rows checked too";
  return [...notes, `The archives are encrypted: give --identity FILE, or GUIDEFERRY_PASSPHRASE, ${needed}.`];
}

/** How many equal shares there are of which each is `percent` of the contents, or a little more: 10 for `10%`, 6 for `15%`. Throws UsageError. */
export function sharesOf(percent: number): number {
  if (percent > 0 && percent <= 100) return Math.floor(100 / percent);
  throw new UsageError(`--sample is ${percent} %, expected more than 0 and at most 100.`);
}
