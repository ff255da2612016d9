import type { Command } from "./command.js";
import { RUN_EXITS } from "./exit-codes.js";

export const restore: Command = {
  name: "restore",
  about: "bring a snapshot back: into the site that it is of, another site, or a folder",
  arguments: [
    { name: "REPO|ARCHIVE", about: "the folder of the backups, or one full archive: site.full.zip" },
    { name: "SITE|DIR", about: "the address of a site, or a folder that is new or empty" },
  ],
  description:
    "Into the site that the snapshot is of: first a snapshot of it as it is now; then what was edited since goes back by edits,\n" +
    "what was deleted comes back by the site's own restore, with its id, and is made anew only where that is refused. What is\n" +
    "newer stays. What somebody edited since is left and listed (3), unless --include names it or --on-conflict update says so;\n" +
    "--dry-run names and counts the writes. Another site gets it as a migration does, and is read back. A folder becomes a workspace with all\n" +
    "media. Stopped at any moment, the same command goes on; what it needs for that is in --workspace (default: REPO-restore;\n" +
    "encrypted archives have none, since it holds texts in the clear).",
  examples: [
    "guideferry restore /backups/site https://site.example --at 2026-11-17 --dry-run",
    "guideferry restore /backups/site https://site.example --at 2026-11-17 --include guide/12,guide/15",
    "guideferry restore /backups/site https://new.example --fit split",
    "guideferry restore site.example-20261120T030000Z.full.zip ./site",
  ],
  signsIn: ["target"],
  exits: [...RUN_EXITS, "differences", "losses"],
  resumable: true,
  run: async (call) => {
    const { readArchives } = await import("./verbs/backup/with-archives.js");
    const archives = readArchives(call.arguments[0] ?? "");
    const { runRestore } = await import("./verbs/backup/run-restore.js");
    return runRestore(call, archives, call.arguments[1] ?? "");
  },
};
