import type { Command } from "./command.js";
import { RUN_EXITS } from "./exit-codes.js";
import { isFolder, readPlace, readTarget } from "./location.js";
import { withPlaceAndTarget } from "./place-and-target.js";
import { readOptionalRepository } from "./verbs/backup/places.js";

export const verify: Command = {
  name: "verify",
  about: "compare what is at the target with what should be, field by field, or check a repository of backups",
  arguments: [
    {
      name: "SOURCE|WORKSPACE|REPO",
      about: "the source's address, its documents, a workspace folder, or a repository of backups",
    },
    { name: "TARGET", about: "the target's address, or a bundle; not with a repository", optional: true },
  ],
  description:
    "Reads back every item that was loaded and compares it with the workspace. A site as the source is read into the\n" +
    "workspace first, so that what changed there since the load shows as a difference. --fit and the like count as in the\n" +
    "last load, unless given. Writes nothing to either site. A bundle, or a folder of them, is compared with what would be written\n" +
    "now; --only, --include, --transform and the like count as when it was written from this workspace, unless given.\n\n" +
    "A repository of backups is read whole and compared with the hashes that were taken when it was written. Where a file is\n" +
    "damaged or missing, its contents are looked at one by one: the items and media that are hit are named, with the snapshots\n" +
    "that have them, and so are the snapshots that are whole. Without a key encrypted archives are checked by their files.",
  examples: [
    "guideferry verify ./guideferry-workspace https://new.example",
    "guideferry verify https://old.example https://new.example --json",
    "guideferry verify ./guideferry-workspace out.omanual",
    "guideferry verify /backups/site --sample 10%",
  ],
  signsIn: ["source", "target"],
  exits: [...RUN_EXITS, "differences"],
  resumable: true,
  run: async (call) => {
    const { insecureHttp, split } = call.settings;
    const repository = await readOptionalRepository(call.arguments);
    if (repository !== undefined) {
      const { runVerify } = await import("./verbs/backup/run-verify.js");
      return runVerify(call, repository);
    }
    const text = call.arguments[1] ?? "";
    const goal = readTarget(text, insecureHttp, split ?? (isFolder(text) ? "category" : null));
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
