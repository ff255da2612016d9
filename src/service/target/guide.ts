import { FerryError, StatusError } from "../../core/errors.js";
import type { CallOf, GuideFields } from "../../core/model/call.js";
import type { Issue } from "../../core/model/issue.js";
import type { Part } from "../../core/model/item.js";
import { type Key, wikiKey } from "../../core/model/key.js";
import type { JsonObject } from "../../core/util/json.js";
import { idsIn, objectIn } from "../../core/util/json.js";
import type { Body, Receipt, Written } from "../../core/writing.js";
import { writtenDigest } from "../wire/compared-fields.js";
import { revisionIn, type Token } from "../wire/revision.js";
import { writable } from "../wire/writable.js";
import type { Handler, Work } from "./context.js";
import { guideOfTitle, nameAtTarget, reportAdopted } from "./existing.js";
import { type Edited, edit, NO_REVISION, openIf, openTokens, TRIES } from "./guarded-write.js";
import type { Named } from "./guide-titles.js";
import { guideOf } from "./identity.js";
import { noAuthor } from "./losses.js";
import { mediaId, mediaIds } from "./media.js";
import { asTaken, mayHave, noteRefused, reportUntaken, sendTaken } from "./optional-fields.js";
import { writeText } from "./texts.js";
import {
  clearing,
  factsOfCreate,
  guideAfterUnguardedCall,
  knownSteps,
  type Spare,
  sparesOf,
  stepsIn,
  withoutSpare,
  writtenGuide,
  writtenStep,
} from "./written-body.js";

/**
 * Creates a guide, private and without flags, or edits its fields. It never sends `author`: `find`
 * looks among the account's own guides.
 */
export const saveGuide: Handler<CallOf<"save-guide">> = async (work) => {
  const { site, call, context } = work;
  const before = await context.written(call.guide);
  if (before?.adopted === true) return saveOverExisting(work, await readGuide(work, before.id));
  const existing =
    before === undefined ? await guideOfTitle({ ...work, label: work.operation.label }, await nameOf(work)) : undefined;
  if (existing !== undefined) return saveOverExisting(work, existing);
  const { json, missing } = await guideBody(work, call.fields, before);
  if (before !== undefined) {
    const patch = { method: "PATCH", path: `guides/${before.id}`, written: before, compared: "guide" } as const;
    const edited = await sendTaken(work, json, (body) => edit(work, { ...patch, json: body }));
    reportLeftovers(work, call.fields, edited.json);
    reportUntaken(work, json, edited.json);
    return { written: [writtenGuide(call.guide, edited.json, edited.facts)], missing, ...openIf(edited) };
  }
  const { identity } = site.survey();
  const language = call.fields.language === identity.language ? undefined : call.fields.language;
  const full = { ...withoutEmpty(json), public: false, ...(language === undefined ? {} : { langid: language }) };
  const body = await asTaken(work, full);
  await context.begin({ after: site.highestGuide(), sent: body, missing });
  const answer = await sendTaken(work, body, (taken) => createGuide(work, taken));
  site.learn(answer);
  reportLeftovers(work, call.fields, answer);
  reportUntaken(work, full, answer);
  return { written: [writtenGuide(call.guide, answer, factsOfCreate("guide", body, answer))], missing };
};

function nameOf({ call, context }: Work<CallOf<"save-guide">>): Promise<Named> {
  return nameAtTarget(call.fields, context);
}

async function readGuide({ site, signal }: Work, id: string): Promise<JsonObject> {
  const query = { excludePrerequisiteSteps: true as const };
  return objectIn((await site.client.get(`guides/${id}`, { query }, signal)).json);
}

async function saveOverExisting(work: Work<CallOf<"save-guide">>, guide: JsonObject): Promise<Omit<Receipt, "issues">> {
  const { site, call, operation } = work;
  if (site.onExisting === "update") return takeOverGuide(work, guide);
  if (site.onExisting === "fail") {
    throw new FerryError(
      `${operation.label} already exists at ${site.client.root} as guide ${String(guide["guideid"])}, and guideferry did not create it. Choose --on-existing adopt (use it unchanged) or --on-existing update (replace its content with the source's), or run without --match title.`,
    );
  }
  // Nothing is sent, so missing media are no loss here.
  const { json: wanted } = await guideBody({ ...work, report: () => undefined }, call.fields, undefined);
  reportAdopted(work, "guide", writable("guide", guide), wanted);
  return { written: [{ ...writtenGuide(call.guide, guide), adopted: true }], missing: [] };
}

async function createGuide({ site, signal }: Work, json: JsonObject): Promise<unknown> {
  return (await site.client.send({ method: "POST", path: "guides", json, create: true }, signal)).json;
}

