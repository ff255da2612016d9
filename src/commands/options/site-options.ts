import { resolve } from "node:path";
import { z } from "zod";
import { ITEM_KINDS } from "../../core/model/key.js";
import { type JsonObject, parseJson } from "../../core/util/json.js";
import { DEFAULT_DELETION_LIMIT, DEFAULT_FAILURE_LIMIT, type DeletionLimit } from "../../sync/control.js";
import { choiceOption, option, switchOption } from "./option.js";
import {
  bandwidthSchema,
  choicesSchema,
  failureLimitSchema,
  hostsSchema,
  mappingSchema,
  rateSchema,
  refreshShareSchema,
  shareOrCountSchema,
  textSchema,
  timeSchema,
  wholeSchema,
  wordsSchema,
} from "./values.js";

/**
 * The absolute path of a file, which later runs read again; empty for `none`, which takes back what
 * an earlier run was given.
 */
const fileSchema = z
  .unknown()
  .transform((value, context): string | null => {
    if (value === "none" || value === "") return "";
    if (typeof value === "string" && value.trim() !== "") return resolve(value);
    context.addIssue({ code: "custom", message: "expected a CSV file with the columns old and new, or none" });
    return z.NEVER;
  })
  .meta({ type: "string", pattern: "^$|\\S" });

const mapFileSchema = z
  .unknown()
  .transform((value, context): string => {
    if (typeof value === "string" && value.trim() !== "") return resolve(value);
    context.addIssue({ code: "custom", message: "expected a file with the output of guideferry map --json" });
    return z.NEVER;
  })
  .meta({ type: "string", pattern: "\\S" });

/** A transform that somebody chose, as plain JSON: the run log keeps it for `retry`. */
export interface TransformChoice {
  /** One of guideferry's own, or the absolute path of a module. */
  readonly name: string;
  /** As they were given; each transform checks its own. */
  readonly options: JsonObject;
}

const EXPECTED = "expected NAME, NAME:OPTION=VALUE,OPTION=VALUE, NAME:{JSON}, or ./FILE.mjs in place of NAME";

const ONE_TRANSFORM = {
  anyOf: [
    { type: "string", pattern: "^\\s*[a-z./]|^\\[" },
    {
      type: "object",
      properties: { name: { type: "string", minLength: 1 }, options: { type: "object" } },
      required: ["name"],
      additionalProperties: false,
    },
  ],
};

/**
 * The text of one flag, several of them, or what a configuration file lists: texts, or objects with
 * `name` and `options`.
 */
export const transformsSchema: z.ZodType<readonly TransformChoice[]> = z
  .unknown()
  .transform((given, context) => {
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
  })
  .meta({ anyOf: [ONE_TRANSFORM, { type: "array", items: ONE_TRANSFORM }] });

