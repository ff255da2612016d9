import type { SnapshotId, SnapshotIndex } from "./format.js";
import { bytesOf, chainOf, neededBy, type PrunePlan } from "./plan-prune.js";

/** A chain whose kept snapshots can be written anew, so that the others of it go. */
export interface ChainToCompact {
  /** Kept snapshots that are written anew, oldest first. */
  readonly rewritten: readonly SnapshotIndex[];
  /** Every snapshot whose archives go then. */
  readonly going: ReadonlySet<SnapshotId>;
  /** Bytes of the files that go. */
  readonly freed: number;
  /** Bytes that are written at most, by what the indexes say. */
  readonly written: number;
}

/**
 * Finds the chains that hold back what nobody asked to keep. What the youngest snapshot needs is never touched: the next backup builds on
 * it, and a full one makes it go in its time. Chains that would take more than they free are not among them.
 */
export function planCompact(snapshots: readonly SnapshotIndex[], plan: PrunePlan): readonly ChainToCompact[] {
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
    .map((chain) => describeChain(snapshots, chain, held))
    .filter(({ freed, written }) => freed > written);
}

/** Those that need archives which shall go, and those that need theirs in turn. */
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
): ChainToCompact {
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
  // A content is never larger packed than its whole archive.
  const fromOthers = [...needed].reduce(
    (sum, [archive, bytes]) => sum + Math.min(bytes, size.get(archive) ?? bytes),
    0,
  );
  const written = fromOthers + chain.reduce((sum, index) => sum + bytesOf(index), 0);
  return { rewritten: chain, going, freed, written };
}
