import type { Context, Receipt, Written } from "../../core/contracts.js";
import { StatusError } from "../../core/errors.js";
import type { CallOf, Verb } from "../../core/model/call.js";
import { type Key, kindOf } from "../../core/model/key.js";
import { NOT_AVAILABLE } from "../not-available.js";
import { carries } from "../wire/write/compared.js";
import { asJson, guideAbsorbed, guideAsLeft, stepAsLeft, stepsIn, wikiAsLeft } from "./as-left.js";
import { findComment } from "./find-comment.js";
import { findHidden } from "./find-hidden.js";
import { guideOf } from "./guide-of.js";
import { givenTitle, readWiki } from "./handlers/save-wiki.js";
import { mediaAsLeft, untilReady, uploadedId } from "./handlers/upload.js";
import { reportLeftovers } from "./leftovers.js";
import { factsOfCreate } from "./merge/standing-apart.js";
import type { Work } from "./parts.js";
import { findMadeAgain } from "./undo/find-made-again.js";
import { nowUnder } from "./wiki-title.js";

type Json = Readonly<Record<string, unknown>>;
type Found = readonly Written[] | undefined;
type Finder<V extends Verb> = (work: Work<CallOf<V>>, mark: Json) => Promise<Found>;

/** Creates that are not harmless to repeat. Every other write may simply be done again. */
const FINDERS: { readonly [V in Verb]?: Finder<V> } = {
  "save-guide": findGuide,
  "save-step": findStep,
  "save-wiki": findWiki,
  upload: findUpload,
  "make-again": findMadeAgain,
  "post-comment": findComment,
  "set-visibility": findHidden,
};

/**
 * Looks for the work of a create whose answer was lost. The service has no idempotency keys, so this is the only
 * protection against doubles: candidates are what was not there before, belongs to nobody in the ledger, and carries what
 * was sent.
 */
export async function findWork(work: Work, mark: Json): Promise<Omit<Receipt, "issues"> | undefined> {
  const finder = FINDERS[work.call.verb] as Finder<Verb> | undefined;
  const written = await finder?.(work, mark);
  if (written === undefined) return undefined;
  const missing = Array.isArray(mark["missing"]) ? (mark["missing"] as readonly Key[]) : [];
  return { written, missing };
}

const PAGE = 200;

/** Among the account's own guides, private ones too, the newest first, down to what was there before. */
async function findGuide(work: Work<CallOf<"save-guide">>, mark: Json): Promise<Found> {
  const { desk, call, context, signal } = work;
  const after = Number(mark["after"] ?? 0);
  const sent = asJson(mark["sent"]);
  for (let offset = 0; ; offset += PAGE) {
    const { json } = await desk.client.get("user/guides", { query: { order: "DESC", limit: PAGE, offset } }, signal);
    const rows = Array.isArray(json) ? json.map(asJson) : [];
    const newer = rows.filter((row) => Number(row["guideid"]) > after);
    for (const row of newer) {
      const guide = await unknownGuide(work, Number(row["guideid"]), context);
      if (guide === undefined || !carries("guide", guide, { ...sent, flags: undefined } as Json)) continue;
      desk.learn(guide);
      reportLeftovers(work, call.fields, guide);
      return [guideAsLeft(call.guide, guide, factsOfCreate("guide", sent, guide))];
    }
    if (newer.length < rows.length || rows.length === 0) return undefined;
  }
}

async function unknownGuide(work: Work, id: number, context: Context): Promise<Json | undefined> {
  if ((await context.keyOf("guide", String(id))) !== undefined) return undefined;
  const query = { excludePrerequisiteSteps: true as const };
  const answer = await work.desk.client.get(`guides/${id}`, { query, expect: [403, 404] }, work.signal);
  return answer.status === 200 ? asJson(answer.json) : undefined;
}

async function findStep(work: Work<CallOf<"save-step">>, mark: Json): Promise<Found> {
  const { desk, call, context, signal } = work;
  const guide = await guideOf(context, call.guide);
  const before = Array.isArray(mark["before"]) ? mark["before"].map(String) : [];
  const query = { excludePrerequisiteSteps: true as const };
  const { status, json } = await desk.client.get(`guides/${guide.id}`, { query, expect: [403, 404] }, signal);
  // Somebody deleted the guide, and the step with it.
  if (status !== 200) return undefined;
  for (const step of stepsIn(json)) {
    const id = String(step["stepid"]);
    if (before.includes(id) || (await context.keyOf("step", id)) !== undefined) continue;
    const sent = asJson(mark["sent"]);
    if (!carries("step", step, sent)) continue;
    const made = stepAsLeft(call.step.key, step, factsOfCreate("step", sent, step));
    return [made, guideAbsorbed(guide, json, (steps) => [...steps, id])];
  }
  return undefined;
}

/** A page's title is its identity: one that carries what we sent is ours, any other is somebody's. */
async function findWiki(work: Work<CallOf<"save-wiki">>, mark: Json): Promise<Found> {
  const existing = await readWiki(work);
  const sent = asJson(mark["sent"]);
  if (existing === undefined || !carries("wiki", existing, sent)) return undefined;
  const known = await work.context.written(work.call.wiki);
  const made = wikiAsLeft(work.call.wiki, existing, undefined, factsOfCreate("wiki", sent, existing));
  return [nowUnder(givenTitle(work.call), made, known)];
}

/** Where the media manager lists each kind. */
const MANAGER: Readonly<Record<string, string>> = {
  image: "user/media/images",
  video: "user/media/videos",
  document: "user/media/current",
};

async function findUpload(work: Work<CallOf<"upload">>, mark: Json): Promise<Found> {
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
      return [mediaAsLeft(call.media, id, call.content.sha256)];
    }
    if (rows.length === 0) return undefined;
  }
  return undefined;
}

async function managerPage({ desk, signal }: Work, path: string, offset: number): Promise<readonly Json[]> {
  try {
    const { json } = await desk.client.get(path, { query: { limit: PAGE, offset } }, signal);
    return Array.isArray(json) ? json.map(asJson) : [];
  } catch (error) {
    // Without a list the upload is done again: bytes twice in the media manager are no double in content.
    if (error instanceof StatusError && NOT_AVAILABLE.includes(error.status)) return [];
    throw error;
  }
}

/** An image detail tells the name in its exif; a media manager's item and a video have it on top. */
function fileNameOf(row: Json): unknown {
  return row["filename"] ?? asJson(row["exif"])["FileName"];
}
