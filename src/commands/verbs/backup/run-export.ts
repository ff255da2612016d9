import { statSync } from "node:fs";
import { join, resolve } from "node:path";
import type { SnapshotIndex } from "../../../storage/repository/format.js";
import { archiveName, parseArchiveName } from "../../../storage/repository/names.js";
import { openRepository } from "../../../storage/repository/read/open-repository.js";
import { EXIT, type ExitCode, UsageError } from "../../../core/errors.js";
import { exportSnapshot } from "../../../backup/export-snapshot.js";
import { isUnder } from "../../../backup/night/is-under.js";
import type { CommandCall } from "../../command.js";
import { size } from "../../output/describe-backup.js";
import { count } from "../../output/words.js";
import { chosenSnapshot } from "./chosen-snapshot.js";
import { encryptionOf, keysOf } from "./encryption-of.js";

/** Writes one snapshot of a repository into a file of its own. */
export async function runExport(call: CommandCall, folder: string): Promise<ExitCode> {
  const { settings, output } = call;
  const goal = settings.archiveFile;
  if (goal === null) throw new UsageError("Where does the snapshot go? Name the file: -o FILE.zip.");
  const encryption = await encryptionOf(call, { passphrase: goal.toLowerCase().endsWith(".age") });
  const repository = await openRepository(folder, { keys: await keysOf(call) });
  try {
    const snapshot = chosenSnapshot(call, repository, settings.at);
    const path = pathOf(goal, snapshot, encryption !== null);
    if (isUnder(path, folder)) {
      throw new UsageError(
        `${path} lies in the repository itself, where only snapshots belong. Name another place with -o.`,
      );
    }
    const progress = (done: number, total: number): void =>
      output.progress({ stage: "archive", done, total, failed: 0 });
    const isSealed = encryption !== null;
    if (!isSealed && path.toLowerCase().endsWith(".age")) throw unsealed(path);
    if (!isSealed && isEncrypted(snapshot)) {
      output.warn(
        `The snapshot is encrypted in the repository, and ${path} holds it in the clear. --encrypt-to age1… encrypts it again.`,
      );
    }
    const { file, manifest } = await exportSnapshot({
      repository,
      snapshot,
      path,
      encryption,
      signal: call.abort,
      progress,
    });
    const { counts, complete } = manifest;
    output.close();
    output.say(
      `${path}: snapshot ${snapshot.snapshot} of ${manifest.site.name}, ${count(counts.present, "item")} and ${count(counts.media, "media file")}, ` +
        `${size(file.bytes)}${complete ? "" : "; it was INCOMPLETE when it was made"}.`,
    );
    output.event("summary", {
      exitCode: EXIT.ok,
      file: { ...file, path },
      snapshot: snapshot.snapshot,
      complete,
      counts,
    });
    return EXIT.ok;
  } finally {
    await repository.close();
  }
}

/** Whoever finds a file of that name later would believe that nobody without the key can read it. */
function unsealed(path: string): UsageError {
  return new UsageError(
    `${path} would say by its name that it is encrypted, and nothing was given that encrypts it. Add --encrypt-to age1…, or set GUIDEFERRY_PASSPHRASE; ` +
      "for a file in the clear leave out .age.",
  );
}

/** Itself, or archives of older snapshots that it needs. */
function isEncrypted({ encrypted, needs }: SnapshotIndex): boolean {
  return encrypted || needs.some(({ archive }) => parseArchiveName(archive)?.encrypted === true);
}

/** A folder gets a file with the name that the archive has in a repository. */
function pathOf(goal: string, { name, snapshot }: SnapshotIndex, encrypted: boolean): string {
  const isFolder = statSync(goal, { throwIfNoEntry: false })?.isDirectory() === true;
  return isFolder
    ? join(resolve(goal), archiveName({ name, snapshot, kind: "full", part: null, encrypted }))
    : resolve(goal);
}
