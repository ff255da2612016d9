import type { Source } from "../core/contracts.js";
import { EXIT, FerryError, UsageError } from "../core/errors.js";
import type { SiteIdentity } from "../core/model/identity.js";
import { isMediaKey, type Key } from "../core/model/key.js";
import { keepLean } from "../core/util/lean-memory.js";
import type { Deletions, ReadingOptions, SnapshotIndex, SnapshotKind } from "../storage/repository/format.js";
import { HEAD } from "../storage/repository/index-files.js";
import { isBeforeRestore, sinceFull, snapshotIdOf } from "../storage/repository/names.js";
import { unconfirmedSince } from "../storage/repository/plan-prune.js";
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
import { dropPersonal, failuresOf, forgetShortMedia, forgetUnused, wantedBy } from "./left-out.js";
import { dropArchivedMedia, takeBack } from "./moved-media.js";
import { type WrittenSnapshot, writeBackup } from "./write-snapshot.js";

/** What a backup is given. */
export interface BackupParts {
  readonly source: Source;
  readonly workspace: Workspace;
  readonly elsewhere: ArchiveElsewhere;
  readonly held: HeldRepository;
  /** Open older archives; most backups read none. */
  readonly keys: RepositoryKeys;
  /** null: plain archives. */
  readonly encryption: Encryption | null;
  readonly options: BackupOptions;
  readonly reading: Pick<ExtractOptions, "refreshCycle">;
  /** The options of the source, for the manifest. Default: the manifest has none. */
  readonly readAs?: ReadingOptions;
  readonly madeBy: string;
  readonly now: () => Date;
  readonly control: Control;
}

/**
 * Adds a snapshot of the site to the repository: reads what is new or changed into the workspace,
 * writes what no archive holds, reads it again to check it, and removes the media that are now in
 * archives from the workspace. A killed backup can be run again. Throws UsageError (repository of
 * another site, no admin, a key is needed), ArchiveError (the disk), and what `extract` throws.
 */
