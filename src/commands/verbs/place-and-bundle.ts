import { relative } from "node:path";
import { type ExitCode, UsageError } from "../../errors.js";
import { refuseGoal } from "../../pipeline/documents/load-bundles.js";
import type { CommandCall } from "../command.js";
import { type BundlePlace, documentsIn, type Place, readFolder, refuseInside, rootOf } from "../location.js";
import type { CommandName } from "../options/option.js";
import { loadIntoBundles, refuseSiteOptions, verifyAtBundles } from "./bundles.js";
import type { Read } from "./migration.js";
import { type Ended, type Session, withWorkspace } from "./session.js";
import { refresh } from "./source-steps.js";

/** Writes bundles, after a source was read into the workspace; what can't be written is found before that. */
export async function intoBundles(
  call: CommandCall,
  command: CommandName,
  place: Place,
  goal: BundlePlace,
): Promise<ExitCode> {
  refuseSiteOptions(call.settings);
  refuseOverItself(place, goal);
  await refuseGoal(goal);
  return withPlace(call, command, place, (session, read) => loadIntoBundles(session, goal, read));
}

/** Compares bundles with the workspace, after a source was read into it. */
export async function againstBundles(call: CommandCall, place: Place, goal: BundlePlace): Promise<ExitCode> {
  return withPlace(call, "verify", place, (session, read) => verifyAtBundles(session, goal, read));
}

async function withPlace(
  call: CommandCall,
  command: CommandName,
  place: Place,
  work: (session: Session, read: Read) => Promise<Ended>,
): Promise<ExitCode> {
  const isSource = !("workspace" in place);
  const directory = isSource ? readFolder(call.settings.workspace) : place.workspace;
  refuseInside(place, directory);
  const sites = isSource ? { source: rootOf(place) } : {};
  const plan = { command, directory, create: isSource, sites, ...documentsIn(place) };
  return withWorkspace(call, plan, async (session) =>
    work(session, "workspace" in place ? {} : { extracted: await refresh(session, place) }),
  );
}

/** A bundle that lies among the documents would be read as one of them the next time. */
function refuseOverItself(place: Place, goal: BundlePlace): void {
  if (!("documents" in place)) return;
  const path = "bundle" in goal ? goal.bundle : goal.bundles;
  const way = relative(place.documents, path);
  if (way !== "" && (way.startsWith("..") || relative(path, place.documents) === "")) return;
  throw new UsageError(`${path} lies in ${place.documents}, which is read. Name another place for what is written.`);
}
