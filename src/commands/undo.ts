import type { Command } from "./command.js";
import { RUN_EXITS } from "./exit-codes.js";
import { readFolder, readSite } from "./location.js";

export const undo: Command = {
  name: "undo",
  about: "take back what a run wrote: what it made goes, what it changed becomes as it was",
  arguments: [
    { name: "WORKSPACE", about: "the workspace folder" },
    { name: "TARGET", about: "the target's address; without it the one that was loaded into last", optional: true },
  ],
  description:
    "Looks at everything that the run made or changed, and lists what it will leave alone before it touches anything: what somebody\n" +
    "edited since, what a later run changed too, and what no call of the service undoes. Then guides that it published become private,\n" +
    "what it deleted is restored or made anew, fields, steps, tags and viewers become as they were, and what it made is deleted. The\n" +
    "list of what stays is in the report folder, and the end is 3 then. Stopped or killed, the same command goes on. How things were is\n" +
    "kept for the last 20 runs that wrote to a site. An undo can't be undone: a load brings the same back.",
  examples: [
    "guideferry undo ./guideferry-workspace --dry-run",
    "guideferry undo ./guideferry-workspace",
    "guideferry undo ./guideferry-workspace https://new.example --run 20261120T220000-a1b2c3",
  ],
  signsIn: ["target"],
  exits: RUN_EXITS,
  done: "the run is undone whole, or there was nothing to undo",
  resumable: true,
  run: async (call) => {
    const directory = readFolder(call.arguments[0] ?? "");
    const named = call.arguments[1] === undefined ? undefined : readSite(call.arguments[1], call.settings.insecureHttp);
    const { runUndo } = await import("./verbs/run-undo.js");
    return runUndo(call, directory, named);
  },
};