export async function backup(parts: BackupParts): Promise<BackupSummary> {
  const { source, held, options, control, now, madeBy, keys } = parts;
  const started = now();
  const site = await source.identify(control.abort);
  refuseNotAdmin(site, options.publicOnly);
  await refuseSharedWorkspace(parts.workspace, held);
  const name = await prepareRepository(held, site, { name: options.name, madeBy, now: started });
  const repository = await openRepository(held.storage, { keys });
  const lean = keepLean();
  try {
    refuseClearText(repository.snapshots().at(-1)?.encrypted ?? false, parts.encryption);
    parts.elsewhere.bind(parts.workspace.archived, repository);
    const learned = await learnPlaces(parts.workspace, repository);
    const damaged = await takeBack(parts.workspace, control.abort);
    await noteRepository(parts.workspace, held.storage);
    const short = await forgetShortMedia(parts.workspace, repository);
    const lost = lacksBytes(learned) || lacksMedia(parts.workspace.failures.list("media")) || short + damaged > 0;
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
    dropPersonal(workspace, isWanted);
    const written = await writeBackup({ ...facts, madeBy, started, now, control });
    await dropArchivedMedia(workspace);
    return summaryOf(parts, extracted, started, {
      index: written.index,
      warnings: [
        ...optional(describeDeletions(deletions)),
        ...warnOfDeletions(repository.snapshots(), deletions),
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

/** An unencrypted archive cannot be taken back once it is copied to other storage. */
function refuseClearText(wasEncrypted: boolean, encryption: Encryption | null): void {
  if (!wasEncrypted || encryption !== null) return;
  throw new UsageError(
    "The last snapshot of this repository is encrypted, and this one would not be. Give --encrypt-to age1… or GUIDEFERRY_PASSPHRASE as before, or use another repository.",
  );
}

interface Reading {
  /** Some bytes are in no archive and not in the workspace: everything is read again. */
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
    source: { ...source, identify: async () => site },
    workspace,
    selection: { ...EVERYTHING, includePrivate: !options.publicOnly || site.account?.admin !== true },
    options: {
      ...reading,
      failedFirst: true,
      onKept,
      beforeDeletions: (unlisted) => unlisted.forEach(onUnlisted),
      // Media of missing archives are found by reading the items that use them again.
      ...(lost ? { refreshCycle: 1 } : {}),
    },
    control,
  });
}

/** Only the items say which media they use, so lost items or media make all of them be read. */
function lacksBytes({ forgotten, unreadable, damaged }: LearnedPlaces): boolean {
  return forgotten + unreadable + damaged.length > 0;
}

function lacksMedia(failures: readonly Failure[]): boolean {
  return failures.some(({ key }) => isMediaKey(key));
}

/** A wrong time stays in the name of its snapshot. */
function warnOfClock(last: SnapshotIndex | undefined, now: Date): readonly string[] {
  if (last === undefined || Date.parse(last.started) <= now.getTime()) return [];
  return [
    `The last snapshot, ${last.snapshot}, began at ${last.started}, which is later than now (${now.toISOString()}): the clock was wrong then, or is wrong now. ` +
      "Check the clock of this machine.",
  ];
}

/** Until a person accepts the deletions, the repository keeps every snapshot. */
function warnOfDeletions(
  before: readonly SnapshotIndex[],
  { manyDeleted, deletionsAccepted }: Deletions,
): readonly string[] {
  const doubted = unconfirmedSince(before.filter((index) => !isBeforeRestore(index)));
  if (doubted === undefined || manyDeleted !== undefined || deletionsAccepted === true) return [];
  return [
    `In the snapshot ${doubted}, more items were missing than --max-deletions allows. Since then, no earlier snapshot is pruned. ` +
      "If the deletions are intended, run the same command once with --max-deletions 100%.",
  ];
}

function optional(text: string | undefined): readonly string[] {
  return text === undefined ? [] : [text];
}

function warnOfKept(kept: number): readonly string[] {
  if (kept === 0) return [];
  return [
    `Guides and pages in none of the lists that this backup read: ${kept} (private guides that were not requested, or a list that the site refused). ` +
      "The snapshot has them as they were read before.",
  ];
}

function warnOfShort(short: number): readonly string[] {
  if (short === 0) return [];
  return [
    `Incomplete pictures and videos of earlier backups: ${short}. They stop before the end of their format. ` +
      "This backup read the site again and requested them again. Earlier snapshots keep the incomplete files.",
  ];
}

function warningsOf({ rebuilt, forgotten, unreadable, passedOver, damaged }: LearnedPlaces): readonly string[] {
  return [
    ...(damaged.length === 0
      ? []
      : [
          `Damaged snapshots, which cannot be read to the end: ${damaged.join(", ")}. What the workspace lacked was read from the snapshot before, if there is one, and from the site. ` +
            "`guideferry verify REPO` reports what is damaged, `guideferry repair REPO SITE` repairs what it can.",
        ]),
    ...(passedOver === undefined
      ? []
      : [
          `The snapshot ${passedOver} was taken with another workspace, as a restore does, and no key was given to read it. This backup writes again what only that snapshot holds.`,
        ]),
    ...(rebuilt === 0 ? [] : [`The workspace was new: ${rebuilt} items were taken from the last snapshot.`]),
    ...(unreadable === 0
      ? []
      : [`${unreadable} items of the last snapshot could not be read and were read from the site.`]),
    ...(forgotten === 0
      ? []
      : [`${forgotten} contents were in archives that are missing or cut off; they are written again.`]),
  ];
}

function summaryOf(
  { source, held, workspace, now }: BackupParts,
  extracted: ExtractSummary,
  started: Date,
  { index, warnings }: WrittenSnapshot,
): BackupSummary {
  return {
    repository: held.storage.address,
    index,
    bytes: index.archives.reduce((sum, { bytes }) => sum + bytes, 0),
    duration: now().getTime() - started.getTime(),
    extracted,
    failures: failuresOf(workspace, wantedBy(source)),
    warnings,
  };
}

export interface BackupOptions {
  /** The prefix of the file names; null: the name of the repository, or the host of the site. */
  readonly name: string | null;
  /** Bytes of contents in one part of an archive. */
  readonly partBytes: number;
  /** One snapshot in so many is full; the first one always is. */
  readonly fullEvery: number;
  readonly maxDeletions: DeletionLimit;
  /** Accepts an account that is not an admin, and leaves private guides out. */
  readonly publicOnly: boolean;
}

export interface BackupSummary {
  /** Its address. */
  readonly repository: string;
  readonly index: SnapshotIndex;
  readonly bytes: number;
  /** Milliseconds from the first request to the snapshot. */
  readonly duration: number;
  readonly extracted: ExtractSummary;
  /** Items that the snapshot lacks, or has only as an earlier backup read them. */
  readonly failures: readonly Failure[];
  readonly warnings: readonly string[];
}

interface ChosenKind {
  readonly kind: SnapshotKind;
  readonly warning?: string;
  /** The value of --full-every, when a full snapshot is due and no key was given for it. */
  readonly fullDue?: number;
}

/** A full snapshot copies contents from older archives, so it needs their keys. */
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
      `NO FULL SNAPSHOT: one is due every ${fullEvery} snapshots (--full-every), and this is number ${since} after the last one. ` +
      "The older archives cannot be read without a key, so this snapshot is incremental again. " +
      "Until there is a full snapshot, no archive since the last full one can be pruned, whatever --keep says. " +
      "The repository grows with each backup, and each restore needs all of these archives. " +
      "Give --identity FILE (or GUIDEFERRY_PASSPHRASE) to one backup.",
  };
}

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

/** Deletions in one backup that are allowed whatever the limit is. */
interface Few {
  /** Where other items of the list are left. */
  readonly some: number;
  /** Where the list becomes empty. */
  readonly last: number;
}

/** People delete and settle a few things each day, which must not mark a snapshot. */
const FEW: Readonly<Record<ListedSort, Few>> = {
  items: { some: 1, last: 0 },
  records: { some: 10, last: 1 },
  rows: { some: 10, last: 4 },
  passing: { some: 10, last: 10 },
};

/**
 * Finds the lists that lost more than the limit, or are empty and were not. The snapshot is taken
 * all the same, so that nothing new is lost; it is marked, and earlier ones are kept until a person
 * accepts the deletions (plan-prune).
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

/** undefined: no list lost more than the limit. */
export function describeDeletions({ manyDeleted }: Deletions): string | undefined {
  if (manyDeleted === undefined) return undefined;
  const found = manyDeleted.map(({ list, present, gone }) =>
    gone === present
      ? `the list of ${list} is empty, and had ${present} before`
      : `${gone} of ${present} ${list} are no longer listed`,
  );
  return (
    `More is missing than --max-deletions allows: ${found.join("; ")}. The snapshot was taken and shows the missing items as deleted; every earlier snapshot has them, and none of these is pruned. ` +
    "Check the site, and whether the account still sees everything. " +
    "If the deletions are intended, run the same command once with --max-deletions 100%; then older snapshots are pruned again."
  );
}

function isTooMuch({ of, present, unlisted }: Unlisted, limit: DeletionLimit): boolean {
  const few = FEW[of];
  const most = "count" in limit ? limit.count : limit.share * present;
  if (unlisted < present) return unlisted > Math.max(few.some, most);
  const isAllowed = "share" in limit ? limit.share >= 1 : unlisted <= limit.count;
  return unlisted > few.last && !isAllowed;
}
