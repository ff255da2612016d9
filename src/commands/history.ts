import type { Command } from "./command.js";
import { readRepository } from "./verbs/backup/places.js";

export const history: Command = {
  name: "history",
  about: "list the nights in which an item changed, from a repository of backups",
  arguments: [
    { name: "REPO", about: "the folder of the backups" },
    { name: "KEY", about: "an item's key: guide/12, wiki/INFO/Page, category/Looms, image/5" },
  ],
  description:
    "Of each night in which the item came, changed, went or came back: the snapshot, the item's revision, when the site says\n" +
    "that it was changed, its size, and which fields differ from the version before.",
  examples: [
    "guideferry history /backups/site guide/12",
    "guideferry history /backups/site 'category/Hand Looms' --json",
  ],
  signsIn: [],
  exits: ["someFailed", "differences", "notFound"],
  done: "the list is printed",
  run: async (call) => {
    const folder = readRepository(call.arguments[0] ?? "");
    const { runHistory } = await import("./verbs/backup/run-history.js");
    return runHistory(call, folder, call.arguments[1] ?? "");
  },
};
