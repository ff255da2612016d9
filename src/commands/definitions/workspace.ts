import { EXIT } from "../../core/errors.js";
import type { Command } from "../command.js";
import { RUN_EXITS } from "../exit-codes.js";
import { readFolder, readSite, refuseBundle } from "../location.js";
import { LIVE_PAGE, LIVE_PAGE_TEXTS, LOADING, LOADING_TEXTS, RUN_AT_SITES, SOURCE_SITE } from "../options/groups.js";

export const status: Command = {
  name: "status",
  group: "Examine runs and backups",
  main: true,
  about: "show the progress of a workspace, also during a run",
  arguments: [{ name: "WORKSPACE", from: "workspace", about: "the workspace folder" }],
  description:
    "Shows counts by kind and state, failures with their reasons, the speed and the time left. Contacts no site.",
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
  group: "Examine runs and backups",
  about: "write the HTML report of a run again",
  arguments: [{ name: "WORKSPACE", from: "workspace", about: "a workspace folder, or a repository of backups" }],
  description:
    "Writes report.html and report.json into the run's folder, below reports/ in the workspace. Every run on a workspace\n" +
    "writes them at its end. This command writes them for a run that was killed or is still running, from the current\n" +
    "state of the workspace. The report of a finished run stays as it is. The HTML report loads no files and runs no\n" +
    "scripts, so you can send it to somebody. Contacts no site.",
  examples: [
    "guideferry report ./guideferry-workspace",
    "guideferry report ./guideferry-workspace --run 20261120T220000-a1b2c3",
  ],
  options: ["run"],
  optionTexts: {
    run: { about: "the run of the report; `guideferry status` shows its id", fallbackText: "the last run" },
  },
  signsIn: [],
  exits: ["differences", "notFound"],
  done: "the HTML report is written",
  run: async (call) => {
    const directory = readFolder(call.arguments[0] ?? "");
    const { runReport } = await import("../session/run-report.js");
    return runReport(call, directory);
  },
};

export const map: Command = {
  name: "map",
  group: "Examine runs and backups",
  about: "list the old and the new id and address of each item",
  arguments: [
    { name: "WORKSPACE", from: "workspace", about: "the workspace folder" },
    {
      name: "TARGET",
      from: "target",
      about: "the target's address; default: the target of the last load",
      optional: true,
    },
  ],
  description:
    "For old links and printed codes. Lists each category, page, guide, image, video and document that was loaded or\n" +
    "linked: kind, key, title, old id and address, new id and address. Contacts no site, and works during a run. --csv is\n" +
    "for spreadsheets and other programs, --json prints one object a line. --nginx prints a file for nginx to include,\n" +
    "which redirects old addresses to the new pages. Media have no page: their address is their record in the API, which\n" +
    "names the file.",
  examples: [
    "guideferry map ./guideferry-workspace",
    "guideferry map ./guideferry-workspace --csv > addresses.csv",
    "guideferry map ./guideferry-workspace https://new.example --nginx > guideferry-map.conf",
    "guideferry map ./guideferry-workspace --json --steps | jq -r .oldAddress",
  ],
  options: ["csv", "nginx", "mapSteps"],
  optionTexts: {
    json: { about: "print one JSON object for each item on stdout, and messages as JSON objects on stderr" },
  },
  signsIn: [],
  exits: ["differences", "notFound"],
  done: "the list is printed",
  contentOnStdout: ({ json, csv, nginx }) => json || csv || nginx,
  run: async (call) => {
    const directory = readFolder(call.arguments[0] ?? "");
    const { runMap } = await import("../workspace/address-map.js");
    return runMap(call, directory, call.arguments[1]);
  },
};

