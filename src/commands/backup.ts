import type { Command } from "./command.js";
import { RUN_EXITS } from "./exit-codes.js";
import { readSite } from "./location.js";

export const backup: Command = {
  name: "backup",
  about: "add a snapshot of a site to a repository of backups",
  arguments: [{ name: "SITE", about: "the site's address, such as https://site.example" }],
  description:
    "Reads what is new or changed at the site and writes it into archives, plain zip files, in the folder --to. Every\n" +
    "snapshot describes the whole site at its time. Writes nothing to the site. Made to run every night: it goes on where\n" +
    "a stopped run ended, keeps a snapshot of which parts failed as incomplete (3), and ends with 8 when much vanished at\n" +
    "once: then earlier snapshots stay until you agree. The folder REPO/workspace holds the texts between two nights;\n" +
    "--workspace names another place for it.",
  examples: [
    "guideferry backup https://site.example --to /backups/site",
    "guideferry backup https://site.example --to /backups/site --metrics /var/lib/node_exporter/guideferry.prom",
    "guideferry backup https://site.example --to ./repo --workspace ./work --encrypt-to age1…",
  ],
  signsIn: ["source"],
  exits: RUN_EXITS,
  done: "the snapshot is written, was read again, and has everything that the account may see",
  resumable: true,
  run: async (call) => {
    const site = readSite(call.arguments[0] ?? "", call.settings.insecureHttp);
    const { runBackup } = await import("./verbs/backup/run-backup.js");
    return runBackup(call, site);
  },
};
