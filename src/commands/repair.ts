import type { Command } from "./command.js";
import { RUN_EXITS } from "./exit-codes.js";
import { readSite } from "./location.js";

export const repair: Command = {
  name: "repair",
  about: "mend a damaged repository of backups: from its other archives, else from the site",
  arguments: [
    { name: "REPO", about: "the folder of the backups" },
    { name: "SITE", about: "the address of the site that it is of" },
  ],
  description:
    "Checks the repository as verify does. What is damaged or missing is taken from another archive that holds the same bytes,\n" +
    "else fetched from the site again: media by their address, items while they are at the same revision there. Both are believed\n" +
    "only when their sha256 is the one that was written. What is found goes into an archive of its own, NAME-….repair.zip;\n" +
    "no other one is changed. Says what is lost for ever: of that, only what the site has today comes with the next backup.",
  examples: ["guideferry repair /backups/site https://site.example"],
  signsIn: ["source"],
  exits: [...RUN_EXITS, "differences"],
  done: "everything that the snapshots name is there again",
  run: async (call) => {
    const { readRepository } = await import("./verbs/backup/places.js");
    const folder = readRepository(call.arguments[0] ?? "");
    const site = readSite(call.arguments[1] ?? "", call.settings.insecureHttp);
    const { runRepair } = await import("./verbs/backup/run-repair.js");
    return runRepair(call, folder, site);
  },
};