/** The workspace, the rate of requests and the limits of a run. */
export const LIMIT_OPTIONS = {
  workspace: option({
    usual: true,
    about: "the folder for items and state; created if it does not exist",
    value: "DIR",
    schema: textSchema,
    fallback: "./guideferry-workspace",
  }),
  rate: option<number | null>({
    usual: true,
    about: "at most so many requests per second to each site, retries included",
    value: "RATE",
    schema: rateSchema,
    fallback: null,
    fallbackText: "10/s; no limit on loopback",
  }),
  sourceRate: option<number | null>({
    about: "the rate for the source only",
    value: "RATE",
    schema: rateSchema,
    fallback: null,
    fallbackText: "--rate",
  }),
  targetRate: option<number | null>({
    about: "the rate for the target only",
    value: "RATE",
    schema: rateSchema,
    fallback: null,
    fallbackText: "--rate",
  }),
  mediaRate: option<number | null>({
    about: "the rate for media on other hosts than the site",
    value: "RATE",
    schema: rateSchema,
    fallback: null,
    fallbackText: "50/s; no limit on loopback",
  }),
  maxBandwidth: option<number | null>({
    about: "at most so many bytes per second for media and archives, in all transfers together: 2M, 500k",
    value: "RATE",
    schema: bandwidthSchema,
    fallback: null,
    fallbackText: "no limit",
  }),
  allowPrivateMedia: option<readonly string[]>({
    about:
      "also fetch media from this host, which is not on the public internet; media on the site's own host are always fetched",
    value: "HOST,…",
    schema: hostsSchema,
    fallback: [],
    fallbackText: "none",
    repeatable: true,
  }),
  concurrency: option({
    about: "the number of items that are processed at the same time",
    value: "N",
    schema: wholeSchema(1, 64),
    fallback: 8,
  }),
  maxFailures: option({
    about:
      "end with 8 after this many failures in a row with one cause, after this share of all items, or either: 50,20%",
    value: "N|P%",
    schema: failureLimitSchema,
    fallback: DEFAULT_FAILURE_LIMIT,
    fallbackText: "50,20%",
  }),
  maxDeletions: option<DeletionLimit>({
    about:
      "end with 8 if more items than this were deleted. backup: of any list since the last backup, or if a list is empty; the snapshot is written and marked. load with --delete-removed: of the loaded items; nothing is written",
    value: "P%|N",
    schema: shareOrCountSchema,
    fallback: DEFAULT_DELETION_LIMIT,
    fallbackText: "10%; one item is always allowed",
  }),
  insecureHttp: switchOption({
    about: "allow plain http to a site that is not on this machine; the sign-in is sent unencrypted",
  }),
} as const;

/** The items, the records next to them, their version, and what is read again. */
export const CHOICE_OPTIONS = {
  only: option<readonly (typeof ITEM_KINDS)[number][]>({
    usual: true,
    about: `only these kinds: ${ITEM_KINDS.join(", ")}`,
    value: "KIND,…",
    schema: choicesSchema(ITEM_KINDS),
    fallback: ITEM_KINDS,
    fallbackText: "all",
  }),
  include: option<readonly string[]>({
    usual: true,
    about: "only items whose key (guide/12*) or category path (Looms/**) matches; write ? for a comma in a title",
    value: "GLOB,…",
    schema: wordsSchema,
    fallback: [],
    fallbackText: "everything",
    repeatable: true,
  }),
  exclude: option<readonly string[]>({
    usual: true,
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
    about: "leave out items that the chosen items need but that are not chosen (prerequisites, categories, media …)",
    fallback: true,
  }),
  includePrivate: switchOption({
    about: "leave private guides out; by default they are read if the source's account is an admin",
    fallback: true,
  }),
  imageDetails: switchOption({
    about: "also read each image's annotations and camera data: one more request for each image",
  }),
  format: choiceOption(["json", "xml", "xml-only"], {
    about: "xml: read guides and categories as XML too, and compare; xml-only: read only the XML, with its losses",
    fallback: "json",
  }),
  languages: option<readonly string[]>({
    about: "the translations to read, by language id: de,fr; the site's own language is always read",
    value: "ID,…",
    schema: wordsSchema,
    fallback: [],
    fallbackText: "all languages that the site lists",
  }),
  records: choiceOption(["basic", "all"], {
    usual: true,
    about:
      "the other records to keep: those that a migration needs (basic), or all of the service (all: quizzes, releases, approvals …)",
    fallback: "basic",
  }),
  personalData: switchOption({
    about: "with all records: also keep users, completions, view history, work log, quiz sessions and periodic reviews",
  }),
  refresh: option<number | null>({
    about:
      "the share of unchanged items to read again in each run: with 1/14 each item is read once in 14 runs, with all in each run",
    value: "1/N|all",
    schema: refreshShareSchema,
    fallback: null,
    fallbackText: "`1/14` with all records, else items read over 30 days ago",
  }),
  contentVersion: choiceOption(["latest", "released", "pending"], {
    about:
      "the version to read: what readers see (latest), the last release (released; guides without one are left out and named), or the newest edit, approved or not (pending)",
    fallback: "latest",
  }),
} as const;

