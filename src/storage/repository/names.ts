import type { SnapshotId, SnapshotIndex, SnapshotKind } from "./format.js";

/** What a file of a repository is, by its name. */
export interface ArchiveName {
  readonly name: string;
  readonly snapshot: SnapshotId;
  readonly kind: SnapshotKind | "repair";
  /** From 1; null: the main archive. */
  readonly part: number | null;
  readonly encrypted: boolean;
}

const NAME =
  /^(?<name>[a-z0-9.-]+)-(?<snapshot>\d{8}T\d{6}Z)\.(?<kind>full|incremental|repair)(?:\.part(?<part>[1-9]\d*))?\.zip(?<age>\.age)?$/;
const INDEX = /^(?<name>[a-z0-9.-]+)-(?<snapshot>\d{8}T\d{6}Z)\.index\.json$/;

/** `site.example-20261120T030000Z.full.part1.zip` */
export function archiveName({ name, snapshot, kind, part, encrypted }: ArchiveName): string {
  return `${name}-${snapshot}.${kind}${part === null ? "" : `.part${part}`}.zip${encrypted ? ".age" : ""}`;
}

/** undefined: no file of this form. */
export function parseArchiveName(file: string): ArchiveName | undefined {
  const found = NAME.exec(file)?.groups;
  if (found?.["name"] === undefined || found["snapshot"] === undefined) return undefined;
  return {
    name: found["name"],
    snapshot: found["snapshot"],
    kind: found["kind"] as ArchiveName["kind"],
    part: found["part"] === undefined ? null : Number(found["part"]),
    encrypted: found["age"] !== undefined,
  };
}

/** `site.example-20261120T030000Z.index.json` */
export function indexName(name: string, snapshot: SnapshotId): string {
  return `${name}-${snapshot}.index.json`;
}

/** undefined: no file of this form. */
export function parseIndexName(file: string): { readonly name: string; readonly snapshot: SnapshotId } | undefined {
  const found = INDEX.exec(file)?.groups;
  if (found?.["name"] === undefined || found["snapshot"] === undefined) return undefined;
  return { name: found["name"], snapshot: found["snapshot"] };
}

/**
 * The snapshot of this moment: UTC to the second, later than `after`, which a clock that was set
 * back may have overtaken.
 */
export function snapshotIdOf(time: Date, after: SnapshotId | null): SnapshotId {
  const id = shorten(time);
  if (after === null || id > after) return id;
  return shorten(new Date(timeOf(after).getTime() + 1000));
}

/** The moment that a snapshot is named by. */
export function timeOf(snapshot: SnapshotId): Date {
  return new Date(snapshot.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, "$1-$2-$3T$4:$5:$6Z"));
}

/**
 * When the work for a snapshot began, by the clock of that night, to the second. Names only order
 * snapshots: after a night with the clock ahead they follow each other by seconds until it is true
 * again.
 */
export function startOf({ snapshot, started }: Pick<SnapshotIndex, "snapshot" | "started">): Date {
  const time = Date.parse(started);
  return Number.isNaN(time) ? timeOf(snapshot) : new Date(Math.floor(time / 1000) * 1000);
}

function shorten(time: Date): SnapshotId {
  return time.toISOString().replace(/[-:]|\.\d+/g, "");
}

/** How `madeBy` ends for snapshots of a site that was about to be put back. */
const MARK = ", before a restore";

/** The version that such a snapshot is marked by. */
export function beforeRestore(version: string): string {
  return `${version}${MARK}`;
}

/**
 * Did a restore take this snapshot, before it changed the site? It shows what was to be undone, and
 * is no night of its own.
 */
export function isBeforeRestore({ madeBy }: Pick<SnapshotIndex, "madeBy">): boolean {
  return madeBy.endsWith(MARK);
}

/**
 * How many snapshots were made since the last full one, up to the last of these; 0: it is full
 * itself, or there is none. Each snapshot tells it of itself, since those between may be pruned; of
 * older ones, which don't, as many are counted as there are.
 */
export function sinceFull(snapshots: readonly SnapshotIndex[]): number {
  let since = 0;
  for (const index of snapshots.toReversed()) {
    if (index.kind === "full") return since;
    if (index.sinceFull !== undefined) return since + index.sinceFull;
    since += 1;
  }
  // The full one that the first of them needs is lost.
  return Math.max(0, since - 1);
}
