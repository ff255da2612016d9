import { EXIT } from "../core/errors.js";
import type { Command } from "./command.js";
import { readFolder } from "./location.js";

export const links: Command = {
  name: "links",
  about: "list the links at the target that still lead to the old site",
  arguments: [
    { name: "WORKSPACE", about: "the workspace folder" },
    { name: "TARGET", about: "the site; default: the one that was loaded into last", optional: true },
  ],
  description:
    "For the day when the old site is switched off: each link in the texts that were loaded, with the item and field that it stands\n" +
    "in, and what it leads to. What another batch brings is mended when it comes. Asks no site, and works while a run is on.",
  examples: [
    "guideferry links ./guideferry-workspace",
    "guideferry links ./guideferry-workspace --json | jq -r .address",
  ],
  signsIn: [],
  exits: ["differences", "notFound"],
  run: async (call) => {
    const directory = readFolder(call.arguments[0] ?? "");
    const { runLinks } = await import("./verbs/run-links.js");
    await runLinks(call, directory, call.arguments[1]);
    return EXIT.ok;
  },
};
