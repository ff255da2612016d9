import type { Context, LinkContext } from "../../core/contracts.js";
import { StatusError } from "../../core/errors.js";
import type { CallOf } from "../../core/model/call.js";
import { type Kind, kindOf, restOf, wikiOf } from "../../core/model/key.js";
import { idsIn, type JsonObject, objectIn, rowsIn } from "../../core/util/json.js";
import type { Written } from "../../core/writing.js";
import { NOT_AVAILABLE } from "../http/status-error.js";
import { carries, writtenDigest } from "../wire/compared-fields.js";
import type { Work, WriteContext } from "./context.js";
import { guidesOfTitle, nameAtTarget } from "./existing.js";
import { reportLeftovers } from "./guide.js";
import { guideOf, idUnder, nowUnder, pathOf, titleAtTarget } from "./identity.js";
import { untilReady, uploadedId, writtenMedia } from "./media.js";
import { givenTitle, readWiki } from "./wiki.js";
import {
  carriedFacts,
  factsOfCreate,
  guideAfterUnguardedCall,
  insertStepId,
  stepIdsIn,
  stepsIn,
  writtenGuide,
  writtenStep,
  writtenWiki,
} from "./written-body.js";

type Again = Work<CallOf<"make-again">>;

/**
 * Looks for what a killed undo made anew: what was not there before, belongs to nobody in the
 * ledger, and carries what was sent.
 */
export async function findRecreated(work: Again, mark: JsonObject): Promise<Found> {
  const find = RECREATED_FINDERS[kindOf(work.call.of)] ?? findPage;
  return find(work, mark);
}

const RECREATED_FINDERS: Readonly<Partial<Record<Kind, (work: Again, mark: JsonObject) => Promise<Found>>>> = {
  guide: findRecreatedGuide,
  step: findRecreatedStep,
};

/** Among the account's own guides, the newest first, down to what was there before. */
async function findRecreatedGuide({ desk, call, context, signal }: Again, mark: JsonObject): Promise<Found> {
  const after = Number(mark["after"] ?? 0);
  for (let offset = 0; ; offset += PAGE) {
    const { json } = await desk.client.get("user/guides", { query: { order: "DESC", limit: PAGE, offset } }, signal);
    const rows = rowsIn(json);
    const newer = rows.map((row) => Number(row["guideid"])).filter((id) => id > after);
    for (const id of newer) {
      if ((await context.keyOf("guide", String(id))) !== undefined) continue;
      const { json: guide } = await desk.client.get(`guides/${id}`, { expect: [403, 404] }, signal);
      if (carries("guide", guide, objectIn(mark["sent"]))) return [writtenGuide(call.of, guide)];
    }
    if (newer.length < rows.length || rows.length === 0) return undefined;
  }
}

async function findRecreatedStep({ desk, call, context, signal }: Again, mark: JsonObject): Promise<Found> {
  const guide = await guideOf(context, call.guide ?? call.of);
  const query = { excludePrerequisiteSteps: true as const };
  const { json } = await desk.client.get(`guides/${guide.id}`, { query, expect: [403, 404] }, signal);
  const before = idsIn(mark["before"]);
  const there = stepIdsIn(json);
  for (const step of stepsIn(json)) {
    const id = String(step["stepid"]);
    if (before.includes(id) || (await context.keyOf("step", id)) !== undefined) continue;
    if (!carries("step", step, objectIn(mark["sent"]))) continue;
    return [
      writtenStep(call.of, step),
      guideAfterUnguardedCall(guide, json, (steps) => insertStepId(steps, there, id)),
    ];
  }
  return undefined;
}

/** A page's title is its identity. */
async function findPage({ desk, call, signal }: Again, mark: JsonObject): Promise<Found> {
  const { status, json } = await desk.client.get(pathOf(call.of, call.id), { expect: [403, 404] }, signal);
  if (status !== 200 || !carries("wiki", json, objectIn(mark["sent"]))) return undefined;
  return [writtenWiki(call.of, json, undefined)];
}

/**
 * Was a guide hidden whose answer was lost? It was when it is private now. Where anything else of
 * it differs from what we left, somebody edited it: then our old revision stays, so that the next
 * edit finds that out.
 */
export async function findHidden(work: Work<CallOf<"set-visibility">>): Promise<readonly Written[] | undefined> {
  const { desk, call, context, signal } = work;
  const guide = await context.written(call.guide);
  if (guide === undefined) return undefined;
  const query = { excludePrerequisiteSteps: true as const };
  const { status, json } = await desk.client.get(pathOf(call.guide, guide.id), { query, expect: [403, 404] }, signal);
  const now = objectIn(json);
  if (status !== 200 || (now["public"] === true) !== call.public) return undefined;
  const hidden = { hidden: call.hides === true ? true : undefined };
  const before = writtenDigest("guide", { ...now, public: guide.facts["public"] === true });
  if (before === guide.left) return [writtenGuide(call.guide, now, { ...carriedFacts(guide), ...hidden })];
  return [{ ...guide, facts: { ...guide.facts, ...hidden, public: call.public } }];
}

export type Found = readonly Written[] | undefined;
const PAGE = 200;

/**
 * Among the account's own guides, private ones too, the newest first, down to what was there
 * before.
 */
