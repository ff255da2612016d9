import { homedir } from "node:os";
import type { Survey, Target } from "../../../core/contracts.js";
import { UsageError, WorkspaceError } from "../../../core/errors.js";
import { lastLoad } from "../../../storage/workspace/target-registry.js";
import { userStateFolder } from "../../../storage/workspace/user-state-folder.js";
import type { Session } from "../session.js";

/**
 * Throws UsageError when a restore into this site was done from this workspace before, which knows nothing of that any more: what it made would be made a second
 * time. An empty site has nothing to double.
 */
export function refuseForgotten(
  { call, workspace }: Session,
  { name }: Pick<Target, "name">,
  { identity, highestGuide }: Survey,
): void {
  const isKnown = workspace.targets().some(({ root }) => root === identity.root);
  const before = isKnown || highestGuide === 0 ? undefined : lastRestore(call, workspace.directory, name);
  if (before === undefined) return;
  throw new UsageError(
    `${identity.root} was restored into before (last ${before}), and what was made there under which id stood in ${workspace.directory}, which is lost: a restore now would make everything ` +
      "a second time. Nothing was written. Put that folder back in its place; or empty the site first; or, if the site holds nothing of that restore, give another folder with --workspace.",
  );
}

function lastRestore({ environment }: Session["call"], directory: string, root: string): string | undefined {
  const base = userStateFolder({ environment, platform: process.platform, home: homedir() });
  try {
    return lastLoad(base, { root }, directory);
  } catch (error) {
    // The load says that the notes can't be read, when it warns by them.
    if (error instanceof WorkspaceError) return undefined;
    throw error;
  }
}
