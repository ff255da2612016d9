import type { Command } from "./command.js";
import { readRepository } from "./verbs/backup/places.js";

export const cat: Command = {
  name: "cat",
  about: "write one item or medium of a repository of backups to stdout",
  arguments: [
    { name: "REPO", about: "the folder of the backups" },
    { name: "KEY", about: "an item's key (guide/12, wiki/INFO/Page, image/5), or the sha256 of a medium" },
  ],
  description:
    "Guides, pages, categories and records come as the JSON that is stored of them, images, videos and documents as their\n" +
    "bytes; --show chooses something else. Only what belongs to the one item is read. The bytes are compared with their\n" +
    "sha256; what is longer than 32 MB is written while it is read, and ends with 6 when they were wrong.",
  examples: [
    "guideferry cat /backups/site guide/12 --at 2026-11-20 | jq .body.title",
    "guideferry cat /backups/site guide/12 --show text",
    "guideferry cat /backups/site image/5 > picture.jpg",
  ],
  signsIn: [],
  exits: ["someFailed", "differences", "notFound"],
  done: "it is written",
  contentOnStdout: () => true,
  run: async (call) => {
    const folder = readRepository(call.arguments[0] ?? "");
    const { runCat } = await import("./verbs/backup/run-cat.js");
    return runCat(call, folder, call.arguments[1] ?? "");
  },
};