export async function findGuide(work: Work<CallOf<"save-guide">>, mark: JsonObject): Promise<Found> {
  const { desk, call, context, signal } = work;
  const after = Number(mark["after"] ?? 0);
  const sent = objectIn(mark["sent"]);
  for (let offset = 0; ; offset += PAGE) {
    const { json } = await desk.client.get("user/guides", { query: { order: "DESC", limit: PAGE, offset } }, signal);
    const rows = rowsIn(json);
    const newer = rows.filter((row) => Number(row["guideid"]) > after);
    for (const row of newer) {
      const guide = await unknownGuide(work, Number(row["guideid"]), context);
      if (guide === undefined || !carries("guide", guide, { ...sent, flags: undefined } as JsonObject)) continue;
      desk.learn(guide);
      reportLeftovers(work, call.fields, guide);
      return [writtenGuide(call.guide, guide, factsOfCreate("guide", sent, guide))];
    }
    if (newer.length < rows.length || rows.length === 0) return undefined;
  }
}

async function unknownGuide(work: Work, id: number, context: Context): Promise<JsonObject | undefined> {
  if ((await context.keyOf("guide", String(id))) !== undefined) return undefined;
  const query = { excludePrerequisiteSteps: true as const };
  const answer = await work.desk.client.get(`guides/${id}`, { query, expect: [403, 404] }, work.signal);
  return answer.status === 200 ? objectIn(answer.json) : undefined;
}

export async function findStep(work: Work<CallOf<"save-step">>, mark: JsonObject): Promise<Found> {
  const { desk, call, context, signal } = work;
  const guide = await guideOf(context, call.guide);
  const before = idsIn(mark["before"]);
  const query = { excludePrerequisiteSteps: true as const };
  const { status, json } = await desk.client.get(`guides/${guide.id}`, { query, expect: [403, 404] }, signal);
  // Somebody deleted the guide, and the step with it.
  if (status !== 200) return undefined;
  for (const step of stepsIn(json)) {
    const id = String(step["stepid"]);
    if (before.includes(id) || (await context.keyOf("step", id)) !== undefined) continue;
    const sent = objectIn(mark["sent"]);
    if (!carries("step", step, sent)) continue;
    const made = writtenStep(call.step.key, step, factsOfCreate("step", sent, step));
    return [made, guideAfterUnguardedCall(guide, json, (steps) => [...steps, id])];
  }
  return undefined;
}

/**
 * A page's title is its identity: one that carries what we sent is ours, any other is somebody's.
 */
export async function findWiki(work: Work<CallOf<"save-wiki">>, mark: JsonObject): Promise<Found> {
  const existing = await readWiki(work);
  const sent = objectIn(mark["sent"]);
  if (existing === undefined || !carries("wiki", existing, sent)) return undefined;
  const known = await work.context.written(work.call.wiki);
  const made = writtenWiki(work.call.wiki, existing, undefined, factsOfCreate("wiki", sent, existing));
  return [nowUnder(givenTitle(work.call), made, known)];
}

/** Where the media manager lists each kind. */
const MANAGER: Readonly<Record<string, string>> = {
  image: "user/media/images",
  video: "user/media/videos",
  document: "user/media/current",
};

export async function findUpload(work: Work<CallOf<"upload">>, mark: JsonObject): Promise<Found> {
  const { call, context } = work;
  const kind = kindOf(call.media);
  const path = MANAGER[kind];
  for (let offset = 0; path !== undefined; offset += PAGE) {
    const rows = await managerPage(work, path, offset);
    for (const row of rows) {
      const id = uploadedId(row);
      if (id === undefined || fileNameOf(row) !== mark["file"] || (await context.keyOf(kind, String(id))) !== undefined)
        continue;
      if (kind === "video") await untilReady(work, id);
      return [writtenMedia(call.media, id, call.content.sha256)];
    }
    if (rows.length === 0) return undefined;
  }
  return undefined;
}

async function managerPage({ desk, signal }: Work, path: string, offset: number): Promise<readonly JsonObject[]> {
  try {
    const { json } = await desk.client.get(path, { query: { limit: PAGE, offset } }, signal);
    return rowsIn(json);
  } catch (error) {
    // Without a list the upload is done again: bytes twice in the media manager are no double in
    // content.
    if (error instanceof StatusError && NOT_AVAILABLE.includes(error.status)) return [];
    throw error;
  }
}

/**
 * An image detail tells the name in its exif; a media manager's item and a video have it on top.
 */
function fileNameOf(row: JsonObject): unknown {
  return row["filename"] ?? objectIn(row["exif"])["FileName"];
}

export type LinkDesk = Pick<WriteContext, "client" | "match" | "titles" | "onExisting" | "pages">;

/** Does `--match title` find a guide that the new one only links to? */
export async function guideIsThere(
  desk: LinkDesk,
  { call, label }: { readonly call: CallOf<"save-guide">; readonly label: string },
  context: LinkContext,
  signal: AbortSignal,
): Promise<boolean> {
  if (desk.match !== "title" || (await context.written(call.guide)) !== undefined) return false;
  // Where there are several, the write itself says so and sends nothing.
  const named = await nameAtTarget(call.fields, context);
  return (await guidesOfTitle({ desk, context, signal, label }, named)).length > 0;
}

/** Is there a page of the title that is not ours, so that the write only links to it? */
export async function pageIsThere(
  desk: LinkDesk,
  { call }: { readonly call: CallOf<"save-wiki"> },
  context: LinkContext,
  signal: AbortSignal,
): Promise<boolean> {
  if ((await context.written(call.wiki)) !== undefined) return false;
  const { namespace } = wikiOf(call.wiki);
  const id = idUnder(call.wiki, givenTitle(call)) ?? restOf(call.wiki);
  const shown = await desk.pages.in(desk.client, namespace, signal);
  if (shown?.has(id) !== true) return false;
  // One that the site made beside a guide of ours is filled.
  return namespace !== "ITEM" || (await context.namesPart?.(titleAtTarget(call.wiki, id))) !== true;
}