/** The body of POST /guides and PATCH /guides/{id} (api-facts 4.1). `before`: the last write. */
async function guideBody(
  work: Work,
  fields: GuideFields,
  before: Written | undefined,
): Promise<{ readonly json: JsonObject; readonly missing: readonly Key[] }> {
  const missing = new Set<Key>();
  const page = (text: string, path: string): Promise<string> => writeText(work, text, { where: "page", path }, missing);
  const documents = await mediaIds(work, fields.documents, "documents", missing);
  const featured = await mediaId(work, fields.featuredDocument, "featuredDocument", missing);
  const json = {
    category: await categoryAtTarget(work, fields.category, missing),
    type: fields.type,
    title: fields.title,
    subject: fields.subject,
    summary: fields.summary,
    introduction: await page(fields.introduction, "introduction"),
    conclusion: await page(fields.conclusion, "conclusion"),
    difficulty: fields.difficulty ?? undefined,
    time_required_min: fields.timeRequired.min,
    time_required_max: fields.timeRequired.max,
    image: await mediaId(work, fields.image, "image", missing),
    objectid: await mediaId(work, fields.introductionVideo, "introductionVideo", missing),
    documents,
    featured_documentid: featured !== undefined && documents.includes(featured) ? featured : undefined,
    prerequisites: await prerequisiteIds(work, fields, missing),
    parts: await partBodies(work, fields.parts, "parts", missing),
    tools: await partBodies(work, fields.tools, "tools", missing),
    work_log_enabled: fields.workLogEnabled ?? undefined,
    ...clearing("guide", before, fields.introductionVideo === null ? ["objectid"] : []),
  };
  return { json, missing: [...missing] };
}

/** Most sites accept a create without empty fields. */
export function withoutEmpty(json: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(json).filter(
      ([, value]) =>
        value !== "" && value !== undefined && value !== 0 && !(Array.isArray(value) && value.length === 0),
    ),
  );
}

/**
 * The category may have another title on the target, since somebody else has its title. If the
 * category is still to come, the guide is written again when its title differs.
 */
async function categoryAtTarget(work: Work, title: string, missing: Set<Key>): Promise<string> {
  const key = wikiKey("CATEGORY", title);
  const id = await work.context.idOf(key);
  if (id === undefined) missing.add(key);
  return id ?? title;
}

async function prerequisiteIds(work: Work, fields: GuideFields, missing: Set<Key>): Promise<readonly number[]> {
  const ids: number[] = [];
  for (const [index, key] of fields.prerequisites.entries()) {
    const id = await work.context.idOf(key);
    if (id !== undefined) {
      ids.push(Number(id));
      continue;
    }
    missing.add(key);
    work.report((work.context.moves(key) ? prerequisiteWaiting : prerequisiteNotMoved)(key, index), key);
  }
  return ids;
}

/** Reported until the prerequisite is on the target: then the guide is written again. */
function prerequisiteWaiting(key: Key, index: number): Omit<Issue, "key"> {
  return {
    code: "prerequisite-waiting",
    level: "loss",
    path: `prerequisites[${index}]`,
    message: `Its prerequisite ${key} is not on the target.`,
    remedy: "Load that guide, then run the same command again: the prerequisite is set then.",
  };
}

function prerequisiteNotMoved(key: Key, index: number): Omit<Issue, "key"> {
  return {
    code: "prerequisite-not-moved",
    level: "loss",
    path: `prerequisites[${index}]`,
    message: `Its prerequisite ${key} is not part of this load.`,
    remedy: "Add it with --include, or run without --no-dependencies.",
  };
}

async function partBodies(
  work: Work,
  parts: readonly Part[],
  path: string,
  missing: Set<Key>,
): Promise<readonly JsonObject[]> {
  const bodies: JsonObject[] = [];
  for (const [index, part] of parts.entries()) {
    bodies.push({
      name: part.name,
      type: part.type === "" ? undefined : part.type,
      quantity: part.quantity ?? 1,
      notes:
        part.notes === ""
          ? undefined
          : await writeText(work, part.notes, { where: "line", path: `${path}[${index}].notes` }, missing),
      isoptional: part.optional === true ? true : undefined,
      featured: part.featured === true ? true : undefined,
    });
  }
  return bodies;
}

/**
 * Replaces the content of a guide that existed before; its steps are kept for later. It is private
 * until the source's visibility is set, since private content must not become public.
 */
