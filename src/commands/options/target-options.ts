import { resolve } from "node:path";
import { z } from "zod";
import { type JsonObject, parseJson } from "../../core/util/json.js";
import { option } from "./option.js";
import { choiceSchema, mappingSchema, switchSchema } from "./values.js";

/**
 * The absolute path of a file, which later runs read again; empty for `none`, which takes back what
 * an earlier run was given.
 */
const fileSchema = z.unknown().transform((value, context): string | null => {
  if (value === "none" || value === "") return "";
  if (typeof value === "string" && value.trim() !== "") return resolve(value);
  context.addIssue({ code: "custom", message: "expected a CSV file with the columns old and new, or none" });
  return z.NEVER;
});

const mapFileSchema = z.unknown().transform((value, context): string => {
  if (typeof value === "string" && value.trim() !== "") return resolve(value);
  context.addIssue({ code: "custom", message: "expected a file that guideferry map --json printed" });
  return z.NEVER;
});

/** A transform that somebody chose, as plain JSON: the run log keeps it for `retry`. */
export interface TransformChoice {
  /** One of guideferry's own, or the absolute path of a module. */
  readonly name: string;
  /** As they were given; each transform checks its own. */
  readonly options: JsonObject;
}

const EXPECTED = "expected NAME, NAME:OPTION=VALUE,OPTION=VALUE, NAME:{JSON}, or ./FILE.mjs in place of NAME";

/**
 * The text of one flag, several of them, or what a configuration file lists: texts, or objects with
 * `name` and `options`.
 */
export const transformsSchema: z.ZodType<readonly TransformChoice[]> = z.unknown().transform((given, context) => {
  const choices: TransformChoice[] = [];
  for (const entry of entriesOf(given)) {
    const choice = typeof entry === "string" ? choiceIn(entry) : transformChoiceSchema.safeParse(entry).data;
    if (choice === undefined) {
      context.addIssue({ code: "custom", message: `${EXPECTED}; ${JSON.stringify(entry)} is none of them` });
      return z.NEVER;
    }
    choices.push({ ...choice, name: MODULE.test(choice.name) ? resolve(choice.name) : choice.name });
  }
  return choices;
});

