import { EXIT } from "../core/errors.js";
import type { Command } from "./command.js";
import { readFolder } from "./location.js";

export const status: Command = {
  name: "status",
  about: "say how far a workspace is, also while a run is on",
  arguments: [{ name: "WORKSPACE", about: "the workspace folder" }],
  description: "Counts per kind and state, failures with their reasons, the pace and the time left. Asks no site.",
  examples: ["guideferry status ./guideferry-workspace", "guideferry status ./guideferry-workspace --json"],
  signsIn: [],
  exits: ["differences", "notFound"],
  run: async (call) => {
    const directory = readFolder(call.arguments[0] ?? "");
    const { inspectWorkspace } = await import("../storage/workspace/inspect.js");
    const { statusFacts } = await import("./output/status-facts.js");
    const { printStatus } = await import("./output/print-status.js");
    const workspace = await inspectWorkspace(directory);
    try {
      printStatus(statusFacts(workspace), call.output);
    } finally {
      await workspace.close();
    }
    return EXIT.ok;
  },
};
