import type { Command, FleetVerb } from "../command.js";
import { FINISH_WITHIN } from "../interruption.js";
import { flagOf } from "../options/option.js";
import { OPTIONS, type OptionName, type OptionTexts } from "../options/table.js";
import { backup, copy, drill, prune, restore } from "./backup.js";
import { migrate, verify } from "./migration.js";
import { check } from "./tools.js";
import { importTraining } from "./training.js";

/**
 * The commands of a fleet. `extract`, `load`, `plan` and `undo` need the workspace of another
 * command, and each task has its own: `migrate` does all of it in one task.
 */
const VERBS: Readonly<Record<string, FleetVerb>> = {
  migrate: { command: migrate, places: ["site", "site"] },
  backup: { command: backup, places: ["site"] },
  restore: { command: restore, places: ["repository", "site"] },
  drill: { command: drill, places: ["repository"] },
  verify: { command: verify, places: ["repository"] },
  prune: { command: prune, places: ["repository"] },
  copy: { command: copy, places: ["repository", "repository"] },
  check: { command: check, places: ["site"] },
  "import-training": { command: importTraining, places: ["package", "site"] },
};

/** Options of these commands that a worker sets, that need a person, or that hold a secret. */
const NOT_IN_A_FLEET: ReadonlySet<OptionName> = new Set([
  "workspace",
  "ui",
  "port",
  "notify",
  "metrics",
  "planFile",
  "planHtml",
  "planText",
  "detailedExitcode",
]);

const CONNECTION = ["database"] as const satisfies readonly OptionName[];

const DESCRIPTION = [
  ...CONNECTION,
  "store",
  "taskName",
  "tenant",
  "priority",
  "sourceTokenReference",
  "targetTokenReference",
  "credentials",
] as const satisfies readonly OptionName[];

/** Each verb with the options that it takes in a fleet. */
const VERBS_OF_A_FLEET: ReadonlyMap<string, FleetVerb> = new Map(
  Object.entries(VERBS).map(([name, { command, places }]) => {
    const options = command.options.filter((option) => !NOT_IN_A_FLEET.has(option));
    return [name, { command: { ...command, options }, places }];
  }),
);

/** Two commands may have different options of one flag: `defineTask` finds the one meant. */
const TASK_OPTIONS: readonly OptionName[] = [
  ...new Map(
    [...VERBS_OF_A_FLEET.values()]
      .flatMap(({ command }) => command.options)
      .toReversed()
      .map((name) => [flagOf(name, OPTIONS[name]), name] as const),
  ).values(),
];

const TASK_ARGUMENTS = [
  { name: "COMMAND", about: `one of ${[...VERBS_OF_A_FLEET.keys()].join(", ")}` },
  {
    name: "PLACE",
    about: "the arguments of the command; the address of a site in place of a repository means its backups in --store",
    many: true,
  },
] as const satisfies Command["arguments"];

/** The short help shows what a task adds to its command. */
const TASK_TEXTS: OptionTexts = {
  ...Object.fromEntries(TASK_OPTIONS.map((name) => [name, { usual: false }])),
  repository: { usual: true, fallbackText: "the site's own folder in --store" },
};

const EXITS = ["unreachable", "notFound"] as const satisfies Command["exits"];

export const worker: Command = {
  name: "worker",
  group: "Many machines",
  main: true,
  about: "run the tasks of a fleet on this machine",
  arguments: [],
  description:
    "Takes tasks from the shared database and runs them as ordinary commands, each as a process with its own workspace.\n" +
    "Start it on as many machines as you like: no site is used by two runs at once, and a run whose machine fails goes on\n" +
    "elsewhere. After the first signal (TERM, or Ctrl-C) it takes no new task and gives running ones --drain-timeout.\n" +
    "Files that tasks name, and a configuration file, are those in its working directory. Needs the packages pg and\n" +
    "pg-boss.",
  examples: [
    "guideferry worker --jobs 2",
    "guideferry worker --jobs 4 --workspaces /var/lib/guideferry --health-port 9464",
  ],
  options: [...CONNECTION, "store", "jobs", "workspaces", "drainTimeout", "healthPort"],
  signsIn: [],
  exits: [...EXITS],
  done: "a signal or `fleet drain` ended the worker, and no run is left",
  long: true,
  // The worker itself ends children that take longer.
  finishWithin: ({ drainTimeout }) => drainTimeout * 1000 + 3 * FINISH_WITHIN,
  run: async (call) => {
    const { runWorker } = await import("../fleet/run-worker.js");
    return runWorker(call);
  },
};

