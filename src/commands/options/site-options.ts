import { resolve } from "node:path";
import { z } from "zod";
import { ITEM_KINDS } from "../../core/model/key.js";
import { type JsonObject, parseJson } from "../../core/util/json.js";
import { DEFAULT_FAILURE_LIMIT } from "../../sync/control.js";
import { choiceOption, option, switchOption } from "./option.js";
import {
  choicesSchema,
  failureLimitSchema,
  hostsSchema,
  mappingSchema,
  rateSchema,
  refreshShareSchema,
  textSchema,
  timeSchema,
  wholeSchema,
  wordsSchema,
} from "./values.js";

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

/** What is read from a source and written to a target, and how. */
export const SITE_OPTIONS = {
  // Where things lie, and how fast and how long sites are talked to.
  workspace: option({
    about: "the folder that holds what was read and what was loaded; made when it is not there",
    value: "DIR",
    schema: textSchema,
    fallback: "./guideferry-workspace",
  }),
  rate: option<number | null>({
    about: "requests a second to each site at most, retries included",
    value: "RATE",
    schema: rateSchema,
    fallback: null,
    fallbackText: "10/s; no limit on loopback",
  }),
  sourceRate: option<number | null>({
    about: "the same for the source only",
    value: "RATE",
    schema: rateSchema,
    fallback: null,
    fallbackText: "--rate",
  }),
  targetRate: option<number | null>({
    about: "the same for the target only",
    value: "RATE",
    schema: rateSchema,
    fallback: null,
    fallbackText: "--rate",
  }),
  mediaRate: option<number | null>({
    about: "the same for media on hosts other than the site",
    value: "RATE",
    schema: rateSchema,
    fallback: null,
    fallbackText: "50/s; no limit on loopback",
  }),
  allowPrivateMedia: option<readonly string[]>({
    about:
      "fetch media from this host although it is not on the public internet; where the site itself is they are always fetched",
    value: "HOST,…",
    schema: hostsSchema,
    fallback: [],
    fallbackText: "none",
    repeatable: true,
  }),
  concurrency: option({
    about: "items at work at the same time",
    value: "N",
    schema: wholeSchema(1, 64),
    fallback: 8,
  }),
  maxFailures: option({
    about: "stop with 8 after so many failures in a row of one cause, a share of all items, or either: 50,20%",
    value: "N|P%",
    schema: failureLimitSchema,
    fallback: DEFAULT_FAILURE_LIMIT,
    fallbackText: "50,20%",
  }),
  insecureHttp: switchOption({
    about: "allow plain http to a site that is not on this machine; the sign-in travels in the clear",
  }),

  // Which items are taken, and what of them.
  only: option<readonly (typeof ITEM_KINDS)[number][]>({
    about: `only these kinds: ${ITEM_KINDS.join(", ")}`,
    value: "KIND,…",
    schema: choicesSchema(ITEM_KINDS),
    fallback: ITEM_KINDS,
    fallbackText: "all",
  }),
  include: option<readonly string[]>({
    about:
      "only items whose key (guide/12*) or category path (Looms/**) matches; for a comma inside of a title write ?",
    value: "GLOB,…",
    schema: wordsSchema,
    fallback: [],
    fallbackText: "everything",
    repeatable: true,
  }),
  exclude: option<readonly string[]>({
    about: "no items whose key or category path matches",
    value: "GLOB,…",
    schema: wordsSchema,
    fallback: [],
    fallbackText: "nothing",
    repeatable: true,
  }),
  since: option<number | null>({
    about: "only items changed at or after this time: 2026-11-01, 2026-11-01T08:00:00Z, or 7d (7 days ago)",
    value: "TIME",
    schema: timeSchema,
    fallback: null,
    fallbackText: "any time",
  }),
  dependencies: switchOption({
    about: "leave out what the chosen items need but the choice does not name (prerequisites, categories, media …)",
    fallback: true,
  }),
  includePrivate: switchOption({
    about: "leave private guides out; without this they are taken when the source's account is an admin",
    fallback: true,
  }),
  publish: switchOption({
    about: "guides of documents that do not say whether they are public become so; without this they stay private",
  }),
  imageDetails: switchOption({
    about: "also read each image's annotations and camera data: one more request an image",
  }),
  format: choiceOption(["json", "xml", "xml-only"], {
    about: "read guides and categories as XML too, and compare (xml), or as XML alone, with its losses (xml-only)",
    fallback: "json",
  }),
  languages: option<readonly string[]>({
    about: "translations to take besides the site's own language, by language id: de,fr",
    value: "ID,…",
    schema: wordsSchema,
    fallback: [],
    fallbackText: "all that the site names",
  }),

  // Which answers beside items are taken, and how often what no list shows is read anew.
  records: choiceOption(["basic", "all"], {
    about:
      "which other answers are kept: those that a migration needs (basic), or all that the service has (all: quizzes, releases, approvals …)",
    fallback: "basic",
  }),
  personalData: switchOption({
    about:
      "with all records: also users, completions, view history, work log, quiz sessions, periodic reviews of people",
  }),
  refresh: option<number | null>({
    about:
      "the share of the site that is read anew each time although nothing seems to have changed: 1/14 takes 14 nights, all is everything",
    value: "1/N|all",
    schema: refreshShareSchema,
    fallback: null,
    fallbackText: "`1/14` with all records, else what is older than 30 days",
  }),

  // Which version of the source's content is taken.
  contentVersion: choiceOption(["latest", "released", "pending"], {
    about:
      "which version is read: what people see, what was released last (what never was is left out and named), or the newest edit, approved or not",
    fallback: "latest",
  }),

  // What is written to the target, and what happens where it does not fit.
  onConflict: choiceOption(["skip", "update", "merge", "fail"], {
    about:
      "when somebody edited at the target what guideferry wrote: keep theirs, overwrite it, merge both field by field, or fail the item",
    fallback: "skip",
  }),
  onExisting: choiceOption(["adopt", "update", "fail"], {
    about:
      "when the target has a page of that namespace and title, or with --match a guide: link to it untouched, overwrite it, or fail the item",
    fallback: "adopt",
  }),
  match: choiceOption(["none", "title"], {
    about:
      "title: a guide that is new here may be the target's one guide of the same title, category and type; --on-existing says what happens to it",
    fallback: "none",
  }),
  allowDuplicates: switchOption({
    about:
      "load or import from a new workspace although the target has guides of the same titles, categories and types, or modules of the same titles: they are there twice then",
  }),
  dangling: choiceOption(["absolute", "label", "fail"], {
    about: "a reference whose goal does not move: a link to the old site, its label only, or fail the item",
    fallback: "absolute",
  }),
  fit: choiceOption(["refuse", "split", "trim"], {
    about: "an item that the target would refuse: leave it out and list it, split it up, or trim it (both listed)",
    fallback: "refuse",
  }),
  assumeLimits: switchOption({
    about:
      "make no probe of the target: where its limits of steps are unknown, assume 350 characters a line, 8 lines a step and pictures of 800 x 600",
  }),
  smallImages: choiceOption(["enlarge", "pad", "drop"], {
    about:
      "what --fit split and trim do with a picture that is smaller than the target's steps take: scale it up, give it a border, or leave it out",
    fallback: "enlarge",
  }),
  split: choiceOption(["category"], {
    about: "where the target is a folder: write one bundle for each category into it",
    fallback: null,
    fallbackText: "one bundle",
  }),
  dryRun: switchOption({
    about: "say what would be done, as plan does, and write nothing to the target",
  }),
  strict: switchOption({
    about: "end with 12 when anything was lost on the way, also what the service can't take",
  }),
  detailedExitcode: switchOption({
    about: "end with 7 when the plan has changes, 0 when it has none",
  }),

  // What was deleted at one end, and how the target is looked at and shown meanwhile.
  deleteRemoved: switchOption({
    about:
      "delete at the target what the source has no more; only what guideferry made there and nobody edited since. Without it that is listed",
  }),
  hideWhileUpdating: switchOption({
    about: "make a public guide private while it is changed, and publish it again when all of it is there",
  }),
  verify: choiceOption(["full", "changed", "none"], {
    about: "what is read back after the load: all, what this run wrote and the target's lists, or nothing",
    fallback: "changed",
  }),

  // What becomes of what people said about things.
  postComments: switchOption({
    about:
      "post the comments on guides, steps and pages in the name of the account that loads; their authors and dates are lost, and listed",
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
