import type { Command } from "./command.js";
import { RUN_EXITS } from "./exit-codes.js";
import { isFolder, readPlace, readTarget } from "./location.js";
import { withPlaceAndTarget } from "./place-and-target.js";

export const verify: Command = {
  name: "verify",
  about:
    "compare what is at the target with what should be, field by field, or check a repository of backups or a report",
  arguments: [
    {
      name: "SOURCE|WORKSPACE|REPO|REPORT",
      about:
        "the source's address, its documents, a workspace folder, a repository of backups, or the report of a comparison",
    },
    { name: "TARGET", about: "the target's address, or a bundle; not with a repository or report", optional: true },
  ],
  description:
    "Reads back every item that was loaded and compares it with the workspace. A site as the source is read into the\n" +
    "workspace first, so that what changed there since the load shows as a difference. --fit and the like count as in the\n" +
    "last load, unless given. Also looks at the HTML that the target makes of each text, and follows what the texts refer to.\n" +
    "Writes nothing to either site; --report FILE says what was compared, so that others can check it.\n\n" +
    "A bundle, or a folder of them, is compared with what would be written now; --only, --include, --transform and the like\n" +
    "count as when it was written from this workspace, unless given.\n\n" +
    "A repository of backups is read whole and compared with the hashes that were taken when it was written. Where a file is\n" +
    "damaged or missing, its contents are looked at one by one: the items and media that are hit are named, with the snapshots\n" +
    "that have them, and so are the snapshots that are whole. Without a key encrypted archives are checked by their files.\n" +
    "One archive alone, as `export` writes it, is read whole too.\n\n" +
    "A report is checked by itself, without any site: that nothing in it was changed, taken out or added; --item KEY one item alone.",
  examples: [
    "guideferry verify ./guideferry-workspace https://new.example",
    "guideferry verify https://old.example https://new.example --json",
    "guideferry verify ./guideferry-workspace out.omanual",
    "guideferry verify /backups/site --sample 10%",
    "guideferry verify ./guideferry-workspace https://new.example --report proof.jsonl; guideferry verify proof.jsonl",
  ],
  signsIn: ["source", "target"],
  exits: [...RUN_EXITS, "differences"],
  resumable: true,
  run: async (call) => {
    const { checkAlone, refuseReport } = await import("./verbs/report/check-alone.js");
    const checked = await checkAlone(call);
    if (checked !== undefined) return checked;
    const { insecureHttp, split } = call.settings;
    const text = call.arguments[1] ?? "";
    const goal = readTarget(text, insecureHttp, split ?? (isFolder(text) ? "category" : null));
    if (!("site" in goal)) {
      refuseReport(call, "a bundle");
      const { againstBundles } = await import("./verbs/place-and-bundle.js");
      return againstBundles(call, readPlace(call.arguments[0] ?? "", insecureHttp), goal);
    }
    // What should be there is what the last load meant to write.
    return withPlaceAndTarget(call, { command: "verify", asBefore: true }, async (session, connected, read) => {
      const { verifyWithReport } = await import("./verbs/report/with-report.js");
      const { finish } = await import("./verbs/finish.js");
      return finish(session, { ...read, verified: await verifyWithReport(session, connected) });
    });
  },
};
