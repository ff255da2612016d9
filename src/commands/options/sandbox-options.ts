import { option } from "./option.js";
import { SHOWN_COMMANDS } from "./ui-options.js";
import { choiceSchema, textSchema, wholeSchema } from "./values.js";

/** How the embedded site starts. */
export const SANDBOX_OPTIONS = {
  site: option<string | null>({
    about: "a folder of API answers to start with",
    value: "DIR",
    schema: textSchema,
    fallback: null,
    fallbackText: "an empty site",
    commands: ["sandbox"],
  }),
  port: option({
    about: "the port on this machine; of a run with --ui only",
    value: "N",
    schema: wholeSchema(0, 65_535),
    fallback: 0,
    fallbackText: "a free one",
    commands: ["sandbox", "browse", ...SHOWN_COMMANDS],
  }),
  token: option<string | null>({
    about: "the token that the sandbox takes; it is printed, so take none that is used elsewhere",
    value: "T",
    schema: textSchema,
    fallback: null,
    fallbackText: "a random one",
    flagOnly: true,
    commands: ["sandbox"],
  }),
  dialect: option<"specification" | "dozuki" | "ifixit" | null>({
    about: "what its answers look like: as the specification's tables, or as those of real sites",
    value: "specification|dozuki|ifixit",
    schema: choiceSchema(["specification", "dozuki", "ifixit"]),
    fallback: null,
    fallbackText: "what the site's folder says, else specification",
    commands: ["sandbox"],
  }),
} as const;
