import { UsageError } from "../../core/errors.js";
import { sideBySide } from "../../core/util/iterables.js";
import type {
  ArchiveFile,
  ItemRow,
  Manifest,
  MediaRow,
  SnapshotId,
  SnapshotIndex,
} from "../../storage/repository/format.js";
import {
  beforeRestore,
  isBeforeRestore,
  parseArchiveName,
  snapshotIdOf,
  timeOf,
} from "../../storage/repository/names.js";
import {
  bytesOf,
  chainOf,
  neededBy,
  type PrunePlan,
  planPrune,
  type Retention,
} from "../../storage/repository/plan-prune.js";
import { isDamage } from "../../storage/repository/read/damage.js";
import { type OpenRepository, openRepository } from "../../storage/repository/read/open-repository.js";
import type { RepositoryKeys } from "../../storage/repository/read/repository-keys.js";
import { type Draft, openFrom } from "../../storage/repository/write/drafts.js";
import type { Encryption } from "../../storage/repository/write/encryption.js";
import { writeSnapshot } from "../../storage/repository/write/write-snapshot.js";

/** A chain whose kept snapshots can be rewritten, so that its other snapshots can be removed. */
interface ChainToCompact {
  /** Kept snapshots that are rewritten, oldest first. */
  readonly rewritten: readonly SnapshotIndex[];
  /** New names by present names. */
  readonly names: ReadonlyMap<SnapshotId, SnapshotId>;
  readonly going: ReadonlySet<SnapshotId>;
  /** Bytes of the removed files. */
  readonly freed: number;
  /** Upper limit of the written bytes, from the indexes. */
  readonly written: number;
}

/** A snapshot whose chain stays: no time is free between its name and the next one. */
export interface Nameless {
  readonly snapshot: SnapshotId;
  readonly next: SnapshotId;
}

interface CompactPlan {
  readonly chains: readonly ChainToCompact[];
  readonly nameless: readonly Nameless[];
}

/**
 * Finds the chains that hold archives of snapshots that the retention does not keep. Skips what the
 * latest snapshot needs, since the next backup builds on it; chains that would free less than they
 * write; and chains in which a copy would sort after the next snapshot, and an old state become the
 * latest.
 */
function planCompact(
  snapshots: readonly SnapshotIndex[],
  repairs: readonly SnapshotIndex[],
  plan: PrunePlan,
): CompactPlan {
  const nameless: Nameless[] = [];
  const taken = new Set(repairs.map(({ snapshot }) => snapshot));
  const chains = chainsOf(snapshots, plan, taken).filter(({ names }) => {
    const blocked = [...names].flatMap(([snapshot, as]) => {
      const next = snapshots.find((other) => other.snapshot > snapshot)?.snapshot;
      return next === undefined || as < next ? [] : [{ snapshot, next }];
    });
    nameless.push(...blocked);
    return blocked.length === 0;
  });
  return { chains, nameless };
}

function chainsOf(
  snapshots: readonly SnapshotIndex[],
  plan: PrunePlan,
  taken: ReadonlySet<SnapshotId>,
): readonly ChainToCompact[] {
  const youngest = snapshots.at(-1);
  if (youngest === undefined) return [];
  const untouched = chainOf(snapshots, [youngest.snapshot]);
  const held = new Set([...plan.held.keys()].filter((id) => !untouched.has(id)));
  const rewritten = mustBeRewritten(snapshots, plan, untouched, held);
  const chains = new Map<SnapshotId, SnapshotIndex[]>();
  for (const index of rewritten) {
    const root = [...chainOf(snapshots, [index.snapshot])].toSorted()[0] ?? index.snapshot;
    chains.set(root, [...(chains.get(root) ?? []), index]);
  }
  return [...chains.values()]
    .map((chain) => ({
      ...describeChain(snapshots, chain, held),
      names: new Map(chain.map(({ snapshot }) => [snapshot, nameAfter(snapshot, taken)])),
    }))
    .filter(({ freed, written }) => freed > written);
}

/** The name one second later, or the next one that no repair archive has. */
function nameAfter(snapshot: SnapshotId, taken: ReadonlySet<SnapshotId>): SnapshotId {
  const name = snapshotIdOf(new Date(timeOf(snapshot).getTime() + 1000), null);
  return taken.has(name) ? nameAfter(name, taken) : name;
}

function isRemoved({ going }: ChainToCompact, archive: string): boolean {
  return going.has(parseArchiveName(archive)?.snapshot ?? "");
}

function isFullCopy(chain: ChainToCompact, index: SnapshotIndex): boolean {
  return chain.rewritten[0] === index && index.needs.every(({ archive }) => isRemoved(chain, archive));
}

