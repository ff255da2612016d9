import { z } from "zod";
import type { JsonObject } from "../util/json.js";
import { keySchema, personSchema, teamSchema } from "./identity.js";
import { contentSchema, guideSchema, type Item, stepSchema, wikiSchema, wikiTranslationSchema } from "./item.js";
import { type Key, kindOf } from "./key.js";

// The write operations; `service/target/operations.ts` has the handler of each row.

const guideFieldsSchema = guideSchema.omit({
  id: true,
  steps: true,
  tags: true,
  comments: true,
  author: true,
  public: true,
  archived: true,
  viewers: true,
  releases: true,
  releaseLines: true,
  flags: true,
  createdDate: true,
  publishedDate: true,
  modifiedDate: true,
  url: true,
});
export type GuideFields = Readonly<z.infer<typeof guideFieldsSchema>>;

const wikiFieldsSchema = wikiSchema.pick({
  namespace: true,
  title: true,
  language: true,
  displayTitle: true,
  contents: true,
  description: true,
  image: true,
  documents: true,
  info: true,
  suppliers: true,
  tableOfContents: true,
});
export type WikiFields = Readonly<z.infer<typeof wikiFieldsSchema>>;

const guideTextsSchema = guideSchema.pick({ title: true, summary: true, introduction: true, conclusion: true });

const partBackSchema = z.enum(["fields", "order", "visibility", "parent"]);
export type PartBack = z.infer<typeof partBackSchema>;

/** An item and its remote state, for a restore in place. */
interface SiteComparison {
  /** Does a field of the item under one of these paths differ? */
  differs(paths: readonly string[]): boolean;
  /** Is the step missing on the site, or does a field of an edit differ? */
  stepDiffers(step: Key): boolean;
  readonly remote: Item;
}

/** The facts of an operation that need no request. `C`: its call. */
export interface Facts<C> {
  /** Its word in a plan; for one that may create: of an edit, of a create. */
  readonly label: string | readonly [edit: string, create: string];
  /** The guide, step or page whose fields it writes. Default: none. */
  readonly thing?: (call: C) => Key;
  /** The key that it creates if the ledger does not have it, and edits otherwise. */
  readonly result?: (call: C) => Key;
  /** Does it create something each time? Default: only the item of `result`. */
  readonly creates?: true;
  /** The name of its pre-image for an undo. Default: `result`; else none. */
  readonly undo?: (call: C) => string;
  /** Equal for creates that look the same on the target: they run one at a time. */
  readonly twin?: (call: C) => string;
  /** The path in the item for a conflict. Default: the item itself. */
  readonly conflict?: string | ((call: C) => string);
  /** The path in the item of its change, if no compared field shows it. */
  readonly part?: string;
  /** Does a restore in place need it? Paths: if one of them differs. */
  readonly open: readonly string[] | ((call: C, site: SiteComparison) => boolean);
  /** Its use of the guide's revision: needed, shown, or changed unseen. Default: none. */
  readonly revision?: "needs" | "shows" | "moves";
  /** The change, if the call alone shows it; null: nothing to show. */
  readonly change?: (call: C) => { readonly field: string; readonly before: string; readonly after: string } | null;
  /** The resulting body, from the sent one. Default: the sent one. */
  readonly wanted?: (call: C, sent: JsonObject) => JsonObject;
}

/** Conflict path for the item's own fields, without steps, tags, people and visibility. */
export const OWN_FIELDS = "fields";
/** Conflict path for flags, author and page title. */
export const FINISH_FIELDS = "finish";
/** The set and order of steps, without their content. */
export const STEP_ORDER = "steps.order";

const GUIDE_PATHS = [
  ...["title", "category", "type", "subject", "summary", "introduction", "conclusion", "difficulty", "timeRequired"],
  ...["image", "introductionVideo", "documents", "featuredDocument", "prerequisites", "parts", "tools"],
  "workLogEnabled",
] as const;

const WIKI_PATHS = [
  ...["displayTitle", "contents", "description", "image", "documents", "info", "suppliers", "tableOfContents"],
] as const;

/** A restore in place plans none, or keeps what exists. */
const never = (): boolean => false;
const always = (): boolean => true;

function row<S extends z.ZodObject>(schema: S, facts: Facts<Readonly<z.infer<S>>>) {
  return { schema, facts };
}

/**
 * One write for each row, with source keys; only the target knows paths, field names and ids. Every
 * call may be repeated: it creates a missing item, and edits an existing one.
 */
