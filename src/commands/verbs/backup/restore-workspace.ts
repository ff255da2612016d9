import { resolve } from "node:path";
import type { RestoreElsewhere } from "../../../pipeline/backup/restore-elsewhere.js";
import { type FillSummary, fillFromSnapshot } from "../../../pipeline/backup/restore-fill.js";
import type { CommandCall } from "../../command.js";
import { readFolder } from "../../location.js";
import { selectionOf } from "../selection.js";
import { controlOf, type Session } from "../session.js";
import type { Archives } from "./with-archives.js";

/** `--workspace`, or a folder beside the archives: the same one for each restore, so that a stopped one goes on. */
export function workspaceFor({ given, settings }: CommandCall, { path }: Archives): string {
  return given.has("workspace") ? readFolder(settings.workspace) : `${resolve(path)}-restore`;
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
