import type { Command } from "./command.js";
import { readRepository } from "./verbs/backup/places.js";

export const prune: Command = {
  name: "prune",
  about: "remove old snapshots from a repository of backups",
  arguments: [{ name: "REPO", about: "the folder of the backups" }],
  description:
    "Keeps the last snapshot of each period that a --keep option names, as many periods as it says, and always the youngest\n" +
    "one that is complete; removes the others. A snapshot whose archives one that stays needs is held back, and told.\n" +
    "All that stays is read and hashed before, and nothing is removed while a snapshot that stays can't be restored.\n" +
    "--dry-run says how much that is. Killed anywhere, it is ended by the next run.\n" +
    "--compact first writes what is kept of old chains anew, so that the rest of them can go; a chain that would take more than\n" +
    "it frees, and whatever the youngest snapshot needs, stays as it is.\n" +
    "--drop removes one snapshot that is named, with the same safety; where others need its archives, or it is the youngest or the\n" +
    "last complete one, nothing is removed and the run ends with 8.",
  examples: [
    "guideferry prune /backups/site --keep-daily 14 --keep-weekly 8 --keep-monthly 24 --dry-run",
    "guideferry prune /backups/site --keep-last 30 --keep-yearly 10",
    "guideferry prune /backups/site --keep-daily 14 --keep-monthly 12 --compact",
    "guideferry prune /backups/site --drop 20261103T030000Z --dry-run",
  ],
  signsIn: [],
  exits: ["someFailed", "stopped", "differences", "brake", "notFound", "locked"],
  done: "what was to go is gone",
  resumable: true,
  run: async (call) => {
    const folder = readRepository(call.arguments[0] ?? "");
    const { runPrune } = await import("./verbs/backup/run-prune.js");
    return runPrune(call, folder);
  },
};
