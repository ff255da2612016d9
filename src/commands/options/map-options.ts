import { option } from "./option.js";
import { switchSchema } from "./values.js";

/** How a map of old and new addresses is written. */
export const MAP_OPTIONS = {
  nginx: option({
    about: "print a file that nginx includes, which leads old addresses to the new pages, and nothing else on stdout",
    schema: switchSchema,
    fallback: false,
    flagOnly: true,
    commands: ["map"],
  }),
  mapSteps: option({
    about: "also each step, whose address is its place on the guide's page",
    flag: "steps",
    schema: switchSchema,
    fallback: false,
    flagOnly: true,
    commands: ["map"],
  }),
} as const;
