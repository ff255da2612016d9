import type { Command } from "./command.js";
import { RUN_EXITS } from "./exit-codes.js";

export const importTraining: Command = {
  name: "import-training",
  about: "import training packages (SCORM, AICC, cmi5, xAPI) into a site's external training modules",
  arguments: [
    { name: "PACKAGE", about: "a folder, a file, a list of them (.txt, .csv, .json) or an https address", many: true },
    { name: "SITE", about: "the site's address" },
  ],
  description:
    "Checks each package, repairs what can be repaired without changing what it teaches, and imports it: a draft, unless\n" +
    "--publish. A package is known by its contents: what the site has already is not sent again, other contents from the\n" +
    "same place become a new version of the same module. What is refused is told with what to change, and the rest goes on.\n" +
    "Run again it goes on where it was; whatever answer was lost, nothing is imported twice. The journal lies in the workspace.",
  examples: [
    "guideferry import-training ./packages https://site.example --dry-run",
    "guideferry import-training ./packages https://site.example",
    "guideferry import-training list.csv safety.zip https://site.example --publish",
  ],
  signsIn: ["target"],
  exits: RUN_EXITS,
  done: "done: every package is imported, or was before",
  resumable: true,
  run: async (call) => {
    const { runImportTraining } = await import("./verbs/training/run-import-training.js");
    return runImportTraining(call);
  },
};