const CALLS = {
  upload: row(z.object({ media: keySchema, fileName: z.string(), content: contentSchema }), {
    label: "upload",
    creates: true,
    undo: ({ media }) => media,
    twin: ({ content }) => `upload ${content.sha256}`,
    open: never,
    change: ({ fileName, content }) => ({ field: "file", before: "", after: `${fileName} (${content.size} bytes)` }),
  }),
  /** `given`: a transform gave the title; absent: it is the page's own. */
  "save-wiki": row(z.object({ wiki: keySchema, fields: wikiFieldsSchema, given: z.literal(true).optional() }), {
    label: ["edit page", "create page"],
    thing: ({ wiki }) => wiki,
    result: ({ wiki }) => wiki,
    conflict: OWN_FIELDS,
    open: WIKI_PATHS,
  }),
  /** `pageTitle`: null where it follows from the title. */
  "finish-wiki": row(
    z.object({ wiki: keySchema, flags: z.array(z.string()).readonly(), pageTitle: z.string().nullable() }),
    {
      label: "flags or author",
      thing: ({ wiki }) => wiki,
      conflict: FINISH_FIELDS,
      open: ["flags", "pageTitle"],
    },
  ),
  /** `fields`: null once deleted at the source; `remove`: delete it on the target too. */
  "save-translation": row(
    z.object({
      wiki: keySchema,
      language: z.string(),
      fields: wikiTranslationSchema.omit({ language: true, modifiedDate: true }).nullable(),
      remove: z.boolean(),
    }),
    { label: "translation", conflict: "translations", open: never },
  ),
  "set-parent": row(z.object({ wiki: keySchema, parent: keySchema.nullable() }), {
    label: "parent",
    thing: ({ wiki }) => wiki,
    conflict: "parent",
    open: ["parent"],
  }),
  "save-guide": row(z.object({ guide: keySchema, fields: guideFieldsSchema }), {
    label: ["edit guide", "create guide"],
    thing: ({ guide }) => guide,
    result: ({ guide }) => guide,
    twin: ({ fields }) => `guide ${fields.title} in ${fields.category}`,
    conflict: OWN_FIELDS,
    open: GUIDE_PATHS,
    revision: "needs",
  }),
  "save-step": row(z.object({ guide: keySchema, step: stepSchema }), {
    label: ["edit step", "add step"],
    thing: ({ step }) => step.key,
    result: ({ step }) => step.key,
    conflict: ({ step }) => step.key,
    open: ({ step }, site) => site.stepDiffers(step.key),
    revision: "moves",
  }),
  /** `translation`: `guide/12@de`. Only if a probe shows that the site accepts one. */
  "translate-guide": row(
    z.object({ guide: keySchema, translation: keySchema, language: z.string(), fields: guideTextsSchema }),
    { label: "translation", conflict: OWN_FIELDS, open: never },
  ),
  /** `translated`: the step's key in the translation, `step/34@de`. */
  "translate-step": row(
    z.object({
      guide: keySchema,
      translation: keySchema,
      language: z.string(),
      step: keySchema,
      translated: keySchema,
      fields: stepSchema.pick({ title: true, lines: true }),
    }),
    { label: "translation", conflict: ({ translated }) => translated, open: never },
  ),
  "delete-step": row(z.object({ guide: keySchema, step: keySchema }), {
    label: "delete step",
    thing: ({ step }) => step,
    conflict: "steps.others",
    part: "steps.others",
    open: always,
    revision: "shows",
    wanted: () => ({ gone: true }),
  }),
  "order-steps": row(z.object({ guide: keySchema, steps: z.array(keySchema).readonly() }), {
    label: "order steps",
    thing: ({ guide }) => guide,
    conflict: STEP_ORDER,
    part: STEP_ORDER,
    open: always,
    revision: "needs",
    wanted: (_call, sent) => ({ steps: sent["stepids"] }),
  }),
  "add-tag": row(z.object({ of: keySchema, tag: z.string() }), {
    label: "tag",
    part: "tags",
    open: ({ tag }, { remote }) => !tagsOf(remote).includes(tag),
    revision: "shows",
    change: ({ tag }) => ({ field: "tags", before: "", after: tag }),
  }),
  "remove-tag": row(z.object({ of: keySchema, tag: z.string() }), {
    label: "tag",
    part: "tags",
    open: ({ tag }, { remote }) => tagsOf(remote).includes(tag),
    revision: "shows",
    change: ({ tag }) => ({ field: "tags", before: tag, after: "" }),
  }),
  "add-viewer": row(z.object({ guide: keySchema, user: personSchema }), {
    label: "viewer",
    part: "viewers",
    open: ({ user }, { remote }) => !isViewer("users", user.id, remote),
    change: ({ user }) => ({ field: "viewers", before: "", after: user.name }),
  }),
  "add-viewing-team": row(z.object({ guide: keySchema, team: teamSchema }), {
    label: "viewer",
    part: "viewers",
    open: ({ team }, { remote }) => !isViewer("teams", team.id, remote),
    change: ({ team }) => ({ field: "viewers", before: "", after: `team ${team.name}` }),
  }),
  /** `operation`: the one that added them (`guide/12/viewer/user/5`). */
  "remove-viewer": row(z.object({ guide: keySchema, operation: z.string() }), {
    label: "viewer",
    part: "viewers",
    open: ({ operation }, { remote }) => {
      const [kind, id] = operation.slice(`${remote.key}/viewer/`.length).split("/");
      return isViewer(kind === "user" ? "users" : "teams", Number(id), remote);
    },
    change: ({ operation }) => ({
      field: "viewers",
      before: operation.slice(operation.indexOf("/viewer/") + "/viewer/".length),
      after: "",
    }),
  }),
  "finish-guide": row(
    z.object({ guide: keySchema, flags: z.array(z.string()).readonly(), author: personSchema.nullable() }),
    {
      label: "flags or author",
      thing: ({ guide }) => guide,
      conflict: FINISH_FIELDS,
      open: ({ author }, { differs }) => differs(author === null ? ["flags"] : ["flags", "author"]),
      revision: "needs",
    },
  ),
  /** `hides`: only while it is being changed. */
  "set-visibility": row(z.object({ guide: keySchema, public: z.boolean(), hides: z.literal(true).optional() }), {
    label: "visibility",
    thing: ({ guide }) => guide,
    conflict: "public",
    open: ["public"],
    revision: "needs",
    change: ({ public: isPublic }) => ({
      field: "visibility",
      before: isPublic ? "private" : "public",
      after: isPublic ? "public" : "private",
    }),
    wanted: ({ public: isPublic }) => ({ public: isPublic }),
  }),
  /** `text`: null once deleted at the source. `parent`: the operation of the answered comment. */
  "post-comment": row(
    z.object({ of: keySchema, comment: z.number(), parent: z.string().nullable(), text: z.string().nullable() }),
    { label: "comment", undo: ({ comment }) => `comment/${comment}`, open: never },
  ),
  /**
   * With its steps, and only without a remote edit. `tags`: those that guideferry added; absent: no
   * tag prevents the deletion. `gone`: ids of guides that are deleted too.
   */
  "delete-item": row(
    z.object({
      of: keySchema,
      tags: z.array(z.string()).readonly().optional(),
      gone: z.array(z.string()).readonly().optional(),
    }),
    { label: "delete", open: always, change: () => null },
  ),
  /** A part of an item as it was before a run, as a body of writing. `guide`: of a step. */
  "put-back": row(
    z.object({
      of: keySchema,
      guide: keySchema.nullable(),
      part: partBackSchema,
      body: z.record(z.string(), z.unknown()).readonly(),
    }),
    { label: "put back", open: always },
  ),
  /** A deleted item that had this id. It gets another id, unless it is a page. */
  "make-again": row(
    z.object({
      of: keySchema,
      id: z.string(),
      guide: keySchema.nullable(),
      body: z.record(z.string(), z.unknown()).readonly(),
    }),
    { label: "make again", open: always },
  ),
} as const;

