import type { Source } from "../core/contracts.js";
import { EXIT, FerryError, UsageError } from "../core/errors.js";
import type { SiteIdentity } from "../core/model/identity.js";
import { isMediaKey, type Key } from "../core/model/key.js";
import { keepLean } from "../core/util/lean-memory.js";
import type { Deletions, ReadingOptions, SnapshotIndex, SnapshotKind } from "../storage/repository/format.js";
import { HEAD } from "../storage/repository/index-files.js";
import { isBeforeRestore, sinceFull, snapshotIdOf } from "../storage/repository/names.js";
import { doubtedSince } from "../storage/repository/plan-prune.js";
import { isDamage } from "../storage/repository/read/damage.js";
import { openRepository } from "../storage/repository/read/open-repository.js";
import type { RepositoryKeys } from "../storage/repository/read/repository-keys.js";
import type { Repository } from "../storage/repository/repository.js";
import type { Encryption } from "../storage/repository/write/encryption.js";
import type { Failure } from "../storage/workspace/failure-list.js";
import type { Workspace } from "../storage/workspace/workspace.js";
import type { Control, DeletionLimit } from "../sync/control.js";
import { extract } from "../sync/extract/extract.js";
import type { ExtractOptions, ListedSort, Unlisted } from "../sync/extract/run.js";
import { type ExtractSummary, personalDataIn } from "../sync/extract/summary.js";
import { EVERYTHING } from "../sync/selection.js";
import {
  type ArchiveElsewhere,
  type HeldRepository,
  noteRecipients,
  noteRepository,
  prepareRepository,
  refuseNotAdmin,
  refuseSharedWorkspace,
} from "./hold-repository.js";
import { type LearnedPlaces, learnPlaces } from "./learn-places.js";
import { failuresOf, forgetShortMedia, forgetUnused, leaveMedia, leavePersonal, wantedBy } from "./left-out.js";
import { type WrittenSnapshot, writeBackup } from "./write-snapshot.js";

/** What a backup is given. */
export interface BackupParts {
  readonly source: Source;
  /** Opened with `elsewhere`. */
  readonly workspace: Workspace;
  readonly elsewhere: ArchiveElsewhere;
  readonly held: HeldRepository;
  /** To read older archives with; nothing needs them on a usual night. */
  readonly keys: RepositoryKeys;
  /** null: plain archives. */
  readonly encryption: Encryption | null;
  readonly options: BackupOptions;
  /** How the site is read. */
  readonly reading: Pick<ExtractOptions, "refreshCycle">;
  /** What the source was made with, for the manifest. Default: nothing is said. */
  readonly readAs?: ReadingOptions;
  readonly madeBy: string;
  readonly now: () => Date;
  readonly control: Control;
}

/**
 * Adds a snapshot of the site to the repository: reads what is new or changed into the workspace,
 * writes what no archive holds, reads it again, and lets go of the media that are in the archives
 * now. May be killed anywhere and called again. Throws UsageError (another site's repository, no
 * admin, a key is needed), ArchiveError (the disk), and what `extract` throws.
 */
