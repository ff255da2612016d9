import { EXIT } from "../core/errors.js";
import type { Command } from "./command.js";
import { readRepository } from "./verbs/backup/places.js";

export const snapshots: Command = {
  name: "snapshots",
  about: "list the snapshots of a repository of backups",
  arguments: [{ name: "REPO", about: "the folder of the backups" }],
  description:
    "Of each snapshot its time (UTC, which is also its name), kind, items, what was new, changed and deleted, the bytes that\n" +
    "it added, and how long it took. Reads the clear indexes only, so encrypted repositories need no key.",
  examples: ["guideferry snapshots /backups/site", "guideferry snapshots /backups/site --json"],
  signsIn: [],
  exits: ["notFound"],
  done: "the list is printed",
  run: async (call) => {
    const folder = readRepository(call.arguments[0] ?? "");
    const { withRepository } = await import("./verbs/backup/with-repository.js");
    const { printSnapshots } = await import("./output/print-snapshots.js");
    await withRepository(call, folder, async (repository) => printSnapshots(repository, call.output));
    return EXIT.ok;
  },
};
