import { isBeforeRestore } from "../storage/repository/before-restore.js";
import type { Deletions, ReadingOptions, SnapshotIndex } from "../storage/repository/format.js";
import { HEAD } from "../storage/repository/head.js";
import { snapshotIdOf } from "../storage/repository/names.js";
import { doubtedSince } from "../storage/repository/plan-prune.js";
import { openRepository } from "../storage/repository/read/open-repository.js";
import type { RepositoryKeys } from "../storage/repository/read/repository-keys.js";
import type { Encryption } from "../storage/repository/write/encryption.js";
import type { SiteIdentity, Source } from "../core/contracts.js";
import { UsageError } from "../core/errors.js";
import { type Key, kindOf } from "../core/model/key.js";
import { keepLean } from "../core/util/lean-memory.js";
import type { Failure } from "../storage/workspace/failure-list.js";
import type { Workspace } from "../storage/workspace/workspace.js";
import type { Control } from "../sync/control.js";
import { extract } from "../sync/extract.js";
import { personalDataIn } from "../sync/extract-personal.js";
import type { ExtractOptions } from "../sync/extract-run.js";
import type { ExtractSummary } from "../sync/extract-summary.js";
import type { Unlisted } from "../sync/extract-unlisted.js";
import { EVERYTHING } from "../sync/select.js";
import type { ArchiveElsewhere } from "./night/archive-elsewhere.js";
import type { BackupOptions } from "./night/backup-options.js";
import type { BackupSummary } from "./night/backup-summary.js";
import { isMediaKind } from "./night/content-in.js";
import { describeDeletions, judgeDeletions } from "./night/deletion-brake.js";
import { forgetUnused } from "./night/forget-unused.js";
import type { HeldRepository } from "./night/hold-repository.js";
import { type Learnt, learnPlaces } from "./night/learn-places.js";
import { leaveMedia } from "./night/leave-media.js";
import { failuresOf, leavePersonal, wantedBy } from "./night/leave-personal.js";
import { prepareRepository, refuseNotAdmin } from "./night/prepare-repository.js";
import { noteRepository, refuseSharedWorkspace } from "./night/refuse-shared.js";
import { forgetShortMedia } from "./night/short-media.js";
import { chooseKind } from "./night/snapshot-kind.js";
import { noteRecipients } from "./night/warn-of-recipients.js";
import { type NightWritten, writeNight } from "./night/write-night.js";

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
  readonly reading: Pick<ExtractOptions, "refreshNights">;
  /** What the source was made with, for the manifest. Default: nothing is said. */
  readonly readAs?: ReadingOptions;
  readonly madeBy: string;
  readonly now: () => Date;
  readonly control: Control;
}

/**
 * Adds a snapshot of the site to the repository: reads what is new or changed into the workspace, writes what no archive holds, reads it again, and
 * lets go of the media that are in the archives now. May be killed anywhere and called again. Throws UsageError (another site's repository,
 * no admin, a key is needed), ArchiveError (the disk), and what `extract` throws.
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
    const learnt = await learnPlaces(parts.workspace, repository);
    await noteRepository(parts.workspace, held.folder);
    const short = await forgetShortMedia(parts.workspace, repository);
    const lost = lacksBytes(learnt) || lacksMedia(parts.workspace.failures.list("media")) || short > 0;
    const isWanted = wantedBy(source);
    const kept = new Set<Key>();
    const unlisted = new Map<string, Unlisted>();
    const read = await readSite(parts, site, {
      lost,
      onKept: (key) => kept.add(key),
      onUnlisted: (list) => unlisted.set(list.list, list),
    });
    const deletions = judgeDeletions([...unlisted.values()], options.maxDeletions);
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
    const night = {
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
    const written = await writeNight({ ...night, madeBy, started, now, control });
    await leaveMedia(workspace);
    return summaryOf(parts, extracted, started, {
      index: written.index,
      warnings: [
        ...listed(describeDeletions(deletions)),
        ...warnOfDoubt(repository.snapshots(), deletions),
        ...warnOfClock(repository.snapshots().at(-1), started),
        ...warningsOf(learnt),
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

/** Archives in the clear beside encrypted ones are a slip, and can't be taken back once they lie somewhere. */
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
      beforeGone: (unlisted) => unlisted.forEach(onUnlisted),
      // What lay in archives that are gone is asked for again with the items that use it.
      ...(lost ? { refreshNights: 1 } : {}),
    },
    control,
  });
}

/** What came with damaged snapshots or items is known to nobody: which guide shows a picture only the guides say. */
function lacksBytes({ forgotten, unreadable, damaged }: Learnt): boolean {
  return forgotten + unreadable + damaged.length > 0;
}

/** Bytes of media that are nowhere: which guide shows them only the guides know, so all are read. */
function lacksMedia(failures: readonly Failure[]): boolean {
  return failures.some(({ key }) => isMediaKind(kindOf(key)));
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

function warningsOf({ rebuilt, forgotten, unreadable, passedOver, damaged }: Learnt): readonly string[] {
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
  { index, warnings }: NightWritten,
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