export async function backup(parts: BackupParts): Promise<BackupSummary> {
  const { source, held, options, control, now, madeBy, keys } = parts;
  const started = now();
  const site = await source.identify(control.abort);
  refuseNotAdmin(site, options.publicOnly);
  await refuseSharedWorkspace(parts.workspace, held);
  const name = await prepareRepository(held, site, { name: options.name, madeBy, now: started });
  const repository = await openRepository(held.folder, { keys });
  const lean = keepLean();
  try {
    refuseClearText(repository.snapshots().at(-1)?.encrypted ?? false, parts.encryption);
    parts.elsewhere.bind(parts.workspace.archived, repository);
    const learned = await learnPlaces(parts.workspace, repository);
    await noteRepository(parts.workspace, held.folder);
    const short = await forgetShortMedia(parts.workspace, repository);
    const lost = lacksBytes(learned) || lacksMedia(parts.workspace.failures.list("media")) || short > 0;
    const isWanted = wantedBy(source);
    const kept = new Set<Key>();
    const unlisted = new Map<string, Unlisted>();
    const read = await readSite(parts, site, {
      lost,
      onKept: (key) => kept.add(key),
      onUnlisted: (list) => unlisted.set(list.list, list),
    });
    const deletions = checkDeletions([...unlisted.values()], options.maxDeletions);
    const extracted = { ...read, personalData: await personalDataIn(parts.workspace.items, isWanted) };
    if (lost) await forgetUnused(parts.workspace);
    const last = [...repository.snapshots(), ...repository.repairs()]
      .map(({ snapshot }) => snapshot)
      .toSorted()
      .at(-1);
    const chosen = await chooseKind(repository, options.fullEvery);
    const { workspace, encryption, readAs } = parts;
    const snapshot = snapshotIdOf(started, last ?? null);
    const { partBytes } = options;
    const facts = {
      workspace,
      repository,
      name,
      snapshot,
      kind: chosen.kind,
      fullDue: chosen.fullDue,
      extracted,
      isWanted,
      kept,
      deletions,
      encryption,
      partBytes,
      readAs,
    };
    leavePersonal(workspace, isWanted);
    const written = await writeBackup({ ...facts, madeBy, started, now, control });
    await leaveMedia(workspace);
    return summaryOf(parts, extracted, started, {
      index: written.index,
      warnings: [
        ...listed(describeDeletions(deletions)),
        ...warnOfDoubt(repository.snapshots(), deletions),
        ...warnOfClock(repository.snapshots().at(-1), started),
        ...warningsOf(learned),
        ...repository.remarks.filter(({ file }) => file === HEAD).map(({ text }) => text),
        ...warnOfKept(kept.size),
        ...warnOfShort(short),
        ...noteRecipients(workspace.archived, encryption),
        ...(chosen.warning === undefined ? [] : [chosen.warning]),
        ...written.warnings,
      ],
    });
  } finally {
    lean.stop();
    await repository.close();
  }
}

/**
 * Archives in the clear beside encrypted ones are a slip, and can't be taken back once they lie
 * somewhere.
 */
function refuseClearText(wasEncrypted: boolean, encryption: Encryption | null): void {
  if (!wasEncrypted || encryption !== null) return;
  throw new UsageError(
    "The last snapshot of this repository is encrypted, and this one would not be. Give --encrypt-to age1… or GUIDEFERRY_PASSPHRASE as before, or use another repository.",
  );
}

interface Reading {
  /** Bytes are nowhere: everything is read anew. */
  readonly lost: boolean;
  readonly onKept: (key: Key) => void;
  readonly onUnlisted: (list: Unlisted) => void;
}

async function readSite(
  parts: BackupParts,
  site: SiteIdentity,
  { lost, onKept, onUnlisted }: Reading,
): Promise<ExtractSummary> {
  const { source, workspace, options, control, reading } = parts;
  return extract({
    // It was asked once; a second answer could be another one.
    source: { ...source, identify: async () => site },
    workspace,
    selection: { ...EVERYTHING, includePrivate: !options.publicOnly || site.account?.admin !== true },
    options: {
      ...reading,
      failedFirst: true,
      onKept,
      beforeDeletions: (unlisted) => unlisted.forEach(onUnlisted),
      // What lay in archives that are gone is asked for again with the items that use it.
      ...(lost ? { refreshCycle: 1 } : {}),
    },
    control,
  });
}

/**
 * What came with damaged snapshots or items is known to nobody: which guide shows a picture only
 * the guides say.
 */
function lacksBytes({ forgotten, unreadable, damaged }: LearnedPlaces): boolean {
  return forgotten + unreadable + damaged.length > 0;
}

/**
 * Bytes of media that are nowhere: which guide shows them only the guides know, so all are read.
 */
function lacksMedia(failures: readonly Failure[]): boolean {
  return failures.some(({ key }) => isMediaKey(key));
}

