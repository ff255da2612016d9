import { type CommandName, option } from "./option.js";
import { choiceSchema, switchSchema } from "./values.js";

const WRITING: readonly CommandName[] = ["migrate", "load", "plan", "verify", "retry", "restore"];

/** What is written to the target, and what happens where it does not fit. */
export const WRITING_OPTIONS = {
  onConflict: option<"skip" | "update" | "merge" | "fail">({
    about:
      "when somebody edited at the target what guideferry wrote: keep theirs, overwrite it, merge both field by field, or fail the item",
    value: "skip|update|merge|fail",
    schema: choiceSchema(["skip", "update", "merge", "fail"]),
    fallback: "skip",
    commands: WRITING,
  }),
  onExisting: option<"adopt" | "update" | "fail">({
    about:
      "when the target has a page of that namespace and title, or with --match a guide: link to it untouched, overwrite it, or fail the item",
    value: "adopt|update|fail",
    schema: choiceSchema(["adopt", "update", "fail"]),
    fallback: "adopt",
    commands: WRITING,
  }),
  match: option<"none" | "title">({
    about:
      "title: a guide that is new here may be the target's one guide of the same title, category and type; --on-existing says what happens to it",
    value: "none|title",
    schema: choiceSchema(["none", "title"]),
    fallback: "none",
    commands: ["migrate", "load", "plan", "verify", "retry"],
  }),
  allowDuplicates: option({
    about:
      "load or import from a new workspace although the target has guides of the same titles, categories and types, or modules of the same titles: they are there twice then",
    schema: switchSchema,
    fallback: false,
    commands: ["migrate", "load", "plan", "retry", "restore", "import-training"],
  }),
  dangling: option<"absolute" | "label" | "fail">({
    about: "a reference whose goal does not move: a link to the old site, its label only, or fail the item",
    value: "absolute|label|fail",
    schema: choiceSchema(["absolute", "label", "fail"]),
    fallback: "absolute",
    commands: WRITING,
  }),
  fit: option<"refuse" | "split" | "trim">({
    about: "an item that the target would refuse: leave it out and list it, split it up, or trim it (both listed)",
    value: "refuse|split|trim",
    schema: choiceSchema(["refuse", "split", "trim"]),
    fallback: "refuse",
    commands: [...WRITING, "drill"],
  }),
  assumeLimits: option({
    about:
      "make no probe of the target: where its limits of steps are unknown, assume 350 characters a line, 8 lines a step and pictures of 800 x 600",
    schema: switchSchema,
    fallback: false,
    commands: ["migrate", "load", "plan", "retry", "restore"],
  }),
  smallImages: option<"enlarge" | "pad" | "drop">({
    about:
      "what --fit split and trim do with a picture that is smaller than the target's steps take: scale it up, give it a border, or leave it out",
    value: "enlarge|pad|drop",
    schema: choiceSchema(["enlarge", "pad", "drop"]),
    fallback: "enlarge",
    commands: [...WRITING, "drill"],
  }),
  split: option<"category" | null>({
    about: "where the target is a folder: write one bundle for each category into it",
    value: "category",
    schema: choiceSchema(["category"]),
    fallback: null,
    fallbackText: "one bundle",
    commands: ["migrate", "load", "plan", "verify"],
  }),
  dryRun: option({
    about: "say what would be done, as plan does, and write nothing to the target",
    schema: switchSchema,
    fallback: false,
    commands: ["migrate", "load", "retry", "undo", "restore", "prune", "import-training"],
  }),
  strict: option({
    about: "end with 12 when anything was lost on the way, also what the service can't take",
    schema: switchSchema,
    fallback: false,
    commands: ["migrate", "load", "apply", "retry", "restore", "convert"],
  }),
  detailedExitcode: option({
    about: "end with 7 when the plan has changes, 0 when it has none",
    schema: switchSchema,
    fallback: false,
    commands: ["plan"],
  }),
} as const;