export const fleetInit: Command = {
  name: "fleet init",
  group: "Many machines",
  about: "create or update the tables of a fleet",
  arguments: [],
  description:
    "Creates the tables in the schemas guideferry and guideferry_jobs of the database, or brings them up to this version.\n" +
    "Run it once before the first worker and after each update, with a user who may create tables. --worker-role gives\n" +
    "another user what a worker needs: reading and writing rows, and nothing else.",
  examples: ["guideferry fleet init", "guideferry fleet init --worker-role worker"],
  options: [...CONNECTION, "workerRole"],
  signsIn: [],
  exits: [...EXITS],
  done: "the tables are those of this version",
  run: async (call) => {
    const { runInit } = await import("../fleet/fleet-file.js");
    return runInit(call);
  },
};

export const fleetAdd: Command = {
  name: "fleet add",
  group: "Many machines",
  about: "run a command once, on any machine of the fleet",
  arguments: TASK_ARGUMENTS,
  description:
    "Queues one run of a command with the options that it has by itself; they are checked now. Backups go to --to, or to\n" +
    "the site's own folder in --store. Credentials are references: the worker reads the variable or the file, or runs the\n" +
    "command. A run that fails for a temporary reason is repeated, later each time.",
  examples: [
    "guideferry fleet add migrate https://a.example https://b.example --source-token env:A_TOKEN --target-token file:b.token --fit split",
    "guideferry fleet add backup https://a.example --source-token env:A_TOKEN --task-name a-now",
    "guideferry fleet add drill https://a.example",
  ],
  options: [...TASK_OPTIONS, ...DESCRIPTION],
  optionTexts: TASK_TEXTS,
  signsIn: [],
  exits: [...EXITS],
  done: "the task is queued",
  run: async (call) => {
    const { runAdd } = await import("../fleet/tasks.js");
    return runAdd(call, VERBS_OF_A_FLEET);
  },
};

export const fleetSchedule: Command = {
  ...fleetAdd,
  name: "fleet schedule",
  about: "run a command at set times, on any machine of the fleet",
  description:
    "As fleet add, at the times of --cron in the time zone --tz. A time that a change of daylight saving repeats counts\n" +
    "once, and one that it leaves out comes as much later as the clock jumps. If no worker ran at the time, one run makes\n" +
    "up for all that were missed. A run that takes until the next time is not started twice.",
  examples: [
    "guideferry fleet schedule backup https://a.example --source-token env:A_TOKEN --cron '30 2 * * *' --tz Europe/Berlin",
    "guideferry fleet schedule drill https://a.example --cron '0 6 * * sun' --tz Europe/Berlin",
  ],
  options: [...TASK_OPTIONS, ...DESCRIPTION, "cron", "timeZone"],
  done: "the schedule is stored",
};

export const fleetList: Command = {
  name: "fleet list",
  group: "Many machines",
  about: "show the tasks of a fleet and their state",
  arguments: [],
  description:
    "One line for each task. --failed shows those that are not tried again, with what to do for each. --workers\n" +
    "shows the machines.",
  examples: ["guideferry fleet list", "guideferry fleet list --failed", "guideferry fleet list --json | jq .state"],
  options: [...CONNECTION, "failed", "workers", "tenant"],
  optionTexts: { tenant: { about: "show only the tasks of this tenant" } },
  signsIn: [],
  exits: [...EXITS],
  done: "the tasks are listed",
  run: async (call) => {
    const { runList } = await import("../fleet/view.js");
    return runList(call);
  },
};

const ONE_TASK = [
  { name: "TASK", about: "its name, its id, or the first eight characters of the id" },
] as const satisfies Command["arguments"];
const TASKS = [{ ...ONE_TASK[0], many: true }] as const satisfies Command["arguments"];

export const fleetShow: Command = {
  name: "fleet show",
  group: "Many machines",
  about: "show a task with its runs",
  arguments: ONE_TASK,
  description:
    "The command, where its credentials come from, the progress, the last 50 runs, and what to do after a failure.",
  examples: ["guideferry fleet show a-now"],
  options: [...CONNECTION],
  signsIn: [],
  exits: [...EXITS],
  done: "the task is shown",
  run: async (call) => {
    const { runShow } = await import("../fleet/view.js");
    return runShow(call);
  },
};

export const fleetLogs: Command = {
  name: "fleet logs",
  group: "Many machines",
  about: "print the messages of a run",
  arguments: ONE_TASK,
  description:
    "The messages of the task's last run, or of --run. Of a long run the first 192 kB and the last 64 kB are kept.",
  examples: ["guideferry fleet logs a-now"],
  options: [...CONNECTION, "run"],
  optionTexts: {
    run: { about: "the run, by the first characters of its id; `fleet show` lists them", fallbackText: "the last run" },
  },
  signsIn: [],
  exits: [...EXITS],
  done: "the messages are printed",
  run: async (call) => {
    const { runLogs } = await import("../fleet/view.js");
    return runLogs(call);
  },
};

