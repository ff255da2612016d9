import type { Command } from "./command.js";
import { readRepository } from "./verbs/backup/places.js";

export const diff: Command = {
  name: "diff",
  about: "tell what differs between two snapshots of a repository of backups",
  arguments: [
    { name: "REPO", about: "the folder of the backups" },
    { name: "A", about: "a snapshot: its name, a date, a time" },
    { name: "B", about: "a later one, or latest" },
  ],
  description:
    "Item by item: what is new, changed and deleted, and of what changed the fields. --text shows the texts that people read,\n" +
    "line by line, as a unified diff; of lists of records each row that differs.",
  examples: [
    "guideferry diff /backups/site 2026-11-19 2026-11-20",
    "guideferry diff /backups/site 2026-11-01 latest --text",
    "guideferry diff /backups/site 20261101T030000Z 20261120T030000Z --json",
  ],
  signsIn: [],
  exits: ["someFailed", "differences", "notFound"],
  done: "what differs was told, also when that is nothing",
  run: async (call) => {
    const folder = readRepository(call.arguments[0] ?? "");
    const { runDiff } = await import("./verbs/backup/run-diff.js");
    return runDiff(call, folder, call.arguments[1] ?? "", call.arguments[2] ?? "");
  },
};