/** The snapshots after the chains are rewritten, in order; the copies have no archives here. */
export function asCompacted(
  snapshots: readonly SnapshotIndex[],
  chains: readonly ChainToCompact[],
): readonly SnapshotIndex[] {
  const copies = chains.flatMap((chain) =>
    chain.rewritten.map(
      (index): SnapshotIndex => ({
        ...index,
        snapshot: chain.names.get(index.snapshot) ?? index.snapshot,
        kind: isFullCopy(chain, index) ? "full" : "incremental",
        archives: [],
        needs: index.needs.filter(({ archive }) => !isRemoved(chain, archive)),
      }),
    ),
  );
  return [...snapshots, ...copies].toSorted((one, other) => (one.snapshot < other.snapshot ? -1 : 1));
}

/** Snapshots that need archives to be removed, directly or by other snapshots. */
function mustBeRewritten(
  snapshots: readonly SnapshotIndex[],
  { kept }: PrunePlan,
  untouched: ReadonlySet<SnapshotId>,
  held: ReadonlySet<SnapshotId>,
): readonly SnapshotIndex[] {
  const leaving = new Set(held);
  const rewritten: SnapshotIndex[] = [];
  for (const index of snapshots) {
    if (!kept.has(index.snapshot) || untouched.has(index.snapshot)) continue;
    if (![...neededBy(index)].some((id) => leaving.has(id))) continue;
    leaving.add(index.snapshot);
    rewritten.push(index);
  }
  return rewritten;
}

function describeChain(
  snapshots: readonly SnapshotIndex[],
  chain: readonly SnapshotIndex[],
  held: ReadonlySet<SnapshotId>,
): Omit<ChainToCompact, "names"> {
  const own = new Set(chain.map(({ snapshot }) => snapshot));
  const all = chainOf(snapshots, own);
  const going = new Set([...all].filter((id) => held.has(id) || own.has(id)));
  const files = new Map(snapshots.flatMap((index) => index.archives.map(({ name }) => [name, index.snapshot])));
  const freed = snapshots.filter(({ snapshot }) => going.has(snapshot)).reduce((sum, index) => sum + bytesOf(index), 0);
  const needed = new Map<string, number>();
  for (const index of chain) {
    for (const { archive, bytes } of index.needs) {
      const owner = files.get(archive);
      if (owner === undefined || !going.has(owner) || own.has(owner)) continue;
      needed.set(archive, Math.max(needed.get(archive) ?? 0, bytes));
    }
  }
  const size = new Map(snapshots.flatMap(({ archives }) => archives.map(({ name, bytes }) => [name, bytes])));
  // The packed contents of an archive are not larger than the archive.
  const fromOthers = [...needed].reduce(
    (sum, [archive, bytes]) => sum + Math.min(bytes, size.get(archive) ?? bytes),
    0,
  );
  // The first copy gets whole rows, and their copy, where it had differences.
  const copied = chain[0]?.base?.copy;
  const rows = copied === undefined ? 0 : 2 * (size.get(copied) ?? 0);
  const written = fromOthers + rows + chain.reduce((sum, index) => sum + bytesOf(index), 0);
  return { rewritten: chain, going, freed, written };
}

/** A snapshot that was rewritten, or would be. */
export interface Compacted {
  readonly snapshot: SnapshotId;
  /** Its new name. */
  readonly as: SnapshotId;
}

export interface Compaction extends CompactPlan {
  readonly compacted: readonly Compacted[];
  /** Bytes of the new archives; with `dryRun` the upper limit. */
  readonly written: number;
}

export interface CompactParts {
  readonly retention: Retention;
  readonly dryRun: boolean;
  readonly keys: RepositoryKeys;
  readonly encryption: Encryption | null;
  readonly scratch: string;
  readonly madeBy: string;
  readonly signal: AbortSignal;
  readonly progress?: (done: number, total: number) => void;
}

/**
 * Rewrites the kept snapshots of old chains, the first of a chain as a full one, so that the other
 * snapshots of the chain can be removed. Each copy gets the name one second later and the times of
 * its original, by which `planPrune` recognises it. A killed run loses no snapshot. Throws
 * UsageError, before anything is written, where a key is missing or encrypted contents would be
 * written as plain text.
 */