/** A time that is wrong once stays in the name of its snapshot. */
function warnOfClock(last: SnapshotIndex | undefined, now: Date): readonly string[] {
  if (last === undefined || Date.parse(last.started) <= now.getTime()) return [];
  return [
    `The last snapshot, ${last.snapshot}, began at ${last.started}, which is later than now (${now.toISOString()}): the clock was wrong then, or is now. ` +
      "Look at the clock of this machine.",
  ];
}

/** Snapshots pile up until somebody agrees. */
function warnOfDoubt(
  before: readonly SnapshotIndex[],
  { manyDeleted, deletionsAccepted }: Deletions,
): readonly string[] {
  const doubted = doubtedSince(before.filter((index) => !isBeforeRestore(index)));
  if (doubted === undefined || manyDeleted !== undefined || deletionsAccepted === true) return [];
  return [
    `Since ${doubted}, when more vanished at once than --max-deletions allows, no earlier snapshot is pruned. If that was meant to be so, run the same command once with --max-deletions 100%.`,
  ];
}

function listed(text: string | undefined): readonly string[] {
  return text === undefined ? [] : [text];
}

function warnOfKept(kept: number): readonly string[] {
  if (kept === 0) return [];
  return [
    `${kept} guides and pages were on no list of this night (private guides that were not asked for, or a list that the site refused): ` +
      "the snapshot has them as they were read before.",
  ];
}

function warnOfShort(short: number): readonly string[] {
  if (short === 0) return [];
  return [
    `${short} pictures and videos of earlier backups stopped before the end of their format: this backup read the site anew and asked for them again. ` +
      "Earlier snapshots keep them as they came.",
  ];
}

function warningsOf({ rebuilt, forgotten, unreadable, passedOver, damaged }: LearnedPlaces): readonly string[] {
  return [
    ...(damaged.length === 0
      ? []
      : [
          `What the workspace did not know could not be read from ${damaged.join(", ")}, which can't be read to the end; it was read from the snapshot before, where there is one, and from the site. ` +
            "`guideferry verify REPO` tells what is damaged, `guideferry repair REPO SITE` mends what it can.",
        ]),
    ...(passedOver === undefined
      ? []
      : [
          `The snapshot ${passedOver} was taken with another workspace, as a restore does, and no key was given to read it: what only it holds is written once more.`,
        ]),
    ...(rebuilt === 0 ? [] : [`The workspace was new: ${rebuilt} items were taken from the last snapshot.`]),
    ...(unreadable === 0
      ? []
      : [`${unreadable} items of the last snapshot could not be read and were read from the site.`]),
    ...(forgotten === 0 ? [] : [`${forgotten} contents lay in archives that are gone or cut; they are written anew.`]),
  ];
}

function summaryOf(
  { source, held, workspace, now }: BackupParts,
  extracted: ExtractSummary,
  started: Date,
  { index, warnings }: WrittenSnapshot,
): BackupSummary {
  return {
    folder: held.folder,
    index,
    bytes: index.archives.reduce((sum, { bytes }) => sum + bytes, 0),
    duration: now().getTime() - started.getTime(),
    extracted,
    failures: failuresOf(workspace, wantedBy(source)),
    warnings,
  };
}

/** How a backup is made. */
export interface BackupOptions {
  /** What the files are called; null: the name of the repository, or the host of the site. */
  readonly name: string | null;
  /** Bytes of contents in a part. */
  readonly partBytes: number;
  /** Every so many snapshots a full one; the first one always is. */
  readonly fullEvery: number;
  readonly maxDeletions: DeletionLimit;
  /** The account need not be an admin: private guides are left out. */
  readonly publicOnly: boolean;
}

/** What a backup did. */
export interface BackupSummary {
  readonly folder: string;
  readonly index: SnapshotIndex;
  /** Bytes of the files that were written. */
  readonly bytes: number;
  /** Milliseconds from the first request to the snapshot. */
  readonly duration: number;
  readonly extracted: ExtractSummary;
  /** What of the site is not, or not newly, in it. */
  readonly failures: readonly Failure[];
  /** What a person should know beside. */
  readonly warnings: readonly string[];
}

