import type { Item } from "../../core/model/item.js";
import { type Key, kindOf, languageIn, restOf, wikiOf } from "../../core/model/key.js";
import { digest, idsIn, type JsonObject, listIn, objectIn, rowsIn } from "../../core/util/json.js";
import type { Body, Written } from "../../core/writing.js";
import { type Compared, carries, isMadeUp, plainField, sameField, writtenDigest } from "../wire/compared-fields.js";
import { revisionIn } from "../wire/revision.js";
import { writable } from "../wire/writable.js";

/** A guide from an answer. `more`: facts that the answer can't show. */
export function writtenGuide(key: Key, json: unknown, more: JsonObject = {}): Written {
  const guide = objectIn(json);
  const flags = listIn(guide["flags"]);
  return {
    key,
    id: String(guide["guideid"]),
    revision: revisionIn(guide),
    left: writtenDigest("guide", guide),
    body: writable("guide", guide),
    facts: {
      steps: stepIdsIn(guide),
      flags: flags.map((flag: unknown) => String(objectIn(flag)["flagid"] ?? flag)),
      public: guide["public"] === true,
      author: objectIn(guide["author"])["userid"] ?? null,
      filled: filledIn("guide", guide),
      images: imagesIn([guide["image"]]),
      language: guide["locale"] ?? guide["langid"] ?? null,
      ...more,
    },
    adopted: false,
  };
}

/**
 * A guide from the answer to a call without a revision (a new step, a tag). If anything but its
 * steps changed, somebody edited it meanwhile: then the previous revision stays, so that the next
 * guarded edit finds the remote edit.
 *
 * @param steps applies the call to the step ids that both sides agree on
 */
export function guideAfterUnguardedCall(
  before: Written,
  json: unknown,
  steps: (agreed: readonly string[]) => readonly string[] = (agreed) => agreed,
): Written {
  const unseen = { ...before, facts: { ...before.facts, steps: stepIdsIn(json) } };
  if (isMadeUp(json)) return unseen;
  const now = writtenGuide(before.key, json, carriedFacts(before));
  if (now.left !== before.left) return unseen;
  const there = now.body?.["steps"];
  const apart = withDivergedSteps(divergedFields(before), steps(agreedSteps(before)), there, () => true);
  return { ...now, facts: { ...now.facts, apart: Object.keys(apart).length === 0 ? undefined : apart } };
}

export function writtenStep(key: Key, json: unknown, more: JsonObject = {}): Written {
  const step = objectIn(json);
  return {
    key,
    id: String(step["stepid"]),
    revision: revisionIn(step),
    left: writtenDigest("step", step),
    body: writable("step", step),
    facts: { images: imagesIn(objectIn(step["media"])["data"]), ...more },
    adopted: false,
  };
}

/**
 * The id is namespace and title (of a category the title, see `titleAtTarget`). An answer without a
 * revision keeps the last one (api-facts 8.2).
 */
export function writtenWiki(key: Key, json: unknown, before: Written | undefined, more: JsonObject = {}): Written {
  const wiki = objectIn(json);
  return {
    key,
    id: kindOf(key) === "category" ? String(wiki["title"]) : `${wikiOf(key).namespace}/${String(wiki["title"])}`,
    revision: revisionIn(wiki) ?? before?.revision ?? null,
    left: writtenDigest("wiki", wiki),
    body: writable("wiki", wiki),
    facts: { ...before?.facts, filled: filledIn("wiki", wiki), images: imagesIn([wiki["image"]]), ...more },
    adopted: false,
  };
}

/** Some answers inline steps of prerequisites, which have their own guideid. */
export function stepsIn(guide: unknown): readonly JsonObject[] {
  const { steps, guideid } = objectIn(guide);
  const all = rowsIn(steps);
  return all.filter((step) => step["guideid"] === undefined || step["guideid"] === guideid);
}

export function stepIdsIn(guide: unknown): readonly string[] {
  return stepsIn(guide).map((step) => String(step["stepid"]));
}

/**
 * The created step in an answer, which is the whole guide (api-facts 4.4). With steps of others,
 * the one with what was sent. undefined: none.
 */
export function addedStep(answer: unknown, known: readonly string[], sent: JsonObject): JsonObject | undefined {
  const added = stepsIn(answer).filter((step) => !known.includes(String(step["stepid"])));
  return added.length === 1 ? added[0] : added.find((step) => carries("step", step, sent));
}

/** The step ids at the last answer, in order. */
export function knownSteps({ facts }: Written): readonly string[] {
  return idsIn(facts["steps"]);
}

/** A site that crops or encodes pictures gives them new ids (api-facts 4.5). */
function imagesIn(images: unknown): readonly string[] {
  const ids = Array.isArray(images) ? images.map((image: unknown) => objectIn(image)["id"]) : [];
  return ids.flatMap((id) => (typeof id === "number" ? [String(id)] : []));
}

