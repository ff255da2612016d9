import { UsageError } from "../../core/errors.js";
import type { CommandCall, RunEnd } from "../command.js";
import type { ConnectedTarget } from "../compose.js";
import {
  documentsIn,
  isFolder,
  isRestorePlan,
  readFolder,
  readPlace,
  readSite,
  readSource,
  readTarget,
  refuseInside,
  refuseSameSite,
  rootOf,
} from "../location.js";
import { warnOfUnused } from "../option-effects.js";
import type { ExtractResult, LoadedFacts, PlanFacts, Read } from "../results.js";
import { type Ended, type Session, type SessionPlan, withWorkspace } from "../session/session.js";
import { withTarget } from "../session/sites.js";
import { ending, migrateSite, withBoth } from "./migration.js";
import { loadInto, refresh, verifyWithReport } from "./steps.js";

// Each command of a migration as one function: the command line and the library call it.

export async function runMigrate(call: CommandCall) {
  const { settings } = call;
  const source = readSource(call.arguments[0] ?? "", settings.insecureHttp);
  const goal = readTarget(call.arguments[1] ?? "", settings.insecureHttp, settings.split);
  if (!("site" in goal)) return (await import("./bundles.js")).intoBundles(call, "migrate", source, goal);
  const target = goal.site;
  refuseSameSite(rootOf(source), target);
  const directory = readFolder(settings.workspace);
  refuseInside(source, directory);
  warnOfUnused(call, { place: source });
  const sites = { source: rootOf(source), target };
  const plan = { command: "migrate", task: "load", directory, create: true, sites, ...documentsIn(source) } as const;
  return withWorkspace(call, plan, (session) => migrateSite(session, source, target));
}

export async function runExtract(call: CommandCall): Promise<ExtractResult> {
  const source = readSource(call.arguments[0] ?? "", call.settings.insecureHttp);
  const directory = readFolder(call.settings.workspace);
  refuseInside(source, directory);
  warnOfUnused(call, { place: source });
  const plan = {
    command: "extract",
    directory,
    create: true,
    sites: { source: rootOf(source) },
    ...documentsIn(source),
  };
  return withWorkspace(call, plan, async (session) => {
    const extracted = await refresh(session, source);
    return (await ending()).finish(session, { extracted });
  });
}

export async function runLoad(call: CommandCall) {
  const directory = readFolder(call.arguments[0] ?? "");
  const goal = readTarget(call.arguments[1] ?? "", call.settings.insecureHttp, call.settings.split);
  if (!("site" in goal))
    return (await import("./bundles.js")).intoBundles(call, "load", { workspace: directory }, goal);
  const target = goal.site;
  const plan = { command: "load", task: "load", directory, create: false, sites: { target } } as const;
  return withWorkspace<LoadedFacts | PlanFacts>(call, plan, (session) =>
    withTarget(session, target, async (connected) => {
      if (call.settings.dryRun) return (await ending()).finishPlan(session, connected);
      return (await ending()).finish(session, { loaded: await loadInto(session, connected) });
    }),
  );
}

export async function runPlan(call: CommandCall) {
  const { insecureHttp, split } = call.settings;
  const [from = "", to = ""] = call.arguments;
  const keeps = KEEPING.find((name) => call.given.has(name));
  if (await isRestorePlan(from, to)) {
    if (keeps !== undefined) throw noPlanToKeep("a restore from backups");
    return (await import("../backup/restore.js")).planRestore(call, from, to);
  }
  const goal = readTarget(to, insecureHttp, split);
  if (!("site" in goal)) {
    if (keeps !== undefined) throw noPlanToKeep("a bundle");
    return (await import("./bundles.js")).intoBundles(call, "plan", readPlace(from, insecureHttp), goal);
  }
  const { refusePlanFiles } = await import("./plan-output.js");
  await refusePlanFiles(call.settings);
  return withPlaceAndTarget(call, { command: "plan", task: "plan" }, async (session, connected, read) =>
    (await ending()).finishPlan(session, connected, { ...read, place: readPlace(from, insecureHttp) }),
  );
}

/** Options that only a plan of a migration into a site has. */
const KEEPING = ["planFile", "planHtml", "planText"] as const;

function noPlanToKeep(what: string): UsageError {
  return new UsageError(
    `--output, --html and --text are only for a plan of a migration into a site. This is a plan of ${what}: leave them out.`,
  );
}

export async function runVerify(call: CommandCall) {
  const { checkAlone, refuseReport } = await import("./check-alone.js");
  const checked = await checkAlone(call);
  if (checked !== undefined) return checked;
  const { insecureHttp, split } = call.settings;
  const text = call.arguments[1] ?? "";
  const goal = readTarget(text, insecureHttp, split ?? (isFolder(text) ? "category" : null));
  if (!("site" in goal)) {
    refuseReport(call, "a bundle");
    const { againstBundles } = await import("./bundles.js");
    return againstBundles(call, readPlace(call.arguments[0] ?? "", insecureHttp), goal);
  }
  // The expected state is what the last load meant to write.
  const plan = { command: "verify", task: "verify", asBefore: true } as const;
  return withPlaceAndTarget(call, plan, async (session, connected, read) =>
    (await ending()).finish(session, { ...read, verified: await verifyWithReport(session, connected) }),
  );
}

/** Calls `work` with the connected target, after a source was extracted into the workspace. */
async function withPlaceAndTarget<Facts extends object>(
  call: CommandCall,
  plan: Pick<SessionPlan, "command" | "task" | "asBefore">,
  work: (session: Session, connected: ConnectedTarget, read: Read) => Promise<Ended<Facts>>,
): Promise<Facts & RunEnd> {
  const { insecureHttp, workspace } = call.settings;
  const place = readPlace(call.arguments[0] ?? "", insecureHttp);
  const target = readSite(call.arguments[1] ?? "", insecureHttp);
  if ("site" in place) refuseSameSite(place.site, target);
  const isSource = !("workspace" in place);
  const directory = isSource ? readFolder(workspace) : place.workspace;
  refuseInside(place, directory);
  warnOfUnused(call, { place });
  const sites = { ...(isSource ? { source: rootOf(place) } : {}), target };
  return withWorkspace(call, { ...plan, directory, create: isSource, sites, ...documentsIn(place) }, (session) =>
    withBoth(session, place, target, (connected, read) => work(session, connected, read)),
  );
}
