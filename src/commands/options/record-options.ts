import { option } from "./option.js";
import { choiceSchema, shareOfNightsSchema, switchSchema } from "./values.js";

/** Which answers beside items are taken, and how often what no list shows is read anew. */
export const RECORD_OPTIONS = {
  records: option<"basic" | "all">({
    about:
      "which other answers are kept: those that a migration needs (basic), or all that the service has (all: quizzes, releases, approvals …)",
    value: "basic|all",
    schema: choiceSchema(["basic", "all"]),
    fallback: "basic",
    commands: ["extract"],
  }),
  personalData: option({
    about:
      "with all records: also users, completions, view history, work log, quiz sessions, periodic reviews of people",
    schema: switchSchema,
    fallback: false,
    commands: ["extract", "backup"],
  }),
  refresh: option<number | null>({
    about:
      "the share of the site that is read anew each time although nothing seems to have changed: 1/14 takes 14 nights, all is everything",
    value: "1/N|all",
    schema: shareOfNightsSchema,
    fallback: null,
    fallbackText: "`1/14` with all records, else what is older than 30 days",
    commands: ["extract", "backup"],
  }),
} as const;
