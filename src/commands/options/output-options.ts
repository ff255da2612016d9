import { COMMAND_NAMES, option } from "./option.js";
import { switchSchema, textSchema } from "./values.js";

/** What is printed, and where the configuration lies. Every command has these. */
export const OUTPUT_OPTIONS = {
  json: option({
    about:
      "print one JSON object a line on stdout and nothing else there; convert, cat, api and training check print them on stderr",
    schema: switchSchema,
    fallback: false,
    commands: COMMAND_NAMES,
  }),
  quiet: option({
    about: "print warnings and errors only",
    schema: switchSchema,
    fallback: false,
    commands: COMMAND_NAMES,
  }),
  verbose: option({
    about: "print every request",
    schema: switchSchema,
    fallback: false,
    commands: COMMAND_NAMES,
  }),
  debug: option({
    about: "print stack traces with errors",
    schema: switchSchema,
    fallback: false,
    commands: COMMAND_NAMES,
  }),
  progress: option({
    about: "no progress: neither bars on a terminal nor lines in a log",
    schema: switchSchema,
    fallback: true,
    commands: COMMAND_NAMES,
  }),
  config: option<string | null>({
    about: "the configuration file",
    value: "FILE",
    schema: textSchema,
    fallback: null,
    fallbackText: "guideferry.config.json or .mjs in the working directory, if there",
    flagOnly: true,
    commands: COMMAND_NAMES,
  }),
} as const;