/** What is written to the target, and how. */
export const TARGET_OPTIONS = {
  // What is written to the target, and what happens where it does not fit.
  onConflict: option<"skip" | "update" | "merge" | "fail">({
    about:
      "when somebody edited at the target what guideferry wrote: keep theirs, overwrite it, merge both field by field, or fail the item",
    value: "skip|update|merge|fail",
    schema: choiceSchema(["skip", "update", "merge", "fail"]),
    fallback: "skip",
  }),
  onExisting: option<"adopt" | "update" | "fail">({
    about:
      "when the target has a page of that namespace and title, or with --match a guide: link to it untouched, overwrite it, or fail the item",
    value: "adopt|update|fail",
    schema: choiceSchema(["adopt", "update", "fail"]),
    fallback: "adopt",
  }),
  match: option<"none" | "title">({
    about:
      "title: a guide that is new here may be the target's one guide of the same title, category and type; --on-existing says what happens to it",
    value: "none|title",
    schema: choiceSchema(["none", "title"]),
    fallback: "none",
  }),
  allowDuplicates: option({
    about:
      "load or import from a new workspace although the target has guides of the same titles, categories and types, or modules of the same titles: they are there twice then",
    schema: switchSchema,
    fallback: false,
  }),
  dangling: option<"absolute" | "label" | "fail">({
    about: "a reference whose goal does not move: a link to the old site, its label only, or fail the item",
    value: "absolute|label|fail",
    schema: choiceSchema(["absolute", "label", "fail"]),
    fallback: "absolute",
  }),
  fit: option<"refuse" | "split" | "trim">({
    about: "an item that the target would refuse: leave it out and list it, split it up, or trim it (both listed)",
    value: "refuse|split|trim",
    schema: choiceSchema(["refuse", "split", "trim"]),
    fallback: "refuse",
  }),
  assumeLimits: option({
    about:
      "make no probe of the target: where its limits of steps are unknown, assume 350 characters a line, 8 lines a step and pictures of 800 x 600",
    schema: switchSchema,
    fallback: false,
  }),
  smallImages: option<"enlarge" | "pad" | "drop">({
    about:
      "what --fit split and trim do with a picture that is smaller than the target's steps take: scale it up, give it a border, or leave it out",
    value: "enlarge|pad|drop",
    schema: choiceSchema(["enlarge", "pad", "drop"]),
    fallback: "enlarge",
  }),
  split: option<"category" | null>({
    about: "where the target is a folder: write one bundle for each category into it",
    value: "category",
    schema: choiceSchema(["category"]),
    fallback: null,
    fallbackText: "one bundle",
  }),
  dryRun: option({
    about: "say what would be done, as plan does, and write nothing to the target",
    schema: switchSchema,
    fallback: false,
  }),
  strict: option({
    about: "end with 12 when anything was lost on the way, also what the service can't take",
    schema: switchSchema,
    fallback: false,
  }),
  detailedExitcode: option({
    about: "end with 7 when the plan has changes, 0 when it has none",
    schema: switchSchema,
    fallback: false,
  }),

  // What was deleted at one end, and how the target is looked at and shown meanwhile.
  deleteGone: option({
    about:
      "delete at the target what the source has no more; only what guideferry made there and nobody edited since. Without it that is listed",
    schema: switchSchema,
    fallback: false,
  }),
  hideWhileUpdating: option({
    about: "make a public guide private while it is changed, and publish it again when all of it is there",
    schema: switchSchema,
    fallback: false,
  }),
  verify: option<"full" | "changed" | "none">({
    about: "what is read back after the load: all, what this run wrote and the target's lists, or nothing",
    value: "full|changed|none",
    schema: choiceSchema(["full", "changed", "none"]),
    fallback: "changed",
  }),

  // What becomes of what people said about things.
  postComments: option({
    about:
      "post the comments on guides, steps and pages in the name of the account that loads; their authors and dates are lost, and listed",
    schema: switchSchema,
    fallback: false,
  }),

  // What is changed on the way to the target.
  transforms: option<readonly TransformChoice[]>({
    about:
      "change items on their way to the target, one transform after the other; each --transform adds one (transforms/steps)",
    value: "NAME[:OPTIONS]|FILE",
    schema: transformsSchema,
    fallback: [],
    fallbackText: "none",
    single: "transform",
  }),

  // Who and what is called otherwise at the target.
  userMap: option<string | null>({
    about:
      "CSV with the columns old and new: who users of the source are at the target, by id, unique name or e-mail; new empty: nobody",
    value: "FILE",
    schema: fileSchema,
    fallback: null,
    fallbackText: "equal unique names, then equal e-mail addresses",
  }),
  teamMap: option<string | null>({
    about: "the same for teams, by id or name",
    value: "FILE",
    schema: fileSchema,
    fallback: null,
    fallbackText: "equal names",
  }),
  movedMap: option<string | null>({
    about:
      "what another workspace moved to this target, as its `guideferry map --json` prints it: references lead there, and none of it is loaded again",
    value: "FILE",
    flag: "map",
    schema: mapFileSchema,
    fallback: null,
    fallbackText: "none",
  }),
  typeMap: option<Readonly<Record<string, string>>>({
    about: "guides of a type of the source become guides of another type",
    value: "OLD=NEW,…",
    schema: mappingSchema,
    fallback: {},
    fallbackText: "types stay",
    repeatable: true,
  }),
  categoryMap: option<Readonly<Record<string, string>>>({
    about: "categories get another title; several with one new title become one",
    value: "OLD=NEW,…",
    schema: mappingSchema,
    fallback: {},
    fallbackText: "titles stay",
    repeatable: true,
  }),
} as const;

const transformChoiceSchema = z.strictObject({
  name: z.string().min(1),
  options: z.record(z.string(), z.unknown()).default({}),
});

/** A variable holds one, or several as a JSON array. */
function entriesOf(given: unknown): readonly unknown[] {
  if (typeof given === "string" && given.startsWith("["))
    return z.array(z.unknown()).safeParse(parseJson(given)).data ?? [given];
  return Array.isArray(given) ? given : [given];
}

/** A path may hold a colon, a name never does. */
const MODULE = /\.[cm]?js$/;
const TEXT = /^(.+?\.[cm]?js|[a-z][a-z0-9-]*)(?::(.*))?$/s;

function choiceIn(text: string): TransformChoice | undefined {
  const [, name, given = ""] = TEXT.exec(text.trim()) ?? [];
  const options = given.startsWith("{")
    ? z.record(z.string(), z.unknown()).safeParse(parseJson(given)).data
    : pairs(given);
  return name === undefined || options === undefined ? undefined : { name, options };
}

/** `from=old.example,to=new.example`. A value with a comma needs JSON. */
function pairs(text: string): TransformChoice["options"] | undefined {
  const parts = text === "" ? [] : text.split(",").map((part) => /^\s*([A-Za-z][A-Za-z0-9]*)=(.*)$/s.exec(part));
  if (parts.includes(null)) return undefined;
  const entries = parts.map((part) => [part?.[1] ?? "", part?.[2]?.trim() ?? ""] as const);
  const isOnce = new Set(entries.map(([key]) => key)).size === entries.length;
  return isOnce ? Object.fromEntries(entries) : undefined;
}