export type Verb = keyof typeof CALLS;
/** A call: the fields of its row, with its name in `verb`. */
export type Call = {
  [V in Verb]: { readonly verb: V } & Readonly<z.infer<(typeof CALLS)[V]["schema"]>>;
}[Verb];
export type CallOf<V extends Verb> = Extract<Call, { readonly verb: V }>;

export function factsOf(call: Call): Facts<Call> {
  // The facts of a row fit the call of this row.
  return CALLS[call.verb].facts as Facts<never> as Facts<Call>;
}

/** A call from stored JSON; undefined: unknown to this version. */
export function parseCall(value: unknown): Call | undefined {
  const verb = Object.keys(CALLS).find((each) => each === (value as Partial<Call> | null | undefined)?.verb);
  if (verb === undefined) return undefined;
  const parsed = CALLS[verb as Verb].schema.safeParse(value);
  return parsed.success ? ({ verb, ...parsed.data } as Call) : undefined;
}

/** Would it create something? `has`: does the ledger have this item? */
export function creates(call: Call, has: (thing: Key) => boolean): boolean {
  const { creates: isNewEachTime, result } = factsOf(call);
  return isNewEachTime === true || (result !== undefined && !has(result(call)));
}

/** The guide, step or page that it creates or edits as a whole. */
export function resultOf(call: Call): Key | undefined {
  return factsOf(call).result?.(call);
}

export function wholeGuideOf(call: Call): Key | undefined {
  const result = resultOf(call);
  return result !== undefined && kindOf(result) === "guide" ? result : undefined;
}

function tagsOf(item: Item): readonly string[] {
  return item.kind === "guide" || item.kind === "wiki" || item.kind === "category" ? item.body.tags : [];
}

function isViewer(kind: "users" | "teams", id: number, item: Item): boolean {
  return item.kind === "guide" && (item.body.viewers?.[kind].some((one) => one.id === id) ?? false);
}
