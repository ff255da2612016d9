import type { Command } from "./command.js";
import { RUN_EXITS } from "./exit-codes.js";
import { readPlace, readTarget } from "./location.js";
import { PLACE_AND_TARGET, withPlaceAndTarget } from "./place-and-target.js";

export const verify: Command = {
  name: "verify",
  about: "compare what is at the target with what should be, field by field",
  arguments: PLACE_AND_TARGET,
  description:
    "Reads back every item that was loaded and compares it with the workspace. A site as the source is read into the\n" +
    "workspace first, so that what changed there since the load shows as a difference. --fit and the like count as in the\n" +
    "last load, unless given. Writes nothing to either site. A bundle is compared with what would be written now: give the\n" +
    "same --only, --include, --split and --transform as when it was written.",
  examples: [
    "guideferry verify ./guideferry-workspace https://new.example",
    "guideferry verify https://old.example https://new.example --json",
    "guideferry verify ./guideferry-workspace out.omanual",
  ],
  signsIn: ["source", "target"],
  exits: [...RUN_EXITS, "differences"],
  resumable: true,
  run: async (call) => {
    const { insecureHttp, split } = call.settings;
    const goal = readTarget(call.arguments[1] ?? "", insecureHttp, split);
    if (!("site" in goal)) {
      const { againstBundles } = await import("./verbs/place-and-bundle.js");
      return againstBundles(call, readPlace(call.arguments[0] ?? "", insecureHttp), goal);
    }
    // What should be there is what the last load meant to write.
    return withPlaceAndTarget(call, { command: "verify", asBefore: true }, async (session, connected, read) => {
      const { verifyAt } = await import("./verbs/target-steps.js");
      const { finish } = await import("./verbs/finish.js");
      return finish(session, { ...read, verified: await verifyAt(session, connected) });
    });
  },
};
