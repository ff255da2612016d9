import type { SnapshotId, SnapshotIndex, SnapshotKind } from "./format.js";

/** Default of `--part-size`, in bytes of contents. */
export const PART_BYTES = 4_000_000_000;

export interface ArchiveName {
  readonly name: string;
  readonly snapshot: SnapshotId;
  readonly kind: SnapshotKind | "repair";
  /** From 1; `rows`: a copy of the rows; null: the main archive. */
  readonly part: number | "rows" | null;
  readonly encrypted: boolean;
}

const NAME =
  /^(?<name>[a-z0-9.-]+)-(?<snapshot>\d{8}T\d{6}Z)\.(?<kind>full|incremental|repair)(?:\.part(?<part>[1-9]\d*)|\.(?<rows>rows))?\.zip(?<age>\.age)?$/;
const INDEX = /^(?<name>[a-z0-9.-]+)-(?<snapshot>\d{8}T\d{6}Z)\.index\.json$/;

/** Is it the full name of a snapshot, `20261120T030000Z`? */
export function isSnapshotId(text: string): text is SnapshotId {
  return /^\d{8}T\d{6}Z$/.test(text);
}

/** Windows takes `con.example-….zip` for its device CON, whatever follows the first dot. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)\./;

/** A repository's name by its site's host or `--name`: a-z, 0-9, dots, dashes; may be empty. */
export function repositoryName(text: string): string {
  const name = text
    .toLowerCase()
    .replace(/[^a-z0-9.-]+/g, "-")
    .replace(/^[.-]+|[.-]+$/g, "");
  return DEVICE.test(name) ? `site-${name}` : name;
}

/** `site.example-20261120T030000Z.full.part1.zip` */
export function archiveName({ name, snapshot, kind, part, encrypted }: ArchiveName): string {
  const which = part === null ? "" : part === "rows" ? ".rows" : `.part${part}`;
  return `${name}-${snapshot}.${kind}${which}.zip${encrypted ? ".age" : ""}`;
}

export function parseArchiveName(file: string): ArchiveName | undefined {
  const found = NAME.exec(file)?.groups;
  if (found?.["name"] === undefined || found["snapshot"] === undefined) return undefined;
  return {
    name: found["name"],
    snapshot: found["snapshot"],
    kind: found["kind"] as ArchiveName["kind"],
    part: found["rows"] !== undefined ? "rows" : found["part"] === undefined ? null : Number(found["part"]),
    encrypted: found["age"] !== undefined,
  };
}

/** `site.example-20261120T030000Z.index.json` */
export function indexName(name: string, snapshot: SnapshotId): string {
  return `${name}-${snapshot}.index.json`;
}

export function parseIndexName(file: string): { readonly name: string; readonly snapshot: SnapshotId } | undefined {
  const found = INDEX.exec(file)?.groups;
  if (found?.["name"] === undefined || found["snapshot"] === undefined) return undefined;
  return { name: found["name"], snapshot: found["snapshot"] };
}

/** The name of a snapshot at this time: UTC in seconds, but always later than `after`. */
export function snapshotIdOf(time: Date, after: SnapshotId | null): SnapshotId {
  const id = shorten(time);
  if (after === null || id > after) return id;
  return shorten(new Date(timeOf(after).getTime() + 1000));
}

export function timeOf(snapshot: SnapshotId): Date {
  return new Date(snapshot.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, "$1-$2-$3T$4:$5:$6Z"));
}

/**
 * The start time of a snapshot's run, in seconds. Names only order snapshots: after a run with a
 * fast clock, the names follow at intervals of a second until the clock is past them.
 */
export function startOf({ snapshot, started }: Pick<SnapshotIndex, "snapshot" | "started">): Date {
  const time = Date.parse(started);
  return Number.isNaN(time) ? timeOf(snapshot) : new Date(Math.floor(time / 1000) * 1000);
}

function shorten(time: Date): SnapshotId {
  return time.toISOString().replace(/[-:]|\.\d+/g, "");
}

/** Suffix of `madeBy` for snapshots that a restore into the site takes first. */
const MARK = ", before a restore";

export function beforeRestore(version: string): string {
  return `${version}${MARK}`;
}

/** Did a restore take this snapshot before it changed the site? It is not a regular backup. */
export function isBeforeRestore({ madeBy }: Pick<SnapshotIndex, "madeBy">): boolean {
  return madeBy.endsWith(MARK);
}

/**
 * The number of snapshots since the last full one; 0: the last one is full, or there is none. Each
 * snapshot records it, because others may be pruned; those of early versions are counted instead.
 */
export function sinceFull(snapshots: readonly SnapshotIndex[]): number {
  let since = 0;
  for (const index of snapshots.toReversed()) {
    if (index.kind === "full") return since;
    if (index.sinceFull !== undefined) return since + index.sinceFull;
    since += 1;
  }
  // The full snapshot that the first of them needs is lost.
  return Math.max(0, since - 1);
}
