import { z } from "zod";
import { type CommandName, option } from "./option.js";
import { durationSchema } from "./values.js";

/** Commands that may take hours. */
const LONG: readonly CommandName[] = [
  "migrate",
  "extract",
  "load",
  "plan",
  "apply",
  "verify",
  "retry",
  "undo",
  "backup",
  "restore",
  "drill",
  "repair",
  "import-training",
];

const EXPECTED = "expected a time of day from 00:00 to 23:59, such as 06:00";

/** Minutes after midnight, from `06:00` or `6:00`. */
const timeOfDaySchema = z
  .string(EXPECTED)
  .regex(/^(?:[01]?\d|2[0-3]):[0-5]\d$/, EXPECTED)
  .transform((text) => {
    const [hours, minutes] = text.split(":").map(Number);
    return (hours ?? 0) * 60 + (minutes ?? 0);
  });

/** When a command stops although there is more to do. */
export const TIME_OPTIONS = {
  maxDuration: option<number | null>({
    about: "begin nothing new after this time, finish what runs, and end with 4; the same command goes on",
    value: "TIME",
    schema: durationSchema,
    fallback: null,
    fallbackText: "as long as it takes",
    commands: LONG,
  }),
  stopAt: option<number | null>({
    about: "the same when the clock of this machine next shows this time; with both, what comes first counts",
    value: "HH:MM",
    schema: timeOfDaySchema,
    fallback: null,
    fallbackText: "never",
    commands: LONG,
  }),
} as const;
