import { canonicalJson } from "../../core/util/json.js";
import {
  type ItemRow,
  type Manifest,
  type MediaRow,
  needsWith,
  type Place,
  type PresentRow,
  type SnapshotId,
  type SnapshotIndex,
} from "../../storage/repository/format.js";
import { isDamage, withoutAdvice } from "../../storage/repository/read/damage.js";
import type { OpenRepository } from "../../storage/repository/read/open-repository.js";
import type { RowChange } from "../../storage/repository/read/rows.js";
import { type SalvageCounts, type SalvageFrom, salvageSnapshot } from "../restore/salvaged-snapshot.js";
import type { FileState } from "./check-files.js";
import type { ContentsCheck, Fault, HitList, Noted } from "./contents-check.js";
import type { Problem, SnapshotCheck } from "./repository-check.js";

export interface SnapshotTools {
  readonly repository: OpenRepository;
  readonly contents: ContentsCheck;
  readonly totals: SnapshotTotals;
  readonly hashes: ReadonlyMap<string, string>;
  readonly problems: Problem[];
  /** What unreadable rows are salvaged from; undefined: they are not salvaged. */
  readonly from: SalvageFrom | undefined;
  /** Rows that were checked, which are those that differ from the previous snapshot. */
  readonly rows: { count: number };
  readonly signal: AbortSignal;
}

/** Reads a snapshot's manifest and rows, and checks each place that the previous one lacks. */
export async function checkSnapshot(index: SnapshotIndex, tools: SnapshotTools): Promise<SnapshotCheck> {
  const { contents, totals, problems } = tools;
  const { snapshot } = index;
  contents.keepOnly(new Set([...index.archives.map(({ name }) => name), ...index.needs.map(({ archive }) => archive)]));
  const unreadable = await untilDamage(index, tools);
  const file = index.archives.at(-1)?.name ?? "";
  if (unreadable !== null) problems.push({ file, snapshot, detail: `the snapshot cannot be read: ${unreadable}` });
  else if (!totals.matchesIndex(index))
    problems.push({ file, snapshot, detail: "its rows need other archives than its index names" });
  const { items, media } = totals.lost;
  totals.noteHits(snapshot);
  if (unreadable === null) totals.of = snapshot;
  else totals.forget();
  const salvage = unreadable === null ? null : await salvageOf(index, tools);
  return { snapshot, whole: unreadable === null && items + media === 0, items, media, unreadable, salvage };
}

async function salvageOf(index: SnapshotIndex, { repository, from }: SnapshotTools): Promise<SalvageCounts | null> {
  if (from === undefined) return null;
  try {
    const salvaged = await salvageSnapshot(repository, index, from);
    if (salvaged === undefined) return null;
    await salvaged.close();
    return { rows: salvaged.rows, lost: salvaged.lost };
  } catch (error) {
    if (isDamage(error)) return null;
    throw error;
  }
}

/** Why the snapshot can't be read to the end; null: it can. */
async function untilDamage(index: SnapshotIndex, tools: SnapshotTools): Promise<string | null> {
  const { totals } = tools;
  const reason = (await reasonOf(checkManifest(index, tools))) ?? (await reasonOf(checkRows(index.snapshot, tools)));
  if (reason === null || totals.of === null) return reason;
  // The sums are half updated, or the previous snapshot is the unreadable one: start from zero.
  totals.forget();
  return reasonOf(checkRows(index.snapshot, tools));
}

/** The damage; null: none. Throws other errors. */
async function reasonOf(reading: Promise<void>): Promise<string | null> {
  try {
    await reading;
    return null;
  } catch (error) {
    if (isDamage(error)) return withoutAdvice(error);
    throw error;
  }
}

async function checkManifest(index: SnapshotIndex, { repository, hashes, problems }: SnapshotTools): Promise<void> {
  const { snapshot, archives } = index;
  const manifest = await repository.manifest(snapshot);
  const file = archives.at(-1)?.name ?? "";
  for (const detail of contradictions(index, manifest, hashes)) problems.push({ file, snapshot, detail });
}

async function checkRows(snapshot: SnapshotId, tools: SnapshotTools): Promise<void> {
  const { repository, totals } = tools;
  const before = totals.of;
  if (before === null) {
    for await (const rows of repository.itemBatches(snapshot)) await addAll(rows, tools);
    for await (const rows of repository.mediaBatches(snapshot)) await addAll(rows, tools);
    return;
  }
  for await (const change of repository.changedItems(snapshot, before)) await moveOn(change, tools);
  for await (const change of repository.changedMedia(snapshot, before)) await moveOn(change, tools);
}

/** Awaits nothing for rows whose contents are in place, which are almost all. */
async function addAll(all: readonly (ItemRow | MediaRow)[], tools: SnapshotTools): Promise<void> {
  const { contents, totals, rows, signal } = tools;
  for (const row of all) {
    signal.throwIfAborted();
    rows.count += 1;
    const after = withBytes(row);
    if (after !== undefined) totals.add(after, contents.isInPlace(after) ? undefined : await contents.faultOf(after));
  }
}

