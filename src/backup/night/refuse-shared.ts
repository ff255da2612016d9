import { resolve } from "node:path";
import { z } from "zod";
import { readStamp } from "../../storage/repository/write/stamp.js";
import { ArchiveError, UsageError } from "../../core/errors.js";
import type { Workspace } from "../../storage/workspace/workspace.js";
import type { HeldRepository } from "./hold-repository.js";

/** A repository, wherever it is moved to: when it was made. */
const ownerSchema = z.object({ folder: z.string(), created: z.string() });
type Owner = z.infer<typeof ownerSchema>;

/**
 * Refuses a workspace whose contents lie in the archives of another repository, as long as that is there: contents leave a workspace as soon as one
 * repository has them, so that the other one's snapshots would lack them. Throws UsageError (exit 2).
 */
export async function refuseSharedWorkspace({ archived, directory }: Workspace, held: HeldRepository): Promise<void> {
  const owner = ownerOf(archived.note("repository"));
  if (owner === undefined || owner.created === held.stamp?.created || !(await isThere(owner))) return;
  throw new UsageError(
    `The workspace ${directory} belongs to the repository ${owner.folder} and can't serve ${resolve(held.folder)} as well: what one of them has leaves the workspace, and the snapshots of the ` +
      "other would lack it. Nothing was read. Give each repository a workspace of its own: name another folder with --workspace, or leave it out for the one inside the repository.",
  );
}

/** Notes whose workspace this is, with what `repository.json` says by now. */
export async function noteRepository({ archived }: Workspace, folder: string): Promise<void> {
  const stamp = await readStamp(folder);
  if (stamp !== undefined)
    archived.putNote("repository", JSON.stringify({ folder: resolve(folder), created: stamp.created }));
}

/** Of a repository that was removed the workspace is free. */
async function isThere({ folder, created }: Owner): Promise<boolean> {
  try {
    return (await readStamp(folder))?.created === created;
  } catch (error) {
    // No repository any more, or one that can't be read: what it has is not in the way of this one.
    if (error instanceof ArchiveError) return false;
    throw error;
  }
}

function ownerOf(note: string | undefined): Owner | undefined {
  return note === undefined ? undefined : ownerSchema.parse(JSON.parse(note));
}
