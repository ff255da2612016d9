import type { Command } from "./command.js";
import { COMMAND_NAMES, type CommandName, commandNameOf } from "./options/option.js";

/**
 * Where each command is defined. Its module is loaded only when the command is needed, since most
 * runs need one command, and each module that is loaded delays the start.
 */
const DEFINITIONS: Readonly<Record<CommandName, () => Promise<Command>>> = {
  migrate: async () => (await import("./migrate.js")).migrate,
  extract: async () => (await import("./extract.js")).extract,
  load: async () => (await import("./load.js")).load,
  plan: async () => (await import("./plan.js")).plan,
  apply: async () => (await import("./apply.js")).apply,
  verify: async () => (await import("./verify.js")).verify,
  status: async () => (await import("./status.js")).status,
  report: async () => (await import("./report.js")).report,
  map: async () => (await import("./map.js")).map,
  links: async () => (await import("./links.js")).links,
  retry: async () => (await import("./retry.js")).retry,
  undo: async () => (await import("./undo.js")).undo,
  backup: async () => (await import("./backup.js")).backup,
  restore: async () => (await import("./restore.js")).restore,
  drill: async () => (await import("./drill.js")).drill,
  repair: async () => (await import("./repair.js")).repair,
  export: async () => (await import("./export.js")).exportSnapshot,
  snapshots: async () => (await import("./snapshots.js")).snapshots,
  cat: async () => (await import("./cat.js")).cat,
  diff: async () => (await import("./diff.js")).diff,
  history: async () => (await import("./history.js")).history,
  blame: async () => (await import("./blame.js")).blame,
  browse: async () => (await import("./browse.js")).browse,
  "export-html": async () => (await import("./export-html.js")).exportHtml,
  prune: async () => (await import("./prune.js")).prune,
  convert: async () => (await import("./convert.js")).convert,
  "import-training": async () => (await import("./import-training.js")).importTraining,
  "training check": async () => (await import("./training-check.js")).trainingCheck,
  "training normalise": async () => (await import("./training-normalise.js")).trainingNormalise,
  "training probe": async () => (await import("./training-probe.js")).trainingProbe,
  check: async () => (await import("./check.js")).check,
  api: async () => (await import("./api.js")).api,
  sandbox: async () => (await import("./sandbox.js")).sandbox,
  demo: async () => (await import("./demo.js")).demo,
  init: async () => (await import("./init.js")).init,
  completion: async () => (await import("./completion.js")).completion,
};

/** Loads all commands, in the order of the help. */
export function loadCommands(): Promise<readonly Command[]> {
  return Promise.all(COMMAND_NAMES.map((name) => DEFINITIONS[name]()));
}

/** Loads the command that a command line names; undefined where it names none. */
export async function loadNamedCommand(words: readonly string[]): Promise<Command | undefined> {
  const name = commandNameOf(words);
  return name === undefined ? undefined : DEFINITIONS[name]();
}