/** The kind of the next snapshot, and a warning where it should have been another one. */
interface ChosenKind {
  readonly kind: SnapshotKind;
  readonly warning?: string;
  /** A full snapshot is due and waits for a key: every so many snapshots one was asked for. */
  readonly fullDue?: number;
}

/**
 * The first snapshot is full; later ones are when so many have come since the last full one, itself
 * counted. That needs the older archives' bytes.
 */
async function chooseKind(repository: Repository, fullEvery: number): Promise<ChosenKind> {
  const snapshots = repository.snapshots();
  const last = snapshots.at(-1);
  if (last === undefined) return { kind: "full" };
  const since = sinceFull(snapshots) + 1;
  if (since < fullEvery) return { kind: "incremental" };
  if (await canRead(repository)) return { kind: "full" };
  return {
    kind: "incremental",
    fullDue: fullEvery,
    warning:
      `NO FULL SNAPSHOT: one is due every ${fullEvery} (--full-every), this is number ${since} after the last one, and the older archives can't be read without a key, so it is incremental again. ` +
      "Until there is a full one, no archive since the last full one can be pruned, whatever --keep says: the repository grows each night, and each restore needs all of them. " +
      "Give --identity FILE (or GUIDEFERRY_PASSPHRASE) to one backup.",
  };
}

/** Do the keys open the youngest encrypted one that isn't damaged? */
async function canRead(repository: Repository): Promise<boolean> {
  for (const { snapshot, encrypted } of repository.snapshots().toReversed()) {
    if (!encrypted) return true;
    try {
      await repository.manifest(snapshot);
      return true;
    } catch (error) {
      if (error instanceof FerryError && error.exitCode === EXIT.usage) return false;
      if (!isDamage(error)) throw error;
    }
  }
  return true;
}

/**
 * How many may go in one night although they are more than the limit: where others are left, and
 * where they are the last ones.
 */
interface Few {
  readonly some: number;
  readonly last: number;
}

/** What people remove and settle day by day stops no night, unless it is all of much. */
const FEW: Readonly<Record<ListedSort, Few>> = {
  items: { some: 1, last: 0 },
  records: { some: 10, last: 1 },
  rows: { some: 10, last: 4 },
  passing: { some: 10, last: 10 },
};

/**
 * The lists of which too much would count as deleted, or that had something and come back empty.
 * The snapshot is taken all the same, since what else is new must not be lost; it is marked, and
 * those before it are kept until somebody agrees (plan-prune).
 */
export function checkDeletions(unlisted: readonly Unlisted[], limit: DeletionLimit): Deletions {
  const accepts = "share" in limit && limit.share >= 1;
  const wrong = unlisted.filter((list) => isTooMuch(list, limit));
  return {
    ...(accepts ? { deletionsAccepted: true } : {}),
    ...(wrong.length === 0
      ? {}
      : { manyDeleted: wrong.map(({ list, present, unlisted: gone }) => ({ list, present, gone })) }),
  };
}

/** What a person must know of a snapshot in which too much vanished; undefined: nothing did. */
export function describeDeletions({ manyDeleted }: Deletions): string | undefined {
  if (manyDeleted === undefined) return undefined;
  const found = manyDeleted.map(({ list, present, gone }) =>
    gone === present
      ? `the list of ${list} is empty, and had ${present}`
      : `${gone} of ${present} ${list} are no longer listed`,
  );
  return (
    `More vanished than --max-deletions allows: ${found.join("; ")}. The snapshot was taken and shows it as deleted; every snapshot before it has it, and none of these is pruned. ` +
    "Look at the site, and at whether the account still sees everything. If it is meant to be so, run the same command once with --max-deletions 100%: then older snapshots are pruned again."
  );
}

function isTooMuch({ of, present, unlisted }: Unlisted, limit: DeletionLimit): boolean {
  const few = FEW[of];
  const most = "count" in limit ? limit.count : limit.share * present;
  if (unlisted < present) return unlisted > Math.max(few.some, most);
  const isAllowed = "share" in limit ? limit.share >= 1 : unlisted <= limit.count;
  return unlisted > few.last && !isAllowed;
}
