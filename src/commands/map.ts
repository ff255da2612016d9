import type { Command } from "./command.js";
import { readFolder } from "./location.js";

export const map: Command = {
  name: "map",
  about: "list where everything was and where it is now: ids and addresses at both sites",
  arguments: [
    { name: "WORKSPACE", about: "the workspace folder" },
    { name: "TARGET", about: "the site; default: the one that was loaded into last", optional: true },
  ],
  description:
    "For old links and printed codes: of every category, page, guide, image, video and document that was loaded or linked to,\n" +
    "kind, key, title, old id and address, new id and address. Asks no site, and works while a run is on.\n" +
    "--csv is for spreadsheets and other programs, --json one object a line; --nginx is a file that nginx includes, so that\n" +
    "old addresses lead to the new pages. Media have no page: their address is their detail in the API, which names the file.",
  examples: [
    "guideferry map ./guideferry-workspace",
    "guideferry map ./guideferry-workspace --csv > addresses.csv",
    "guideferry map ./guideferry-workspace https://new.example --nginx > guideferry-map.conf",
    "guideferry map ./guideferry-workspace --json --steps | jq -r .oldAddress",
  ],
  signsIn: [],
  exits: ["differences", "notFound"],
  done: "it is written",
  contentOnStdout: ({ json, csv, nginx }) => json || csv || nginx,
  run: async (call) => {
    const directory = readFolder(call.arguments[0] ?? "");
    const { runMap } = await import("./verbs/run-map.js");
    return runMap(call, directory, call.arguments[1]);
  },
};
