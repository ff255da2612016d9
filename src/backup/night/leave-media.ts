import type { Workspace } from "../../storage/workspace/workspace.js";

/** Takes media from the workspace that an archive holds, which was read again after it was written. Returns how many. */
export async function leaveMedia({ media, archived }: Pick<Workspace, "media" | "archived">): Promise<number> {
  let left = 0;
  for await (const sha256 of media.here()) {
    if (archived.medium(sha256) === undefined) continue;
    await media.remove(sha256);
    left += 1;
  }
  return left;
}
