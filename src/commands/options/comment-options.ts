import { option } from "./option.js";
import { switchSchema } from "./values.js";

/** What becomes of what people said about things. */
export const COMMENT_OPTIONS = {
  postComments: option({
    about:
      "post the comments on guides, steps and pages in the name of the account that loads; their authors and dates are lost, and listed",
    schema: switchSchema,
    fallback: false,
    commands: ["migrate", "load", "plan", "verify", "retry"],
  }),
} as const;
