import { EXIT } from "../core/errors.js";
import type { Command } from "./command.js";
import { RUN_EXITS } from "./exit-codes.js";
import { readFolder, readSite, refuseBundle } from "./location.js";

export const retry: Command = {
  name: "retry",
  about: "take up only what failed, or was left out, last time",
  arguments: [
    { name: "WORKSPACE", about: "the workspace folder" },
    { name: "TARGET", about: "the target's address; without it the one that was loaded into last", optional: true },
  ],
  description:
    "Reads anew what could not be read, loads it and what could not be loaded or was left out, and reads that back; with --fit\n" +
    "and the like as in the last load, unless given: what takes a left out item in. `guideferry status` shows the list beforehand.",
  examples: ["guideferry retry ./guideferry-workspace", "guideferry retry ./guideferry-workspace --fit split"],
  signsIn: ["source", "target"],
  exits: [...RUN_EXITS, "differences", "losses"],
  resumable: true,
  run: async (call) => {
    const { insecureHttp } = call.settings;
    const directory = readFolder(call.arguments[0] ?? "");
    refuseBundle(call.arguments[1] ?? "", "A bundle is written whole: give the same command again that wrote it.");
    const named = call.arguments[1] === undefined ? undefined : readSite(call.arguments[1], insecureHttp);
    const { withWorkspace } = await import("./verbs/session.js");
    const { takeUpFailures, warnOfUnfinished } = await import("./verbs/failed.js");
    const plan = {
      command: retry.name,
      directory,
      create: false,
      sites: { target: named },
      asBefore: true,
    };
    return withWorkspace(call, plan, async (session) => {
      warnOfUnfinished(session);
      const done = await takeUpFailures(session, named);
      if (done !== undefined) return done;
      const { output } = session.call;
      output.say("Nothing failed last time and nothing was left out, so there is nothing to take up.");
      output.event("summary", { exitCode: EXIT.ok, failures: 0 });
      return { exitCode: EXIT.ok, summary: {}, nothing: true };
    });
  },
};