export const links: Command = {
  name: "links",
  group: "Examine runs and backups",
  about: "list links on the target that still lead to the old site",
  arguments: [
    { name: "WORKSPACE", from: "workspace", about: "the workspace folder" },
    {
      name: "TARGET",
      from: "target",
      about: "the target's address; default: the target of the last load",
      optional: true,
    },
  ],
  description:
    "Run it before the old site is switched off. Lists each such link in the loaded texts, with its item, its field and\n" +
    "its link target. A link to an item that another run loads later is rewritten then. Contacts no site, and works\n" +
    "during a run.",
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
  group: "Move content",
  about: "load only the items that failed or were left out last time",
  arguments: [
    { name: "WORKSPACE", from: "workspace", about: "the workspace folder" },
    {
      name: "TARGET",
      from: "target",
      about: "the target's address; default: the target of the last load",
      optional: true,
    },
  ],
  description:
    "Reads again the items that could not be read. Then loads them, with the items that could not be loaded or were left\n" +
    "out, and reads all of them back. Options such as --fit have the values of the last load, unless given: a new value\n" +
    "can load an item that was left out. `guideferry status` shows the list beforehand.",
  examples: ["guideferry retry ./guideferry-workspace", "guideferry retry ./guideferry-workspace --fit split"],
  options: [...LOADING, ...SOURCE_SITE, ...RUN_AT_SITES, ...LIVE_PAGE, "contentVersion", "dryRun", "strict", "verify"],
  optionTexts: LOADING_TEXTS,
  signsIn: ["source", "target"],
  exits: [...RUN_EXITS, "differences", "losses"],
  resumable: true,
  run: async (call) => {
    const { insecureHttp } = call.settings;
    const directory = readFolder(call.arguments[0] ?? "");
    refuseBundle(call.arguments[1] ?? "", "A bundle is written whole. Run the command that wrote it again.");
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
      session.call.output.say("Nothing failed and nothing was left out last time. There is nothing to retry.");
      return { exitCode: EXIT.ok, summary: {}, facts: { failures: 0 }, nothing: true };
    });
  },
};

export const undo = {
  name: "undo",
  group: "Move content",
  about: "delete what a run created, and restore what it changed",
  arguments: [
    { name: "WORKSPACE", from: "workspace", onlyDryRun: true, about: "the workspace folder" },
    {
      name: "TARGET",
      from: "target",
      about: "the target's address; default: the target of the last load",
      optional: true,
    },
  ],
  description:
    "Checks everything that the run created or changed. Before the first write, it lists what it will not undo: items\n" +
    "that somebody edited since, items that a later run changed too, and changes that the service cannot undo. Then it\n" +
    "makes guides private that the run published, restores or recreates what the run deleted, restores fields, steps,\n" +
    "tags and viewers, and deletes what the run created. The report folder holds the list of what is not undone, and the\n" +
    "run ends with 3 if there is any. After a stop, run the same command again. Earlier states are kept for the last 20\n" +
    "runs that wrote to a site. An undo cannot be undone: load the content again instead.",
  examples: [
    "guideferry undo ./guideferry-workspace --dry-run",
    "guideferry undo ./guideferry-workspace",
    "guideferry undo ./guideferry-workspace https://new.example --run 20261120T220000-a1b2c3",
  ],
  options: [...RUN_AT_SITES, ...LIVE_PAGE, "targetRate", "dryRun", "run"],
  optionTexts: {
    ...LIVE_PAGE_TEXTS,
    run: {
      about: "the run to undo; `guideferry status` shows its id",
      fallbackText: "the last run that wrote and is not undone",
    },
    dryRun: { about: "show what would be undone, and write nothing" },
  },
  signsIn: ["target"],
  exits: RUN_EXITS,
  done: "the run is undone completely, or there was nothing to undo",
  resumable: true,
  run: async (call) => {
    const directory = readFolder(call.arguments[0] ?? "");
    const named = call.arguments[1] === undefined ? undefined : readSite(call.arguments[1], call.settings.insecureHttp);
    const { runUndo } = await import("../workspace/undo.js");
    return runUndo(call, directory, named);
  },
} satisfies Command;