export async function compact(repository: OpenRepository, parts: CompactParts): Promise<Compaction> {
  const [snapshots, repairs] = [repository.snapshots(), repository.repairs()];
  const plan = planCompact(snapshots, repairs, planPrune(snapshots, repairs, parts.retention));
  const { chains } = plan;
  const all = chains.flatMap((chain) => chain.rewritten);
  if (parts.dryRun) {
    const compacted = chains.flatMap(({ names }) => [...names].map(([snapshot, as]) => ({ snapshot, as })));
    return { ...plan, compacted, written: chains.reduce((sum, { written }) => sum + written, 0) };
  }
  if (all.some(({ encrypted }) => encrypted) && parts.encryption === null) {
    throw new UsageError(
      "The snapshots to compact are encrypted and would be written as plain text. Give --encrypt-to age1… or GUIDEFERRY_PASSPHRASE.",
    );
  }
  await expectKeys(repository, chains);
  const done: Compacted[] = [];
  let written = 0;
  for (const chain of chains) {
    let before: SnapshotIndex | null = null;
    for (const index of chain.rewritten) {
      parts.signal.throwIfAborted();
      before = await rewrite(repository, index, chain, before, parts);
      done.push({ snapshot: index.snapshot, as: before.snapshot });
      written += bytesOf(before);
      parts.progress?.(done.length, all.length);
    }
  }
  return { ...plan, compacted: done, written };
}

/** Throws UsageError when a key is missing; each archive can have other recipients. */
async function expectKeys(repository: OpenRepository, chains: readonly ChainToCompact[]): Promise<void> {
  const read = new Set(chains.flatMap((chain) => chain.rewritten.flatMap((index) => archivesRead(index, chain))));
  for (const archive of read) {
    if (parseArchiveName(archive)?.encrypted !== true) continue;
    try {
      await repository.pool.use(archive, () => undefined);
    } catch (error) {
      // A repair archive may have the contents of a damaged one; reading them finds out.
      if (!isDamage(error)) throw error;
    }
  }
}

function archivesRead({ archives, needs }: SnapshotIndex, chain: ChainToCompact): readonly string[] {
  return [...archives.map(({ name }) => name), ...needs.map(({ archive }) => archive)].filter((archive) =>
    isRemoved(chain, archive),
  );
}

async function rewrite(
  repository: OpenRepository,
  index: SnapshotIndex,
  chain: ChainToCompact,
  before: SnapshotIndex | null,
  parts: CompactParts,
): Promise<SnapshotIndex> {
  // Opened again, to see the copy that was written before this one.
  const fresh = await openRepository(repository.storage, { keys: parts.keys });
  try {
    const manifest = await fresh.manifest(index.snapshot);
    return await writeSnapshot({
      ...manifest,
      base: before === null ? undefined : fresh.baseAfter(before.snapshot),
      storage: fresh.storage,
      snapshot: chain.names.get(index.snapshot) ?? index.snapshot,
      kind: isFullCopy(chain, index) ? "full" : "incremental",
      madeBy: isBeforeRestore(index) ? beforeRestore(parts.madeBy) : parts.madeBy,
      started: new Date(manifest.started),
      now: () => new Date(manifest.finished),
      drafts: draftsOf(fresh, manifest, before?.snapshot ?? null, (archive) => isRemoved(chain, archive)),
      open: (content) => openFrom(fresh, content),
      archives: filesOf(fresh),
      encryption: parts.encryption,
      scratch: parts.scratch,
      signal: parts.signal,
    });
  } finally {
    await fresh.close();
  }
}

function filesOf(repository: OpenRepository): ReadonlyMap<string, ArchiveFile> {
  return new Map(repository.snapshots().flatMap(({ archives }) => archives.map((file) => [file.name, file])));
}

/** Writes contents of removed archives that the previous copy lacks. */
async function* draftsOf(
  repository: OpenRepository,
  { snapshot, read }: Manifest,
  before: SnapshotId | null,
  isRemoved: (archive: string) => boolean,
): AsyncGenerator<Draft> {
  const items = before === null ? nothing<ItemRow>() : repository.items(before);
  const media = before === null ? nothing<MediaRow>() : repository.media(before);
  for await (const [row, other] of sideBySide(repository.items(snapshot), items, ({ key }) => key)) {
    if (row.state === "deleted") {
      yield { item: row, change: null };
      continue;
    }
    const facts = { change: null, compared: row.read === read };
    if (!isRemoved(row.archive)) yield { item: row, write: false, ...facts };
    else if (other?.state === "present" && other.sha256 === row.sha256)
      yield { item: { ...row, ...placeOf(other) }, write: false, ...facts };
    else yield { item: row, write: true, ...facts };
  }
  for await (const [row, other] of sideBySide(repository.media(snapshot), media, ({ sha256 }) => sha256)) {
    if (!isRemoved(row.archive)) yield { medium: row, write: false, change: null };
    else if (other !== undefined) yield { medium: { ...row, ...placeOf(other) }, write: false, change: null };
    else yield { medium: row, write: true, change: null };
  }
}

async function* nothing<T>(): AsyncGenerator<T> {
  // There is no previous copy.
}

function placeOf({ archive, path }: MediaRow): Pick<MediaRow, "archive" | "path"> {
  return { archive, path };
}