function control(
  verb: "pause" | "resume" | "cancel" | "retry",
  about: string,
  description: string,
  done: string,
): Command {
  return {
    name: `fleet ${verb}`,
    group: "Many machines",
    about,
    arguments: TASKS,
    description,
    examples: [`guideferry fleet ${verb} a-now`],
    options: [...CONNECTION],
    signsIn: [],
    exits: [...EXITS],
    done,
    run: async (call) => {
      const { runControl } = await import("../fleet/tasks.js");
      return runControl(call, verb);
    },
  };
}

export const fleetPause: Command = control(
  "pause",
  "stop tasks until they are resumed",
  "A running command stops within 10 s, in the orderly way of Ctrl-C, and keeps its place. A schedule starts nothing.",
  "the tasks are paused",
);

export const fleetResume: Command = control(
  "resume",
  "let paused tasks go on",
  "What ran when it was paused goes on where it was. A schedule begins with its next time.",
  "the tasks are resumed",
);

export const fleetCancel: Command = {
  ...control(
    "cancel",
    "end tasks and their schedules",
    "A running command stops within 10 s, in the orderly way of Ctrl-C. Its runs stay in the list; `fleet retry` brings the\n" +
      "task back, with its schedule. With --remove nothing but its backups stays: workers remove its workspaces within an hour.",
    "the tasks are cancelled",
  ),
  options: [...CONNECTION, "remove"],
};

export const fleetRetry: Command = control(
  "retry",
  "run tasks again now",
  "Queues a run of tasks that failed, wait for their next attempt, were cancelled, or are done. A migration continues with\n" +
    "what it has done so far.",
  "the tasks are queued, or run already",
);

export const fleetDrain: Command = {
  name: "fleet drain",
  group: "Many machines",
  about: "end workers, and let others take over their runs",
  arguments: [{ name: "WORKER", about: "its name, as `fleet list --workers` shows it", many: true }],
  description:
    "The worker takes no new task, asks its running commands to stop within 10 s as Ctrl-C does, and ends. Other workers\n" +
    "continue the runs.",
  examples: ["guideferry fleet drain host-4711-a1b2"],
  options: [...CONNECTION],
  signsIn: [],
  exits: [...EXITS],
  done: "the workers are asked to end",
  run: async (call) => {
    const { runDrain } = await import("../fleet/tasks.js");
    return runDrain(call);
  },
};

export const fleetUi: Command = {
  name: "fleet ui",
  group: "Many machines",
  about: "show a fleet as a page, with pause, cancel and retry",
  arguments: [],
  description:
    "Serves pages on this machine. They show each site with the age of its last good backup, and running tasks with their\n" +
    "progress. They also show failures by cause with what to do, trial restores, and workers. The printed address signs in\n" +
    "one browser, once; then the next address is printed. With GUIDEFERRY_FLEET_UI_TOKEN (16 characters or more; also _FILE\n" +
    "and _COMMAND) the page asks for that token. Other machines need a proxy with TLS, and --host and --public-address.",
  examples: [
    "guideferry fleet ui",
    "guideferry fleet ui --port 8090 --host 0.0.0.0 --public-address https://fleet.example",
  ],
  options: [...CONNECTION, "port", "host", "publicAddress"],
  optionTexts: { port: { about: "the port of the page" } },
  signsIn: [],
  exits: [...EXITS],
  long: true,
  run: async (call) => {
    const { runUi } = await import("../fleet/view.js");
    return runUi(call);
  },
};

export const fleetApply: Command = {
  name: "fleet apply",
  group: "Many machines",
  about: "make the tasks of a fleet those of a file",
  arguments: [{ name: "FILE", about: "a JSON file with tenants, policies, sites and migrations" }],
  description:
    "Shows what would be added, changed and removed, and does it after a confirmation or with --yes. Removes only tasks\n" +
    "that came from a file. docs/guide/run-on-many-machines.md describes the file.",
  examples: ["guideferry fleet apply fleet.json --dry-run", "guideferry fleet apply fleet.json --yes"],
  options: [...CONNECTION, "store", "yes", "dryRun"],
  optionTexts: { dryRun: { about: "show the changes and make none" } },
  signsIn: [],
  exits: ["stopped", ...EXITS],
  done: "the tasks are those of the file",
  run: async (call) => {
    const { runApply } = await import("../fleet/fleet-file.js");
    return runApply(call, VERBS_OF_A_FLEET);
  },
};
