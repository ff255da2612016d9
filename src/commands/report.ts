import type { Command } from "./command.js";
import { readFolder } from "./location.js";

export const report: Command = {
  name: "report",
  about: "make the page of a run again: what went where, requests over time, failures, losses",
  arguments: [{ name: "WORKSPACE", about: "the workspace folder, or the repository of a backup" }],
  description:
    "Writes report.html and report.json into the run's folder, reports/ of the workspace. Every run that works on a workspace leaves them by\n" +
    "itself; this makes them for a run that was killed, or for one that is on, as the workspace has it now; the report of a run that has ended\n" +
    "stays as it was. The page is whole in itself: it loads nothing, runs nothing, and can be sent to somebody. Asks no site.",
  examples: [
    "guideferry report ./guideferry-workspace",
    "guideferry report ./guideferry-workspace --run 20261120T220000-a1b2c3",
  ],
  signsIn: [],
  exits: ["differences", "notFound"],
  done: "the page is written",
  run: async (call) => {
    const directory = readFolder(call.arguments[0] ?? "");
    const { runReport } = await import("./verbs/run-report/run-report.js");
    const { workspaceAt } = await import("./verbs/run-report/workspace-at.js");
    return runReport(call, await workspaceAt(directory));
  },
};
