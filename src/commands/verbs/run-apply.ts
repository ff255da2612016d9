import { resolve } from "node:path";
import { BrakeError, type ExitCode, MovedError } from "../../core/errors.js";
import type { ExtractSummary } from "../../sync/extract-summary.js";
import { type PlanFile, readPlanFile } from "../../sync/plan/read-plan-file.js";
import type { CommandCall } from "../command.js";
import { documentsIn, type Place, readSite, rootOf } from "../location.js";
import type { Settings } from "../options/table.js";
import { asPlanned } from "./choices.js";
import { finish } from "./finish.js";
import { transformDigests } from "./keep-plan.js";
import { withBoth } from "./migration.js";
import { withWorkspace } from "./session.js";
import { applyInto } from "./target-steps.js";

/** Carries out the plan of a file: its source is read again first, where it was made of one. */
export async function runApply(call: CommandCall, path: string): Promise<ExitCode> {
  const file = await readPlanFile(resolve(path));
  const { head } = file;
  const settings = asPlanned(call.settings, head.choices, file.path);
  const place: Place = head.read ?? { workspace: head.workspace.directory };
  const target = readSite(head.target.root, settings.insecureHttp);
  const plan = {
    command: "apply",
    directory: head.workspace.directory,
    create: false,
    sites: { ...("workspace" in place ? {} : { source: rootOf(place) }), target },
    details: { plan: file.path },
    ...documentsIn(place),
  } as const;
  await refuseOtherTransforms(file, settings.transforms);
  return withWorkspace({ ...call, settings }, plan, (session) =>
    withBoth(session, place, target, async (connected, read) => {
      refuseUnread(file, read.extracted);
      return finish(session, { ...read, loaded: await applyInto(session, connected, file) });
    }),
  );
}

/** Before anything is read: a changed file changes what is sent, seen in the plan or not. */
async function refuseOtherTransforms({ path, head }: PlanFile, chosen: Settings["transforms"]): Promise<void> {
  const now = await transformDigests(chosen);
  const changed = now.filter(({ digest }, at) => digest !== head.transforms[at]?.digest);
  if (changed.length === 0 && now.length === head.transforms.length) return;
  throw new MovedError(
    `The transform ${changed[0]?.name ?? ""} is not as it was when the plan ${path} was made. Nothing was read or written. Make a new plan.`,
  );
}

/** What could not be read again may have moved. */
function refuseUnread({ path }: PlanFile, extracted: ExtractSummary | undefined): void {
  const failures = extracted?.failures ?? 0;
  if (failures === 0) return;
  throw new BrakeError(
    `${failures} of the source's items could not be read again, so nobody knows whether they moved since the plan was made. Nothing of ${path} was carried out in this run. Give the same command again when the source answers.`,
  );
}
