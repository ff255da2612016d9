import type { Command } from "./command.js";

/**
 * The commands, in the order of the help, and where each is defined. Its module is loaded only when
 * the command is needed, since each module that is loaded delays the start.
 */
const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  demo: async () => (await import("./definitions/tools.js")).demo,
  init: async () => (await import("./definitions/tools.js")).init,
  check: async () => (await import("./definitions/tools.js")).check,
  migrate: async () => (await import("./definitions/migration.js")).migrate,
  plan: async () => (await import("./definitions/migration.js")).plan,
  apply: async () => (await import("./definitions/migration.js")).apply,
  extract: async () => (await import("./definitions/migration.js")).extract,
  load: async () => (await import("./definitions/migration.js")).load,
  verify: async () => (await import("./definitions/migration.js")).verify,
  retry: async () => (await import("./definitions/workspace.js")).retry,
  undo: async () => (await import("./definitions/workspace.js")).undo,
  backup: async () => (await import("./definitions/backup.js")).backup,
  restore: async () => (await import("./definitions/backup.js")).restore,
  drill: async () => (await import("./definitions/backup.js")).drill,
  prune: async () => (await import("./definitions/backup.js")).prune,
  repair: async () => (await import("./definitions/backup.js")).repair,
  copy: async () => (await import("./definitions/backup.js")).copy,
  export: async () => (await import("./definitions/backup.js")).exportSnapshot,
  status: async () => (await import("./definitions/workspace.js")).status,
  report: async () => (await import("./definitions/workspace.js")).report,
  map: async () => (await import("./definitions/workspace.js")).map,
  links: async () => (await import("./definitions/workspace.js")).links,
  snapshots: async () => (await import("./definitions/backup.js")).snapshots,
  browse: async () => (await import("./definitions/backup.js")).browse,
  cat: async () => (await import("./definitions/backup.js")).cat,
  diff: async () => (await import("./definitions/backup.js")).diff,
  history: async () => (await import("./definitions/backup.js")).history,
  blame: async () => (await import("./definitions/backup.js")).blame,
  "export-html": async () => (await import("./definitions/backup.js")).exportHtml,
  "import-training": async () => (await import("./definitions/training.js")).importTraining,
  "training check": async () => (await import("./definitions/training.js")).trainingCheck,
  "training normalise": async () => (await import("./definitions/training.js")).trainingNormalise,
  "training probe": async () => (await import("./definitions/training.js")).trainingProbe,
  worker: async () => (await import("./definitions/fleet.js")).worker,
  "fleet init": async () => (await import("./definitions/fleet.js")).fleetInit,
  "fleet add": async () => (await import("./definitions/fleet.js")).fleetAdd,
  "fleet schedule": async () => (await import("./definitions/fleet.js")).fleetSchedule,
  "fleet list": async () => (await import("./definitions/fleet.js")).fleetList,
  "fleet show": async () => (await import("./definitions/fleet.js")).fleetShow,
  "fleet logs": async () => (await import("./definitions/fleet.js")).fleetLogs,
  "fleet pause": async () => (await import("./definitions/fleet.js")).fleetPause,
  "fleet resume": async () => (await import("./definitions/fleet.js")).fleetResume,
  "fleet cancel": async () => (await import("./definitions/fleet.js")).fleetCancel,
  "fleet retry": async () => (await import("./definitions/fleet.js")).fleetRetry,
  "fleet drain": async () => (await import("./definitions/fleet.js")).fleetDrain,
  "fleet ui": async () => (await import("./definitions/fleet.js")).fleetUi,
  "fleet apply": async () => (await import("./definitions/fleet.js")).fleetApply,
  convert: async () => (await import("./definitions/tools.js")).convert,
  api: async () => (await import("./definitions/tools.js")).api,
  sandbox: async () => (await import("./definitions/tools.js")).sandbox,
  completion: async () => (await import("./definitions/tools.js")).completion,
};

export const COMMAND_NAMES: readonly string[] = Object.keys(COMMANDS);

export function loadCommands(): Promise<readonly Command[]> {
  return Promise.all(Object.values(COMMANDS).map((load) => load()));
}

/**
 * Loads the command that a command line (without `node` and the script) names by one word or two;
 * undefined where it names none.
 */
export async function loadNamedCommand([first = "", second = ""]: readonly string[]): Promise<Command | undefined> {
  const name = COMMAND_NAMES.find((one) => one === first || one === `${first} ${second}`);
  return name === undefined ? undefined : COMMANDS[name]?.();
}
