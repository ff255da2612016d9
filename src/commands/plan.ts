import type { Command } from "./command.js";
import { RUN_EXITS } from "./exit-codes.js";
import { refuseBundle } from "./location.js";
import { PLACE_AND_TARGET, withPlaceAndTarget } from "./place-and-target.js";

export const plan: Command = {
  name: "plan",
  about: "say what a migration would do, without one write to the target",
  arguments: PLACE_AND_TARGET,
  description:
    "Item by item: what would be created, changed, left, linked to and refused, with requests and time at the given rate.\n" +
    "A site as the source is read into the workspace first.",
  examples: [
    "guideferry plan https://old.example https://new.example",
    "guideferry plan ./guideferry-workspace https://new.example --fit split --detailed-exitcode",
  ],
  signsIn: ["source", "target"],
  exits: [...RUN_EXITS, "planHasChanges"],
  resumable: true,
  run: async (call) => {
    refuseBundle(call.arguments[1] ?? "", "A plan");
    return withPlaceAndTarget(call, { command: "plan" }, async (session, connected, read) => {
      const { finishPlan } = await import("./verbs/finish.js");
      return finishPlan(session, connected, read);
    });
  },
};
