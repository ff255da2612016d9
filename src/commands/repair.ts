import type { Command } from "./command.js";
import { RUN_EXITS } from "./exit-codes.js";
import { readSite } from "./location.js";

export const repair: Command = {
  name: "repair",
  about: "mend a damaged repository of backups: from its other archives, else from the site",
  arguments: [
    { name: "REPO", about: "the folder of the backups" },
    { name: "SITE", about: "the address of the site that it is of; without it no site is asked", optional: true },
  ],
  description:
    "Gives archives whose file names were exchanged or changed their own names again, and checks the repository as verify does.\n" +
    "What is damaged or missing is taken from another archive that holds the same bytes, else fetched from the site again:\n" +
    "media by their address, items while they are at the same revision there. Both are believed only when their sha256 is the\n" +
    "one that was written. What is found goes into an archive of its own, NAME-….repair.zip; no other one is changed.\n" +
    "Without SITE no site is asked. Says what is lost for ever: of that, only what the site has today comes with the next backup.",
  examples: ["guideferry repair /backups/site https://site.example", "guideferry repair /backups/site"],
  signsIn: ["source"],
  exits: [...RUN_EXITS, "differences"],
  done: "everything that the snapshots name is there again",
  run: async (call) => {
    const { readRepository } = await import("./verbs/backup/places.js");
    const folder = readRepository(call.arguments[0] ?? "");
    const site = call.arguments[1] === undefined ? undefined : readSite(call.arguments[1], call.settings.insecureHttp);
    const { runRepair } = await import("./verbs/backup/run-repair.js");
    return runRepair(call, folder, site);
  },
};
