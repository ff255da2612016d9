import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { STAMP } from "../../../storage/repository/read/repository-folder.js";
import { UsageError } from "../../../core/errors.js";
import { isUnder } from "../../../backup/night/is-under.js";
import type { RestoreElsewhere } from "../../../backup/restore-elsewhere.js";
import { type FillSummary, fillFromSnapshot } from "../../../backup/restore-fill.js";
import type { CommandCall } from "../../command.js";
import { readFolder } from "../../location.js";
import { selectionOf } from "../selection.js";
import { controlOf, type Session } from "../session.js";
import type { Archives } from "./with-archives.js";

/**
 * `--workspace`, or a folder beside the archives: the same one for each restore, so that a stopped one goes on. Throws UsageError for encrypted
 * archives, whose texts would lie there in the clear: somebody has to say where they may.
 */
export function workspaceFor(call: CommandCall, archives: Archives): string {
  const directory = workspaceBeside(call, archives);
  if (!archives.repository.snapshots().some(({ encrypted }) => encrypted)) return directory;
  if (!call.given.has("workspace")) {
    throw new UsageError(
      "The archives are encrypted, and a restore works with their texts in the clear. Name a place for these that only you can read, the same one until you are done: --workspace DIR.",
    );
  }
  refuseAmongArchives(directory, archives);
  return directory;
}

/** The same, for whoever writes nothing there. */
export function workspaceBeside({ given, settings }: CommandCall, { path }: Archives): string {
  return given.has("workspace") ? readFolder(settings.workspace) : `${resolve(path)}-restore`;
}

/** Throws UsageError for a folder in the repository. */
export function refuseAmongArchives(directory: string, { path, isRepository }: Archives): void {
  const folder = isRepository ? path : dirname(resolve(path));
  if (!isUnder(directory, folder) || !(isRepository || existsSync(join(folder, STAMP)))) return;
  throw new UsageError(
    `${directory} lies in the repository ${folder} itself, where only archives belong. Name another folder.`,
  );
}

/** Lays what the options choose of the snapshot into the session's workspace, which was opened with `elsewhere`. */
export function fill(
  { call, workspace }: Session,
  { contents }: Archives,
  elsewhere: RestoreElsewhere,
  copyMedia: boolean,
): Promise<FillSummary> {
  const selection = selectionOf(call.settings);
  return fillFromSnapshot({ elsewhere, contents, workspace, selection, copyMedia, control: controlOf(call) });
}
