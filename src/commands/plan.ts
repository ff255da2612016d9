import type { Command } from "./command.js";
import { RUN_EXITS } from "./exit-codes.js";
import { readPlace, readTarget } from "./location.js";
import { PLACE_AND_TARGET, withPlaceAndTarget } from "./place-and-target.js";
import { refuseRepository } from "./verbs/backup/places.js";

export const plan: Command = {
  name: "plan",
  about: "say what a migration would do, without one write to the target",
  arguments: PLACE_AND_TARGET,
  description:
    "Item by item: what would be created, changed, left, linked to and refused, with requests and time at the given rate.\n" +
    "A site as the source is read into the workspace first. Of a bundle: what it would hold, and what would change in the one that is there.",
  examples: [
    "guideferry plan https://old.example https://new.example",
    "guideferry plan ./guideferry-workspace https://new.example --fit split --detailed-exitcode",
    "guideferry plan ./guideferry-workspace out.omanual",
  ],
  signsIn: ["source", "target"],
  exits: [...RUN_EXITS, "planHasChanges"],
  resumable: true,
  run: async (call) => {
    const { insecureHttp, split } = call.settings;
    await refuseRepository(call.arguments[0] ?? "", call.arguments[1] ?? "");
    const goal = readTarget(call.arguments[1] ?? "", insecureHttp, split);
    if (!("site" in goal)) {
      const { intoBundles } = await import("./verbs/place-and-bundle.js");
      return intoBundles(call, plan.name, readPlace(call.arguments[0] ?? "", insecureHttp), goal);
    }
    return withPlaceAndTarget(call, { command: "plan" }, async (session, connected, read) => {
      const { finishPlan } = await import("./verbs/finish.js");
      return finishPlan(session, connected, read);
    });
  },
};