/**
 * The ledger's row of the remote state, as if guideferry had written it: a planned edit then
 * conflicts only with a later edit. `stepKey`: the key of each of its steps.
 */
export function writtenFromRemote(item: Item, key: Key, stepKey: (step: Key) => Key): readonly Written[] {
  const { json } = objectIn(item.raw);
  if (item.kind === "guide") {
    const language = languageIn(key);
    // A translation's steps have the ids of its guide's steps.
    const part = language === undefined ? "" : `@${language}`;
    const steps = stepsIn(json).map((step) => {
      const left = writtenStep(stepKey(`step/${String(step["stepid"])}${part}`), step);
      return { ...left, id: `${left.id}${part}` };
    });
    return [withDocuments(writtenGuide(key, json), item.body.documents), ...steps];
  }
  if (item.kind !== "wiki" && item.kind !== "category") return [];
  return [withDocuments(writtenWiki(key, json, undefined), item.body.documents)];
}

function withDocuments(written: Written, documents: readonly Key[]): Written {
  return { ...written, facts: { ...written.facts, documents: documents.map(restOf) } };
}

/** undefined: the answer had none (api-facts 8.2). */
export function revisionAsRead(item: Item): number | undefined {
  const { revisionid } = objectIn(objectIn(item.raw)["json"]);
  return typeof revisionid === "number" ? revisionid : undefined;
}

/** A field that keeps its value unless a body empties it. */
interface Clearable {
  readonly cleared: unknown;
  readonly isFilled: (json: JsonObject) => boolean;
}

const isSomething = (value: unknown): boolean => typeof value === "object" && value !== null;
const hasText = (value: unknown): boolean => typeof value === "string" && value.trim() !== "";
const hasRows = (value: unknown): boolean => Array.isArray(value) && value.length > 0;

/** api-facts 8.4 */
const WIKI: Readonly<Record<string, Clearable>> = {
  image: { cleared: null, isFilled: ({ image }) => isSomething(image) },
  description: { cleared: "", isFilled: ({ description }) => hasText(description) },
  info: { cleared: [], isFilled: ({ info }) => hasRows(info) },
  suppliers: { cleared: [], isFilled: ({ suppliers }) => hasRows(suppliers) },
  documents: { cleared: [], isFilled: ({ documents }) => hasRows(documents) },
  table_of_contents: { cleared: false, isFilled: (json) => json["table_of_contents"] === true },
};

/** No known call empties picture, difficulty or featured document (api-facts 4.1, 4.2). */
const GUIDE: Readonly<Record<string, Clearable>> = {
  objectid: { cleared: null, isFilled: (json) => isSomething(json["intro_video"]) },
};

const CLEARABLE = { wiki: WIKI, guide: GUIDE } as const;
type Of = keyof typeof CLEARABLE;

function filledIn(of: Of, json: JsonObject): readonly string[] {
  return Object.entries(CLEARABLE[of]).flatMap(([name, { isFilled }]) => (isFilled(json) ? [name] : []));
}

/** The values that empty fields which are empty at the source. */
export function clearing(of: Of, before: Written | undefined, empty: readonly string[]): JsonObject {
  const filled = Array.isArray(before?.facts["filled"]) ? before.facts["filled"].map(String) : [];
  const names = empty.filter((name) => filled.includes(name));
  return Object.fromEntries(names.map((name) => [name, CLEARABLE[of][name]?.cleared]));
}

// Facts for a later merge: `apart`: diverged fields with the last value that was equal on both
// sides; `clashes`: unresolved ones; `sentAs`: digests of sent values that the site changed
// (api-facts 4.5); `spare`: steps that existed before.

export function divergedFields(written: Written | undefined): Body {
  return objectIn(written?.facts["apart"]);
}

/** Did a remote edit stay? Then the item differs from the source, whatever its digest says. */
export function hasDiverged(written: Written | undefined): boolean {
  return Object.keys(divergedFields(written)).length > 0;
}

/** Fields that changed on both sides and are not resolved. */
export function clashesIn(written: Written | undefined): readonly string[] {
  return listIn(written?.facts["clashes"]).map(String);
}

/** Was this value sent last, although the site changed it? */
export function isAsSent(written: Written | undefined, field: string, value: unknown): boolean {
  return objectIn(written?.facts["sentAs"])[field] === sentDigest(field, value);
}

/** `sentAs` after a write. Both are bodies of writing. */
export function sentAsAfter(before: Written | undefined, sent: Body, there: Body): Body {
  const known = Object.entries(objectIn(before?.facts["sentAs"])).filter(([field]) => sent[field] === undefined);
  const others = Object.entries(sent).filter(
    ([field, value]) => value !== undefined && there[field] !== undefined && !sameField(field, value, there[field]),
  );
  return Object.fromEntries([...known, ...others.map(([field, value]) => [field, sentDigest(field, value)])]);
}