async function takeOverGuide(work: Work<CallOf<"save-guide">>, guide: JsonObject): Promise<Omit<Receipt, "issues">> {
  const { call, context, site } = work;
  const spare = stepsIn(guide).map(spareOf);
  const found = writtenGuide(call.guide, guide, { existed: true, spare });
  const { json, missing } = await guideBody(work, call.fields, found);
  await context.keep(call.guide, { id: found.id, body: writable("guide", guide) }, json);
  const path = `guides/${found.id}`;
  const written = await hideGuide(work, found, `${path}/public`);
  const patch = { method: "PATCH", path, written, compared: "guide" } as const;
  const edited = await sendTaken(work, json, (body) => edit(work, { ...patch, json: body }));
  site.learn(edited.json);
  reportUntaken(work, json, edited.json);
  reportLeftovers(work, call.fields, edited.json);
  return { written: [writtenGuide(call.guide, edited.json, edited.facts)], missing, ...openIf(edited) };
}

async function hideGuide(work: Work<CallOf<"save-guide">>, guide: Written, path: string): Promise<Written> {
  if (guide.facts["public"] !== true) return guide;
  const { json, facts } = await edit(work, {
    method: "DELETE",
    path,
    json: {},
    sends: { public: false },
    written: guide,
    compared: "guide",
    isDone: (current) => objectIn(current)["public"] !== true,
  });
  return writtenGuide(guide.key, json, facts);
}

function spareOf(step: JsonObject): Spare {
  const { id, revision, left, body = {} } = writtenStep("step/0", step);
  return { id, revision, left, body };
}

/** Deletes the additional steps. One with a remote edit stays and is reported. */
async function removeSpares(work: Work, guide: Written): Promise<Written> {
  let now = guide;
  for (const spare of sparesOf(guide)) {
    const { id, body } = spare;
    await work.context.keep(`surplus/${guide.key}/${id}`, { id, body }, { deleted: true });
    const answer = await removeSpare(work, guide, spare);
    now = withoutSpare(now, spare);
    if (answer.status === 409) reportLeftFields(work, body);
    else now = withoutRemovedStep(now, id, answer.json);
  }
  return now;
}

/** Uses the known revision, and the current one if nothing changed, in at most TRIES requests. */
async function removeSpare(work: Work, guide: Written, { id, revision, left }: Spare) {
  const tokens = await openTokens(work);
  const path = `guides/${guide.id}/steps/${id}`;
  let token = tokens.next(revision) ?? NO_REVISION;
  for (let tries = 1; ; tries += 1) {
    const query = { revisionid: token.value };
    const call = { method: "DELETE", path, query, json: {}, expect: [404, 409] } as const;
    const answer = await work.site.client.send(call, work.signal);
    const other = answer.status === 409 && tries < TRIES ? tokens.next(revisionIn(answer.json)) : undefined;
    if (other === undefined || writtenDigest("step", answer.json) !== left) return answer;
    token = other;
  }
}

function withoutRemovedStep(guide: Written, id: string, json: unknown): Written {
  const without = (steps: readonly string[]): readonly string[] => steps.filter((each) => each !== id);
  if (objectIn(json)["guideid"] !== undefined) return guideAfterUnguardedCall(guide, json, without);
  const steps = knownSteps(guide);
  return { ...guide, facts: { ...guide.facts, steps: without(steps) } };
}

function reportLeftFields(work: Work, body: Body): void {
  work.report({
    code: "conflict-skipped",
    level: "loss",
    path: "steps.others",
    message: `The guide has an additional step ("${String(body["title"])}") on the target. Somebody edited it meanwhile, so it was kept.`,
    remedy: "Delete it by hand if nobody needs it.",
  });
}

/** Empty at the source, but set by the site, or without a call to empty it (api-facts 4.1, 4.2). */
const LEFTOVERS: Readonly<
  Record<string, { readonly wanted: (fields: GuideFields) => unknown; readonly left: (guide: JsonObject) => unknown }>
> = {
  image: { wanted: ({ image }) => image, left: ({ image }) => image },
  difficulty: { wanted: ({ difficulty }) => difficulty, left: ({ difficulty }) => difficulty },
  featuredDocument: {
    wanted: ({ featuredDocument }) => featuredDocument,
    left: (guide) => guide["featured_documentid"],
  },
};

/** Reports fields that have a value after a write although they are empty at the source. */
export function reportLeftovers(work: Work, fields: GuideFields, answer: unknown): void {
  const guide = objectIn(answer);
  for (const [path, { wanted, left }] of Object.entries(LEFTOVERS)) {
    const remote = left(guide);
    if (wanted(fields) !== null || remote === null || remote === undefined || remote === "") continue;
    work.report({
      code: "not-cleared",
      level: "loss",
      path,
      message: `It is empty at the source and has a value on the target (${typeof remote === "object" ? "a picture" : String(remote)}). The public API has no call to empty it.`,
      remedy: "Empty it on the target by hand.",
    });
  }
}

