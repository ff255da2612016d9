import type { Command } from "./command.js";
import { RUN_EXITS } from "./exit-codes.js";
import { readFolder, readPlace, readSite, refuseSameSite } from "./location.js";

export const verify: Command = {
  name: "verify",
  about: "compare what is at the target with what should be, field by field",
  arguments: [
    { name: "SOURCE|WORKSPACE", about: "the source's address, or a workspace folder" },
    { name: "TARGET", about: "the target's address" },
  ],
  description:
    "Reads back every item that was loaded and compares it with the workspace. A site as the source is read into the\n" +
    "workspace first, so that what changed there since the load shows as a difference. --fit and the like count as in the\n" +
    "last load, unless given. Writes nothing to either site.",
  examples: [
    "guideferry verify ./guideferry-workspace https://new.example",
    "guideferry verify https://old.example https://new.example --json",
  ],
  signsIn: ["source", "target"],
  exits: [...RUN_EXITS, "differences"],
  resumable: true,
  run: async (call) => {
    const { insecureHttp, workspace } = call.settings;
    const place = readPlace(call.arguments[0] ?? "", insecureHttp);
    const target = readSite(call.arguments[1] ?? "", insecureHttp);
    if ("site" in place) refuseSameSite(place.site, target);
    const directory = "site" in place ? readFolder(workspace) : place.workspace;
    const { withWorkspace } = await import("./verbs/session.js");
    const { withBoth } = await import("./verbs/migration.js");
    const { verifyAt } = await import("./verbs/target-steps.js");
    const { finish } = await import("./verbs/finish.js");
    const sites = { ...("site" in place ? { source: place.site } : {}), target };
    // What should be there is what the last load meant to write.
    const plan = { command: verify.name, directory, create: "site" in place, sites, asBefore: true };
    return withWorkspace(call, plan, (session) =>
      withBoth(session, place, target, async (connected, read) =>
        finish(session, { ...read, verified: await verifyAt(session, connected) }),
      ),
    );
  },
};
