import { UsageError } from "../core/errors.js";
import type { Command } from "./command.js";
import { RUN_EXITS } from "./exit-codes.js";
import { readPlace, readTarget } from "./location.js";
import { PLACE_AND_TARGET, withPlaceAndTarget } from "./place-and-target.js";
import { isRestorePlan } from "./verbs/backup/places.js";

export const plan: Command = {
  name: "plan",
  about: "say what a migration would do, without one write to the target",
  arguments: PLACE_AND_TARGET,
  description:
    "Item by item: what would be created, changed, left, linked to and refused, with requests and time at the given rate.\n" +
    "A site as the source is read into the workspace first. Of a bundle: what it would hold, and what would change in the one that is there.\n" +
    "Of a repository of backups: what a restore into the site would do, as restore --dry-run says it.",
  examples: [
    "guideferry plan https://old.example https://new.example",
    "guideferry plan ./guideferry-workspace https://new.example --fit split --detailed-exitcode",
    "guideferry plan https://old.example https://new.example -o friday.plan --html friday.html",
    "guideferry plan ./guideferry-workspace out.omanual",
    "guideferry plan /backups/site https://site.example --at 2026-11-17",
  ],
  signsIn: ["source", "target"],
  exits: [...RUN_EXITS, "differences", "losses", "planHasChanges"],
  resumable: true,
  run: async (call) => {
    const { insecureHttp, split } = call.settings;
    const [from = "", to = ""] = call.arguments;
    const keeps = KEEPING.find((name) => call.given.has(name));
    if (await isRestorePlan(from, to)) {
      if (keeps !== undefined) throw noPlanToKeep("a restore from backups");
      const { planRestore } = await import("./verbs/backup/plan-restore.js");
      return planRestore(call, from, to);
    }
    const goal = readTarget(to, insecureHttp, split);
    if (!("site" in goal)) {
      if (keeps !== undefined) throw noPlanToKeep("a bundle");
      const { intoBundles } = await import("./verbs/place-and-bundle.js");
      return intoBundles(call, plan.name, readPlace(from, insecureHttp), goal);
    }
    await (await import("./verbs/refuse-plan-files.js")).refusePlanFiles(call.settings);
    return withPlaceAndTarget(call, { command: "plan" }, async (session, connected, read) => {
      const { finishPlan } = await import("./verbs/finish.js");
      return finishPlan(session, connected, { ...read, place: readPlace(from, insecureHttp) });
    });
  },
};

/** Options that only plans into a site have. */
const KEEPING = ["planFile", "planHtml", "planText"] as const;

function noPlanToKeep(what: string): UsageError {
  return new UsageError(
    `--output, --html and --text are for plans of a migration into a site, and this is one of ${what}. Leave them out.`,
  );
}