/** Deletes additional steps, then sets flags and author in one edit if they differ. */
export const finishGuide: Handler<CallOf<"finish-guide">> = async (work) => {
  const guide = await removeSpares(work, await guideOf(work.context, work.call.guide));
  const flags = flagsToSend(work, guide);
  const json = { ...flags, ...(await authorToSend(work, guide)) };
  if (Object.keys(json).length === 0) return { written: [guide], missing: [] };
  try {
    return receiptOf(work, await editGuide(work, guide, json));
  } catch (error) {
    if (!("author" in json && error instanceof StatusError && error.status === 422)) throw error;
    if (await takesAuthors(work, guide)) throw error;
    await noteRefused(work, "author");
    reportAuthor(work);
    if (flags.flags === undefined) return { written: [guide], missing: [] };
    return receiptOf(work, await editGuide(work, guide, flags));
  }
};

function editGuide(work: Work, guide: Written, json: Body): Promise<Edited> {
  return edit(work, { method: "PATCH", path: `guides/${guide.id}`, json, written: guide, compared: "guide" });
}

function receiptOf({ call }: Work<CallOf<"finish-guide">>, edited: Edited): Omit<Receipt, "issues"> {
  return { written: [writtenGuide(call.guide, edited.json, edited.facts)], missing: [], ...openIf(edited) };
}

async function takesAuthors(work: Work, { id, revision, facts }: Written): Promise<boolean> {
  const { author } = facts;
  if (typeof author !== "number") return true;
  const tokens = await openTokens(work);
  for (let token: Token | undefined = tokens.next(revision); token !== undefined; ) {
    const query = { revisionid: token.value };
    const call = { method: "PATCH", path: `guides/${id}`, query, json: { author }, expect: [409, 422] } as const;
    const { status, json } = await work.site.client.send(call, work.signal);
    if (status !== 409) return status !== 422;
    token = tokens.next(revisionIn(json));
  }
  return true;
}

/** Privileged flags that are set must be sent again, or the site answers 422 (api-facts 4.2). */
function flagsToSend(work: Work<CallOf<"finish-guide">>, guide: Written): { readonly flags?: readonly string[] } {
  const { flags: settable } = work.site.survey();
  const present = idsIn(guide.facts["flags"]);
  const fixed = settable === null ? [] : present.filter((flag) => !settable.includes(flag));
  const wanted = [...new Set([...fixed, ...work.call.flags])];
  return [...wanted].sort().join() === [...present].sort().join() ? {} : { flags: wanted };
}

async function authorToSend(work: Work<CallOf<"finish-guide">>, guide: Written): Promise<{ readonly author?: number }> {
  const { author } = work.call;
  const id = author === null ? undefined : work.site.people().userOf(author);
  if (id === undefined || id === guide.facts["author"]) return {};
  if (await mayHave(work, "author")) return { author: id };
  reportAuthor(work);
  return {};
}

function reportAuthor({ call, report }: Work<CallOf<"finish-guide">>): void {
  if (call.author !== null) report({ level: "loss", ...noAuthor(call.author.name, true) });
}

type SetVisibility = Work<CallOf<"set-visibility">>;

/** `revisionid` goes into the query: it is refused in the body (api-facts 4.3). */
export const setVisibility: Handler<CallOf<"set-visibility">> = async (work) => {
  const { call, context } = work;
  const guide = await guideOf(context, call.guide);
  if (guide.facts["public"] === call.public) return { written: [guide], missing: [] };
  // After a crash, the ledger must show that it was hidden: else no run publishes it again.
  if (call.hides === true) await context.begin({});
  const edited = await edit(withoutConflicts(work, guide), {
    method: call.public ? "PUT" : "DELETE",
    path: `guides/${guide.id}/public`,
    json: {},
    sends: { public: call.public },
    written: guide,
    compared: "guide",
    isDone: (current) => (objectIn(current)["public"] === true) === call.public,
  });
  const hidden = call.hides === true ? true : undefined;
  return {
    written: [writtenGuide(call.guide, edited.json, { ...edited.facts, hidden })],
    missing: [],
    ...openIf(edited),
  };
};

/** Hiding a guide temporarily conflicts with no edit of other fields. */
function withoutConflicts(work: SetVisibility, { facts }: Written): SetVisibility {
  const { site, call } = work;
  if (call.hides !== true && facts["hidden"] !== true) return work;
  return { ...work, site: { ...site, onConflict: "merge" } };
}
