import { option } from "./option.js";
import { switchSchema } from "./values.js";

/** How a snapshot is restored. */
export const RESTORE_OPTIONS = {
  snapshotFirst: option({
    about: "do not take a snapshot of the site as it is now before it is put back to an earlier one",
    schema: switchSchema,
    fallback: true,
    commands: ["restore"],
  }),
} as const;
