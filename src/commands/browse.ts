import { keepNewSpaceSmall } from "../core/util/lean-memory.js";
import type { Command } from "./command.js";

export const browse: Command = {
  name: "browse",
  about: "read a backup, an export or a workspace as a site, on this machine",
  arguments: [
    { name: "PLACE", about: "a repository of backups or a workspace (its folder), or one archive (.zip, .zip.age)" },
  ],
  description:
    "Prints an address of this machine that shows guides, pages, categories, files and search in a browser, for every snapshot,\n" +
    "and what changed between two. Nothing is unpacked to the disk and nothing is changed; nobody else in the network can\n" +
    "see it, and no other account of this machine that does not know the address. A workspace may be in use. It runs until it gets a signal (Ctrl-C).",
  examples: [
    "guideferry browse /backups/site",
    "guideferry browse /backups/site --at 2026-11-20 --port 4080",
    "guideferry browse site-20261120T030000Z.full.zip.age --identity key.txt",
    "guideferry browse ./workspace",
  ],
  signsIn: [],
  exits: ["someFailed", "differences", "notFound"],
  done: "never: it runs until it gets a signal",
  run: async (call) => {
    keepNewSpaceSmall();
    const { runBrowse } = await import("./verbs/reader/run-browse.js");
    return runBrowse(call, call.arguments[0] ?? "");
  },
};
