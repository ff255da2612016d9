import type { SnapshotId, SnapshotIndex } from "./format.js";
import { parseArchiveName, snapshotIdOf, timeOf } from "./names.js";
import { bytesOf, chainOf, neededBy, type PrunePlan } from "./plan-prune.js";

/** A chain whose kept snapshots can be written anew, so that the others of it go. */
export interface ChainToCompact {
  /** Kept snapshots that are written anew, oldest first. */
  readonly rewritten: readonly SnapshotIndex[];
  /** The name that each of them gets, by the one that it has. */
  readonly names: ReadonlyMap<SnapshotId, SnapshotId>;
  /** Every snapshot whose archives go then. */
  readonly going: ReadonlySet<SnapshotId>;
  /** Bytes of the files that go. */
  readonly freed: number;
  /** Bytes that are written at most, by what the indexes say. */
  readonly written: number;
}

/**
 * A snapshot whose chain stays as it is: its copy would need a name between its own and that of the
 * next one.
 */
export interface Nameless {
  readonly snapshot: SnapshotId;
  readonly next: SnapshotId;
}

export interface CompactPlan {
  readonly chains: readonly ChainToCompact[];
  readonly nameless: readonly Nameless[];
}

/**
 * Finds the chains that hold back what nobody asked to keep. What the youngest snapshot needs is
 * never touched: the next backup builds on it, and a full one makes it go in its time. Chains that
 * would take more than they free are not among them, nor those of which a copy would stand behind
 * the snapshot that follows its original: after a night with the clock ahead names lie side by
 * side, and an old state would become the youngest.
 */
export function planCompact(
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

/** `taken`: names of repair archives. */
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

/** The name of a second later, or of the next one that no repair has. */
function nameAfter(snapshot: SnapshotId, taken: ReadonlySet<SnapshotId>): SnapshotId {
  const name = snapshotIdOf(new Date(timeOf(snapshot).getTime() + 1000), null);
  return taken.has(name) ? nameAfter(name, taken) : name;
}

/** Does an archive go when the chain was written anew? */
export function goes({ going }: ChainToCompact, archive: string): boolean {
  return going.has(parseArchiveName(archive)?.snapshot ?? "");
}

/** Is the copy of one of its snapshots a full one? */
export function standsAlone(chain: ChainToCompact, index: SnapshotIndex): boolean {
  return chain.rewritten[0] === index && index.needs.every(({ archive }) => goes(chain, archive));
}

/**
 * The snapshots as they are when chains were written anew, in their order. The copies have no
 * archives here.
 */
export function asCompacted(
  snapshots: readonly SnapshotIndex[],
  chains: readonly ChainToCompact[],
): readonly SnapshotIndex[] {
  const copies = chains.flatMap((chain) =>
    chain.rewritten.map(
      (index): SnapshotIndex => ({
        ...index,
        snapshot: chain.names.get(index.snapshot) ?? index.snapshot,
        kind: standsAlone(chain, index) ? "full" : "incremental",
        archives: [],
        needs: index.needs.filter(({ archive }) => !goes(chain, archive)),
      }),
    ),
  );
  return [...snapshots, ...copies].toSorted((one, other) => (one.snapshot < other.snapshot ? -1 : 1));
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
  // A content is never larger packed than its whole archive.
  const fromOthers = [...needed].reduce(
    (sum, [archive, bytes]) => sum + Math.min(bytes, size.get(archive) ?? bytes),
    0,
  );
  const written = fromOthers + chain.reduce((sum, index) => sum + bytesOf(index), 0);
  return { rewritten: chain, going, freed, written };
}