/** Writes to the target, deletions there, and items that do not fit it. */
export const WRITE_OPTIONS = {
  onConflict: choiceOption(["skip", "update", "merge", "fail"], {
    usual: true,
    about:
      "if somebody edited on the target what guideferry wrote: keep the remote edit (skip), overwrite it (update), merge both field by field (merge), or fail the item (fail)",
    fallback: "skip",
  }),
  onExisting: choiceOption(["adopt", "update", "fail"], {
    about:
      "if the target has a page with this namespace and title, or with --match a guide: link it unchanged (adopt), overwrite it (update), or fail the item (fail)",
    fallback: "adopt",
  }),
  match: choiceOption(["none", "title"], {
    about:
      "title: match a new guide with the target's only guide of the same title, category and type; --on-existing says what to do with it",
    fallback: "none",
  }),
  allowDuplicates: switchOption({
    about:
      "load from a new workspace although the target has guides with the same titles, categories and types: they exist twice afterwards",
  }),
  dangling: choiceOption(["absolute", "label", "fail"], {
    about:
      "a reference to an item that is not loaded becomes a link to the old site (absolute) or its label only (label), or fails the item (fail)",
    fallback: "absolute",
  }),
  fit: choiceOption(["refuse", "split", "trim"], {
    usual: true,
    about:
      "an item that the target would refuse is left out (refuse), split up (split) or trimmed (trim); each is listed",
    fallback: "refuse",
  }),
  assumeLimits: switchOption({
    about:
      "do not probe the target: if its limits for steps are unknown, assume 350 characters a line, 8 lines a step and images of 800 x 600 pixels",
  }),
  smallImages: choiceOption(["enlarge", "pad", "drop"], {
    about:
      "with --fit split or trim, an image that is too small for the target's steps is scaled up (enlarge), gets a border (pad), or is left out (drop)",
    fallback: "enlarge",
  }),
  split: choiceOption(["category"], {
    about: "if the target is a folder: write one bundle for each category into it",
    fallback: null,
    fallbackText: "one bundle",
  }),
  publish: switchOption({
    about: "publish the guides of documents that do not say whether they are public; by default these stay private",
  }),
  deleteRemoved: switchOption({
    usual: true,
    about:
      "delete items on the target that were deleted at the source, if guideferry created them and nobody edited them since; by default they are listed",
  }),
  hideWhileUpdating: switchOption({
    about: "make a public guide private while it is changed, and publish it again when it is complete",
  }),
  postComments: switchOption({
    about:
      "post the comments on guides, steps and pages as the account of the load; their authors and dates are lost, and listed",
  }),
} as const;

/** Changes between source and target: of values, and of names of people, types and categories. */
export const MAP_OPTIONS = {
  transforms: option<readonly TransformChoice[]>({
    about: "change items before the load, one transform after the other; each --transform adds one (transforms/steps)",
    value: "NAME[:OPTIONS]|FILE",
    schema: transformsSchema,
    fallback: [],
    fallbackText: "none",
    single: "transform",
  }),
  userMap: option<string | null>({
    usual: true,
    about:
      "a CSV file that maps users of the source (old) to users of the target (new), by id, unique name or e-mail address; empty new: nobody",
    value: "FILE",
    schema: fileSchema,
    fallback: null,
    fallbackText: "equal unique names, then equal e-mail addresses",
  }),
  teamMap: option<string | null>({
    about: "a CSV file as for --user-map, for teams, by id or name",
    value: "FILE",
    schema: fileSchema,
    fallback: null,
    fallbackText: "equal names",
  }),
  movedMap: option<string | null>({
    about:
      "the items that another workspace loaded into this target, from its `guideferry map --json`: references lead to them, and they are not loaded again",
    value: "FILE",
    flag: "map",
    schema: mapFileSchema,
    fallback: null,
    fallbackText: "none",
  }),
  typeMap: option<Readonly<Record<string, string>>>({
    about: "load guides of one type as guides of another type",
    value: "OLD=NEW,…",
    schema: mappingSchema,
    fallback: {},
    fallbackText: "unchanged",
    repeatable: true,
  }),
  categoryMap: option<Readonly<Record<string, string>>>({
    about: "load categories under another title; categories with the same new title become one",
    value: "OLD=NEW,…",
    schema: mappingSchema,
    fallback: {},
    fallbackText: "unchanged",
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
