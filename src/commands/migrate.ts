import type { Command } from "./command.js";
import { RUN_EXITS } from "./exit-codes.js";
import { documentsIn, readFolder, readSource, readTarget, refuseInside, refuseSameSite, rootOf } from "./location.js";
import { warnOfUnused } from "./verbs/unused-options.js";

export const migrate: Command = {
  name: "migrate",
  about: "move a whole site or manual into a site: extract, load, verify",
  arguments: [
    { name: "SOURCE", about: "the site to read, such as https://old.example, or documents: manual.omanual" },
    { name: "TARGET", about: "the address of the site to write to, or a bundle: out.omanual" },
  ],
  description:
    "Reads the source into a workspace folder, loads that into the target, and reads everything back to compare it. It can\n" +
    "be stopped or killed at any moment: the same command again goes on, doubles nothing and loses nothing.",
  examples: [
    "guideferry migrate https://old.example https://new.example --dry-run",
    "guideferry migrate https://old.example https://new.example --fit split --rate 5/s",
    "guideferry migrate manual.omanual https://new.example --publish",
    "guideferry migrate https://old.example out.omanual --only guide --include guide/123",
    "guideferry migrate https://old.example https://new.example --include 'Looms/**' --workspace ./looms",
  ],
  signsIn: ["source", "target"],
  exits: [...RUN_EXITS, "differences", "losses"],
  resumable: true,
  run: async (call) => {
    const { settings } = call;
    const source = readSource(call.arguments[0] ?? "", settings.insecureHttp);
    const goal = readTarget(call.arguments[1] ?? "", settings.insecureHttp, settings.split);
    if (!("site" in goal)) {
      const { intoBundles } = await import("./verbs/place-and-bundle.js");
      return intoBundles(call, migrate.name, source, goal);
    }
    const target = goal.site;
    refuseSameSite(rootOf(source), target);
    const directory = readFolder(settings.workspace);
    refuseInside(source, directory);
    warnOfUnused(call, { command: migrate.name, place: source });
    const { withWorkspace } = await import("./verbs/session.js");
    const { migrateSite } = await import("./verbs/migration.js");
    const plan = {
      command: migrate.name,
      directory,
      create: true,
      sites: { source: rootOf(source), target },
      ...documentsIn(source),
    };
    return withWorkspace(call, plan, (session) => migrateSite(session, source, target));
  },
};
