import { type CommandName, option } from "./option.js";
import { switchSchema } from "./values.js";

/** Commands that work on a workspace for so long that somebody may want to look. */
export const SHOWN_COMMANDS: readonly CommandName[] = [
  "migrate",
  "extract",
  "load",
  "apply",
  "verify",
  "retry",
  "undo",
  "backup",
  "restore",
  "repair",
  "import-training",
];

/** Looking at a run while it is on. */
export const UI_OPTIONS = {
  ui: option({
    about: "show the run as a page on this machine while it is on, where it can be paused and resumed",
    schema: switchSchema,
    fallback: false,
    commands: SHOWN_COMMANDS,
  }),
} as const;
