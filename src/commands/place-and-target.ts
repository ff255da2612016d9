import type { ConnectedTarget } from "./compose.js";
import type { ExitCode } from "../core/errors.js";
import type { CommandArgument, CommandCall } from "./command.js";
import { documentsIn, readFolder, readPlace, readSite, refuseInside, refuseSameSite, rootOf } from "./location.js";
import type { Read } from "./verbs/migration.js";
import type { Ended, Session, SessionPlan } from "./verbs/session.js";
import { warnOfUnused } from "./verbs/unused-options.js";

/** What commands take that set a site or a workspace against a target. */
export const PLACE_AND_TARGET: readonly CommandArgument[] = [
  { name: "SOURCE|WORKSPACE", about: "the source's address, its documents, or a workspace folder" },
  { name: "TARGET", about: "the target's address" },
];

/** Lets a command work on the two, after a source was read into the workspace. */
export async function withPlaceAndTarget(
  call: CommandCall,
  plan: Pick<SessionPlan, "command" | "asBefore">,
  work: (session: Session, connected: ConnectedTarget, read: Read) => Promise<Ended>,
): Promise<ExitCode> {
  const { insecureHttp, workspace } = call.settings;
  const place = readPlace(call.arguments[0] ?? "", insecureHttp);
  const target = readSite(call.arguments[1] ?? "", insecureHttp);
  if ("site" in place) refuseSameSite(place.site, target);
  const isSource = !("workspace" in place);
  const directory = isSource ? readFolder(workspace) : place.workspace;
  refuseInside(place, directory);
  warnOfUnused(call, { command: plan.command, place });
  const sites = { ...(isSource ? { source: rootOf(place) } : {}), target };
  const { withWorkspace } = await import("./verbs/session.js");
  const { withBoth } = await import("./verbs/migration.js");
  return withWorkspace(call, { ...plan, directory, create: isSource, sites, ...documentsIn(place) }, (session) =>
    withBoth(session, place, target, (connected, read) => work(session, connected, read)),
  );
}