/**
 * `apart` with the order of steps. `agreed`: ids equal on both sides; `there`: the remote ones. Ids
 * that the ledger does not have don't count.
 */
export function withDivergedSteps(
  apart: Body,
  agreed: readonly string[],
  there: unknown,
  isOurs: (id: string) => boolean,
): Body {
  const { steps: _steps, ...rest } = apart;
  const present = Array.isArray(there) ? there.map(String) : agreed;
  const wanted = agreed.filter((id) => present.includes(id) || isOurs(id));
  return wanted.join() === present.join() ? rest : { ...rest, steps: wanted };
}

export function agreedSteps(guide: Written): readonly string[] {
  return idsIn(divergedFields(guide)["steps"] ?? guide.facts["steps"]);
}

export function factsOfCreate(of: Compared, sent: Body, answer: unknown): Body {
  return factsOfMerge({ apart: {}, clashes: [], sentAs: sentAsAfter(undefined, sent, writable(of, answer)) });
}

/** Facts without content are not kept. */
export function factsOfMerge(facts: { apart: Body; clashes: readonly string[]; sentAs: Body }): Body {
  const { apart, clashes, sentAs } = facts;
  return {
    apart: Object.keys(apart).length === 0 ? undefined : apart,
    clashes: clashes.length === 0 ? undefined : clashes,
    sentAs: Object.keys(sentAs).length === 0 ? undefined : sentAs,
  };
}

const CARRIED = ["apart", "clashes", "sentAs", "spare", "existed", "hidden"] as const;

/** The facts that survive a write without a merge. */
export function carriedFacts(before: Written | undefined): Body {
  const known = CARRIED.filter((name) => before?.facts[name] !== undefined);
  return Object.fromEntries(known.map((name) => [name, before?.facts[name]]));
}

function sentDigest(field: string, value: unknown): string {
  return digest(plainField(field, value)).slice(0, 16);
}

/** The agreed step ids with a new one at its place. */
export function insertStepId(agreed: readonly string[], there: readonly string[], id: string): readonly string[] {
  const before = there.slice(0, there.indexOf(id)).findLast((each) => agreed.includes(each));
  const at = before === undefined ? 0 : agreed.indexOf(before) + 1;
  return [...agreed.slice(0, at), id, ...agreed.slice(at)];
}

/**
 * The last write of a translation. It has no key on the target: the ledger keeps it as a memo under
 * its operation's id.
 */
export interface WrittenTranslation {
  readonly revision: string | null;
  readonly left: string;
  /** No translation existed before. */
  readonly isNew?: true;
}

/** The memo of a page's translation, or of a step's; undefined: none. */
export function writtenTranslationIn(memo: string | undefined): WrittenTranslation | undefined {
  return memo === undefined || memo === "" ? undefined : writtenTranslationOf(JSON.parse(memo));
}

export function writtenTranslationOf(json: unknown): WrittenTranslation {
  const { revision, left, isNew } = objectIn(json);
  const known = { revision: typeof revision === "string" ? revision : null, left: String(left) };
  return isNew === true ? { ...known, isNew } : known;
}

export interface GuideTranslation extends WrittenTranslation {
  /** The id of its guide on the target: a recreated guide has another one. */
  readonly id: string;
  /** The steps by id when the translation was created. */
  readonly steps: Readonly<Record<string, WrittenTranslation>>;
}

/** undefined: no memo, or that of another guide. */
export function writtenGuideTranslation(memo: string | undefined, guide: string): GuideTranslation | undefined {
  if (memo === undefined || memo === "") return undefined;
  const json = objectIn(JSON.parse(memo));
  if (json["id"] !== guide) return undefined;
  const steps = Object.entries(objectIn(json["steps"])).map(([id, step]) => [id, writtenTranslationOf(step)] as const);
  return { id: guide, ...writtenTranslationOf(json), steps: Object.fromEntries(steps) };
}

/** A step that the guide had before the first load. The load replaces its content, in order. */
export interface Spare {
  readonly id: string;
  readonly revision: string | null;
  readonly left: string | null;
  readonly body: Body;
}

export function sparesOf(guide: Written): readonly Spare[] {
  const { spare } = guide.facts;
  return Array.isArray(spare) ? (spare as readonly Spare[]) : [];
}

export function withoutSpare(guide: Written, taken: Spare): Written {
  const rest = sparesOf(guide).filter(({ id }) => id !== taken.id);
  return { ...guide, facts: { ...guide.facts, spare: rest.length === 0 ? undefined : rest } };
}