async function moveOn(change: RowChange<ItemRow | MediaRow>, { contents, totals, rows, signal }: SnapshotTools) {
  signal.throwIfAborted();
  rows.count += 1;
  const [before, after] = [withBytes(change.before), withBytes(change.after)];
  if (before !== undefined && after !== undefined && isSamePlace(before, after)) return;
  if (before !== undefined) totals.remove(before);
  if (after !== undefined) totals.add(after, await contents.faultOf(after));
}

function isSamePlace(one: Place, other: Place): boolean {
  const isSameContent = one.sha256 === other.sha256 && one.size === other.size;
  return isSameContent && one.archive === other.archive && one.path === other.path;
}

const SHARED_FIELDS = [
  "format",
  "madeBy",
  "name",
  "snapshot",
  "kind",
  "previous",
  "started",
  "finished",
  "complete",
  "manyDeleted",
  "deletionsAccepted",
  "whole",
  "base",
  "counts",
] as const;

/** Differences of index and manifest, of which one is damaged. */
function contradictions(
  index: SnapshotIndex,
  manifest: Manifest,
  hashes: ReadonlyMap<string, string>,
): readonly string[] {
  const differing = SHARED_FIELDS.filter((field) => canonicalJson(index[field]) !== canonicalJson(manifest[field]));
  const others = manifest.archives.filter(({ name, sha256 }) => {
    const known = hashes.get(name);
    return sha256 !== null && known !== undefined && known !== sha256;
  });
  return [
    ...differing.map((field) => `its manifest and its index differ in "${field}"`),
    ...others.map(({ name }) => `its manifest names ${name} with another sha256 than that file's index`),
  ];
}

/** Without a key, a snapshot is whole when every file that it needs is sound. */
export function checkByFiles(index: SnapshotIndex, states: ReadonlyMap<string, FileState>): SnapshotCheck {
  const needed = [...index.archives.map(({ name }) => name), ...index.needs.map(({ archive }) => archive)];
  const whole = needed.every((name) => states.get(name) === "sound");
  return {
    snapshot: index.snapshot,
    whole,
    items: whole ? 0 : null,
    media: whole ? 0 : null,
    unreadable: null,
    salvage: null,
  };
}

/**
 * The sums and hits of one snapshot's rows, which are updated with the changes of the next
 * snapshot. Holds no rows.
 */
export class SnapshotTotals {
  readonly #hits: HitList;
  readonly #needs = new Map<string, { contents: number; bytes: number }>();
  readonly #noted = new Set<Noted>();
  /** The snapshot of these rows; null: none, so the next snapshot is read as a whole. */
  of: SnapshotId | null = null;

  constructor(hits: HitList) {
    this.#hits = hits;
  }

  get lost(): { readonly items: number; readonly media: number } {
    const lost = { items: 0, media: 0 };
    for (const { facts } of this.#noted) if (!facts.repaired) lost[facts.kind === "media" ? "media" : "items"] += 1;
    return lost;
  }

  forget(): void {
    this.of = null;
    this.#needs.clear();
    this.#noted.clear();
  }

  add(row: PresentRow | MediaRow, fault: Fault | undefined): void {
    this.#sum(row, 1);
    if (fault !== undefined) this.#noted.add(this.#hits.add(row, fault));
  }

  remove(row: PresentRow | MediaRow): void {
    this.#sum(row, -1);
    const noted = this.#noted.size === 0 ? undefined : this.#hits.find(row);
    if (noted !== undefined) this.#noted.delete(noted);
  }

  /** Notes that all hits are in this snapshot. */
  noteHits(snapshot: SnapshotId): void {
    for (const noted of this.#noted) this.#hits.note(noted, snapshot);
  }

  /** Do the rows need the older archives that the index names? `prune` relies on it. */
  matchesIndex({ archives, needs, base }: SnapshotIndex): boolean {
    const own = new Set(archives.map(({ name }) => name));
    const others = [...this.#needs].filter(([archive]) => !own.has(archive));
    const found = needsWith(
      others.map(([archive, sum]) => ({ archive, ...sum })),
      base,
    );
    const inOrder = needs.toSorted((one, other) => (one.archive < other.archive ? -1 : 1));
    return canonicalJson(found) === canonicalJson(inOrder);
  }

  #sum({ archive, size }: Place, by: 1 | -1): void {
    const { contents, bytes } = this.#needs.get(archive) ?? { contents: 0, bytes: 0 };
    if (contents + by === 0) this.#needs.delete(archive);
    else this.#needs.set(archive, { contents: contents + by, bytes: bytes + by * size });
  }
}

/** undefined for a tombstone, which has no bytes. */
export function withBytes<Row extends ItemRow | MediaRow>(
  row: Row | undefined,
): Exclude<Row, { readonly state: "deleted" }> | undefined {
  return row === undefined || ("state" in row && row.state === "deleted")
    ? undefined
    : (row as Exclude<Row, { readonly state: "deleted" }>);
}
