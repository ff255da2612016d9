import type { Command } from "./command.js";
import { readRepository } from "./verbs/backup/places.js";

export const blame: Command = {
  name: "blame",
  about: "show each line of an item with the night that it came in, from a repository of backups",
  arguments: [
    { name: "REPO", about: "the folder of the backups" },
    { name: "KEY", about: "an item's key: guide/12, wiki/INFO/Page, category/Looms" },
  ],
  description:
    "The text that people read, line by line, each with the snapshot that had it so first, the revision at that time, and the\n" +
    "author, where the item tells one. A snapshot sees one revision a night: who made those between two nights it can't tell.",
  examples: [
    "guideferry blame /backups/site guide/12",
    "guideferry blame /backups/site wiki/INFO/Page --at 2026-11-01",
  ],
  signsIn: [],
  exits: ["someFailed", "differences", "notFound"],
  done: "the lines are printed",
  run: async (call) => {
    const folder = readRepository(call.arguments[0] ?? "");
    const { runBlame } = await import("./verbs/backup/run-blame.js");
    return runBlame(call, folder, call.arguments[1] ?? "");
  },
};
