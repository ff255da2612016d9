import { existsSync } from "node:fs";
import { join } from "node:path";
import { isRepository } from "../../../storage/repository/read/repository-folder.js";
import { EXIT, UsageError } from "../../../core/errors.js";

/** The workspace at a place: the folder itself, or the one of a repository's backups, which lies in it unless they are encrypted or it was named. */
export async function workspaceAt(path: string): Promise<string> {
  if (existsSync(join(path, "workspace.json")) || !(await isRepository(path))) return path;
  const inside = join(path, "workspace");
  if (existsSync(join(inside, "workspace.json"))) return inside;
  throw new UsageError(
    `${path} is a repository of backups, and their workspace is not in it: it lies where --workspace of the backup said. Give that folder.`,
    { exitCode: EXIT.notFound },
  );
}
