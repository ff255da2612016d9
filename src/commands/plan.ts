import type { Command } from "./command.js";
import { RUN_EXITS } from "./exit-codes.js";
import { readFolder, readPlace, readSite, refuseSameSite } from "./location.js";

export const plan: Command = {
  name: "plan",
  about: "say what a migration would do, without one write to the target",
  arguments: [
    { name: "SOURCE|WORKSPACE", about: "the source's address, or a workspace folder" },
    { name: "TARGET", about: "the target's address" },
  ],
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
    const { insecureHttp, workspace } = call.settings;
    const place = readPlace(call.arguments[0] ?? "", insecureHttp);
    const target = readSite(call.arguments[1] ?? "", insecureHttp);
    if ("site" in place) refuseSameSite(place.site, target);
    const directory = "site" in place ? readFolder(workspace) : place.workspace;
    const { withWorkspace } = await import("./verbs/session.js");
    const { withBoth } = await import("./verbs/migration.js");
    const { finishPlan } = await import("./verbs/finish.js");
    const sites = { ...("site" in place ? { source: place.site } : {}), target };
    return withWorkspace(call, { command: plan.name, directory, create: "site" in place, sites }, (session) =>
      withBoth(session, place, target, (connected, read) => finishPlan(session, connected, read)),
    );
  },
};
