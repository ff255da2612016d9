import { EXIT } from "../../core/errors.js";
import type { Command } from "../command.js";
import { RUN_EXITS } from "../exit-codes.js";
import { readFolder, readSite, refuseBundle } from "../location.js";
import { LIVE_PAGE, LOADING, RUN_AT_SITES, SOURCE_SITE } from "../options/groups.js";

export const status: Command = {
  name: "status",
  about: "say how far a workspace is, also while a run is on",
  arguments: [{ name: "WORKSPACE", about: "the workspace folder" }],
  description: "Counts per kind and state, failures with their reasons, the pace and the time left. Asks no site.",
  examples: ["guideferry status ./guideferry-workspace", "guideferry status ./guideferry-workspace --json"],
  options: [],
  signsIn: [],
  exits: ["differences", "notFound"],
  run: async (call) => {
    const directory = readFolder(call.arguments[0] ?? "");
    const { runStatus } = await import("../workspace/status.js");
    return runStatus(call, directory);
  },
};

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
  options: ["run"],
  signsIn: [],
  exits: ["differences", "notFound"],
  done: "the page is written",
  run: async (call) => {
    const directory = readFolder(call.arguments[0] ?? "");
    const { runReport } = await import("../session/run-report.js");
    return runReport(call, directory);
  },
};

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
  options: ["csv", "nginx", "mapSteps"],
  signsIn: [],
  exits: ["differences", "notFound"],
  done: "it is written",
  contentOnStdout: ({ json, csv, nginx }) => json || csv || nginx,
  run: async (call) => {
    const directory = readFolder(call.arguments[0] ?? "");
    const { runMap } = await import("../workspace/address-map.js");
    return runMap(call, directory, call.arguments[1]);
  },
};

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
  options: [],
  signsIn: [],
  exits: ["differences", "notFound"],
  run: async (call) => {
    const directory = readFolder(call.arguments[0] ?? "");
    const { runLinks } = await import("../workspace/address-map.js");
    return runLinks(call, directory, call.arguments[1]);
  },
};

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
  options: [...LOADING, ...SOURCE_SITE, ...RUN_AT_SITES, ...LIVE_PAGE, "contentVersion", "dryRun", "strict", "verify"],
  signsIn: ["source", "target"],
  exits: [...RUN_EXITS, "differences", "losses"],
  resumable: true,
  run: async (call) => {
    const { insecureHttp } = call.settings;
    const directory = readFolder(call.arguments[0] ?? "");
    refuseBundle(call.arguments[1] ?? "", "A bundle is written whole: give the same command again that wrote it.");
    const named = call.arguments[1] === undefined ? undefined : readSite(call.arguments[1], insecureHttp);
    const { withWorkspace } = await import("../session/session.js");
    const { takeUpFailures, warnOfUnfinished } = await import("../migration/migration.js");
    const plan = {
      command: retry.name,
      task: "load",
      directory,
      create: false,
      sites: { target: named },
      asBefore: true,
    } as const;
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
  options: [...RUN_AT_SITES, ...LIVE_PAGE, "targetRate", "dryRun", "run"],
  signsIn: ["target"],
  exits: RUN_EXITS,
  done: "the run is undone whole, or there was nothing to undo",
  resumable: true,
  run: async (call) => {
    const directory = readFolder(call.arguments[0] ?? "");
    const named = call.arguments[1] === undefined ? undefined : readSite(call.arguments[1], call.settings.insecureHttp);
    const { runUndo } = await import("../workspace/undo.js");
    return runUndo(call, directory, named);
  },
};
