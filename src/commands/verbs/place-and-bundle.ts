import { relative } from "node:path";
import { type ExitCode, UsageError } from "../../core/errors.js";
import { refuseGoal } from "../../documents/load-bundles.js";
import type { CommandCall } from "../command.js";
import { type BundlePlace, documentsIn, type Place, readFolder, refuseInside, rootOf } from "../location.js";
import type { CommandName } from "../options/option.js";
import { loadIntoBundles, planForBundles, verifyAtBundles } from "./bundles.js";
import { bundleRoot } from "./choices.js";
import type { Read } from "./migration.js";
import { type Ended, type Session, withWorkspace } from "./session.js";
import { refresh } from "./source-steps.js";
import { warnOfUnused } from "./unused-options.js";

/** Writes bundles, or says what would be written, after a source was read into the workspace; what can't be written is found before that. */
export async function intoBundles(
  call: CommandCall,
  command: CommandName,
  place: Place,
  goal: BundlePlace,
): Promise<ExitCode> {
  refuseOverItself(place, goal);
  await refuseGoal(goal);
  const isPlan = command === "plan" || call.settings.dryRun;
  const work = isPlan ? planForBundles : loadIntoBundles;
  return withPlace(call, { command, place, goal }, (session, read) => work(session, goal, read));
}

/** Compares bundles with the workspace, after a source was read into it: with what was chosen when they were written, unless something else is. */
export async function againstBundles(call: CommandCall, place: Place, goal: BundlePlace): Promise<ExitCode> {
  return withPlace(call, { command: "verify", place, goal, asBefore: true }, (session, read) =>
    verifyAtBundles(session, goal, read),
  );
}

interface BundleRun {
  readonly command: CommandName;
  readonly place: Place;
  readonly goal: BundlePlace;
  readonly asBefore?: boolean;
}

async function withPlace(
  call: CommandCall,
  { command, place, goal, asBefore = false }: BundleRun,
  work: (session: Session, read: Read) => Promise<Ended>,
): Promise<ExitCode> {
  const isSource = !("workspace" in place);
  const directory = isSource ? readFolder(call.settings.workspace) : place.workspace;
  refuseInside(place, directory);
  const target = bundleRoot("bundle" in goal ? goal.bundle : goal.bundles);
  const sites = isSource ? { source: rootOf(place), target } : { target };
  warnOfUnused(call, { command, place, target: goal });
  const plan = { command, directory, create: isSource, sites, asBefore, ...documentsIn(place) };
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
