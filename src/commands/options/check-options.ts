import { option } from "./option.js";
import { switchSchema } from "./values.js";

/** The check of a site. */
export const CHECK_OPTIONS = {
  probeWrite: option({
    about: "also make one private guide with one step and one upload, read them back, and delete them",
    schema: switchSchema,
    fallback: false,
    flagOnly: true,
    commands: ["check"],
  }),
} as const;
