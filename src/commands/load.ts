import type { Command } from "./command.js";
import { RUN_EXITS } from "./exit-codes.js";
import { readFolder, readTarget } from "./location.js";

export const load: Command = {
  name: "load",
  about: "load a workspace into a site, or write it as a bundle",
  arguments: [
    { name: "WORKSPACE", about: "the workspace folder" },
    { name: "TARGET", about: "the site's address, such as https://site.example, or a bundle: out.omanual" },
  ],
  description:
    "Writes what the workspace holds to the site, private first and published last. Run again it writes only what is new\n" +
    "or changed. What the site would refuse is found before the first write. A bundle of manuals is written whole each time, and\n" +
    "read back to compare it.",
  examples: [
    "guideferry load ./guideferry-workspace https://new.example --dry-run",
    "guideferry load ./guideferry-workspace https://new.example --fit split",
    "guideferry load ./guideferry-workspace ./manuals --split category",
  ],
  signsIn: ["target"],
  exits: [...RUN_EXITS, "differences", "losses"],
  resumable: true,
  run: async (call) => {
    const directory = readFolder(call.arguments[0] ?? "");
    const goal = readTarget(call.arguments[1] ?? "", call.settings.insecureHttp, call.settings.split);
    if (!("site" in goal)) {
      const { intoBundles } = await import("./verbs/place-and-bundle.js");
      return intoBundles(call, load.name, { workspace: directory }, goal);
    }
    const target = goal.site;
    const { withWorkspace } = await import("./verbs/session.js");
    const { withTarget } = await import("./verbs/sites.js");
    const { loadInto } = await import("./verbs/target-steps.js");
    const { finish, finishPlan } = await import("./verbs/finish.js");
    const plan = { command: load.name, directory, create: false, sites: { target } };
    return withWorkspace(call, plan, (session) =>
      withTarget(session, target, async (connected) => {
        if (call.settings.dryRun) return finishPlan(session, connected);
        return finish(session, { loaded: await loadInto(session, connected) });
      }),
    );
  },
};
