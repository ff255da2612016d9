import type { Manifest, MediaRow, SnapshotIndex } from "../../../archive/repository/format.js";
import { isDamage, withoutAdvice } from "../../../archive/repository/read/damage.js";
import type { OpenRepository } from "../../../archive/repository/read/open-repository.js";
import { canonicalJson } from "../../../util/canonical-json.js";
import type { FileState } from "./check-files.js";
import type { ContentsCheck } from "./contents-check.js";
import type { HitList } from "./hit-list.js";
import { isPresent } from "./hit-list.js";
import type { Problem, SnapshotCheck } from "./repository-check.js";

/** What a snapshot is checked with. */
export interface SnapshotTools {
  readonly repository: OpenRepository;
  readonly contents: ContentsCheck;
  readonly hits: HitList;
  /** The sha256 that indexes say of files. */
  readonly hashes: ReadonlyMap<string, string>;
  readonly problems: Problem[];
  readonly signal: AbortSignal;
}

/** Reads a snapshot's manifest and every row, and looks at each place. */
export async function checkSnapshot(index: SnapshotIndex, tools: SnapshotTools): Promise<SnapshotCheck> {
  const { snapshot } = index;
  const lost = { items: 0, media: 0 };
  const unreadable = await untilDamage(index, tools, lost);
  const whole = unreadable === null && lost.items + lost.media === 0;
  return { snapshot, whole, ...lost, unreadable };
}

async function untilDamage(
  index: SnapshotIndex,
  tools: SnapshotTools,
  lost: { items: number; media: number },
): Promise<string | null> {
  const { repository, contents, hits, problems, signal } = tools;
  const { snapshot } = index;
  const file = index.archives.at(-1)?.name ?? "";
  try {
    const manifest = await repository.manifest(snapshot);
    for (const detail of contradictions(index, manifest, tools.hashes)) problems.push({ file, snapshot, detail });
    const needs = new NeedCount(index);
    for await (const row of repository.items(snapshot)) {
      signal.throwIfAborted();
      if (!isPresent(row)) continue;
      needs.add(row);
      if (contents.isKnown(row)) continue;
      const fault = await contents.faultOf(row);
      if (fault === undefined) continue;
      hits.addItem(row, fault, snapshot);
      if (!fault.repaired) lost.items += 1;
    }
    for await (const row of repository.media(snapshot)) {
      signal.throwIfAborted();
      needs.add(row);
      if (contents.isKnown(row)) continue;
      const fault = await contents.faultOf(row);
      if (fault === undefined) continue;
      hits.addMedium(row, fault, snapshot);
      if (!fault.repaired) lost.media += 1;
    }
    if (!needs.isAsSaid) problems.push({ file, snapshot, detail: "its rows need other archives than its index says" });
    return null;
  } catch (error) {
    if (!isDamage(error)) throw error;
    const detail = withoutAdvice(error);
    problems.push({ file, snapshot, detail: `the snapshot can't be read: ${detail}` });
    return detail;
  }
}

const SAID_TWICE = [
  "madeBy",
  "name",
  "snapshot",
  "kind",
  "previous",
  "started",
  "finished",
  "complete",
  "counts",
] as const;

/** What rows need of other snapshots' archives, against what the index says: `prune` goes by that. */
class NeedCount {
  readonly #index: SnapshotIndex;
  readonly #own: ReadonlySet<string>;
  readonly #needs = new Map<string, { contents: number; bytes: number }>();

  constructor(index: SnapshotIndex) {
    this.#index = index;
    this.#own = new Set(index.archives.map(({ name }) => name));
  }

  add({ archive, size }: MediaRow): void {
    if (this.#own.has(archive)) return;
    const { contents, bytes } = this.#needs.get(archive) ?? { contents: 0, bytes: 0 };
    this.#needs.set(archive, { contents: contents + 1, bytes: bytes + size });
  }

  get isAsSaid(): boolean {
    const { needs } = this.#index;
    if (needs.length !== this.#needs.size) return false;
    return needs.every(({ archive, contents, bytes }) => {
      const found = this.#needs.get(archive);
      return found?.contents === contents && found.bytes === bytes;
    });
  }
}

/** Where index and manifest disagree: one of them is not what was written. */
function contradictions(
  index: SnapshotIndex,
  manifest: Manifest,
  hashes: ReadonlyMap<string, string>,
): readonly string[] {
  const differing = SAID_TWICE.filter((field) => canonicalJson(index[field]) !== canonicalJson(manifest[field]));
  const others = manifest.archives.filter(({ name, sha256 }) => {
    const known = hashes.get(name);
    return sha256 !== null && known !== undefined && known !== sha256;
  });
  return [
    ...differing.map((field) => `its manifest and its index say different things of "${field}"`),
    ...others.map(({ name }) => `its manifest names ${name} with another sha256 than that file's index`),
  ];
}

/** A snapshot that can't be read for want of a key: whole when every file that it needs is. */
export function judgeByFiles(index: SnapshotIndex, states: ReadonlyMap<string, FileState>): SnapshotCheck {
  const needed = [...index.archives.map(({ name }) => name), ...index.needs.map(({ archive }) => archive)];
  const whole = needed.every((name) => states.get(name) === "sound");
  return { snapshot: index.snapshot, whole, items: whole ? 0 : null, media: whole ? 0 : null, unreadable: null };
}
