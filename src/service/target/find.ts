import type { LinkContext } from "../../core/contracts.js";
import type { CallOf } from "../../core/model/call.js";
import { type Kind, kindOf, restOf, wikiOf } from "../../core/model/key.js";
import { idsIn, type JsonObject, objectIn, rowsIn } from "../../core/util/json.js";
import type { Written } from "../../core/writing.js";
import type { Query } from "../http/client.js";
import { NOT_AVAILABLE } from "../http/status-error.js";
import { pagesOf } from "../source/paged-list.js";
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
 * Finds what a killed undo recreated: new, unknown to the ledger, with the content that was sent.
 */
export async function findRecreated(work: Again, mark: JsonObject): Promise<Found> {
  const find = RECREATED_FINDERS[kindOf(work.call.of)] ?? findPage;
  return find(work, mark);
}

const RECREATED_FINDERS: Readonly<Partial<Record<Kind, (work: Again, mark: JsonObject) => Promise<Found>>>> = {
  guide: findRecreatedGuide,
  step: findRecreatedStep,
};

async function findRecreatedGuide(work: Again, mark: JsonObject): Promise<Found> {
  for await (const guide of newGuides(work, mark))
    if (carries("guide", guide, objectIn(mark["sent"]))) return [writtenGuide(work.call.of, guide)];
  return undefined;
}

async function findRecreatedStep(work: Again, mark: JsonObject): Promise<Found> {
  const { call, context } = work;
  const guide = await guideOf(context, call.guide ?? call.of);
  const found = await findNewStep(work, guide, mark);
  if (found === undefined) return undefined;
  const { id, step, json } = found;
  const there = stepIdsIn(json);
  return [writtenStep(call.of, step), guideAfterUnguardedCall(guide, json, (steps) => insertStepId(steps, there, id))];
}

async function findPage({ site, call, signal }: Again, mark: JsonObject): Promise<Found> {
  const { status, json } = await site.client.get(pathOf(call.of, call.id), { expect: [403, 404] }, signal);
  if (status !== 200 || !carries("wiki", json, objectIn(mark["sent"]))) return undefined;
  return [writtenWiki(call.of, json, undefined)];
}

/**
 * Recovers a hidden guide after a lost answer: it is private now. If it also has a remote edit, the
 * previous revision stays in the ledger, so that the next edit finds the remote edit.
 */
export async function findHidden(work: Work<CallOf<"set-visibility">>): Promise<readonly Written[] | undefined> {
  const { site, call, context, signal } = work;
  const guide = await context.written(call.guide);
  if (guide === undefined) return undefined;
  const query = { excludePrerequisiteSteps: true as const };
  const { status, json } = await site.client.get(pathOf(call.guide, guide.id), { query, expect: [403, 404] }, signal);
  const now = objectIn(json);
  if (status !== 200 || (now["public"] === true) !== call.public) return undefined;
  const hidden = { hidden: call.hides === true ? true : undefined };
  const before = writtenDigest("guide", { ...now, public: guide.facts["public"] === true });
  if (before === guide.left) return [writtenGuide(call.guide, now, { ...carriedFacts(guide), ...hidden })];
  return [{ ...guide, facts: { ...guide.facts, ...hidden, public: call.public } }];
}

export type Found = readonly Written[] | undefined;

export async function findGuide(work: Work<CallOf<"save-guide">>, mark: JsonObject): Promise<Found> {
  const { site, call } = work;
  const sent = objectIn(mark["sent"]);
  for await (const guide of newGuides(work, mark)) {
    if (!carries("guide", guide, { ...sent, flags: undefined })) continue;
    site.learn(guide);
    reportLeftovers(work, call.fields, guide);
    return [writtenGuide(call.guide, guide, factsOfCreate("guide", sent, guide))];
  }
  return undefined;
}

/** The account's guides that the ledger lacks, newest first, down to the highest known id. */
async function* newGuides({ site, context, signal }: Work, mark: JsonObject): AsyncGenerator<JsonObject> {
  const after = Number(mark["after"] ?? 0);
  const pages = pagesOf(async (query) =>
    rowsIn((await site.client.get("user/guides", { query: { order: "DESC", ...query } }, signal)).json),
  );
  for await (const rows of pages) {
    const newer = rows.map((row) => Number(row["guideid"])).filter((id) => id > after);
    for (const id of newer) {
      if ((await context.keyOf("guide", String(id))) !== undefined) continue;
      const query = { excludePrerequisiteSteps: true as const };
      const { status, json } = await site.client.get(`guides/${id}`, { query, expect: [403, 404] }, signal);
      if (status === 200) yield objectIn(json);
    }
    if (newer.length < rows.length) return;
  }
}

export async function findStep(work: Work<CallOf<"save-step">>, mark: JsonObject): Promise<Found> {
  const { call, context } = work;
  const guide = await guideOf(context, call.guide);
  const found = await findNewStep(work, guide, mark);
  if (found === undefined) return undefined;
  const made = writtenStep(call.step.key, found.step, factsOfCreate("step", objectIn(mark["sent"]), found.step));
  return [made, guideAfterUnguardedCall(guide, found.json, (steps) => [...steps, found.id])];
}

/** The new step of the guide that the ledger does not have and that carries what was sent. */
async function findNewStep({ site, context, signal }: Work, guide: Written, mark: JsonObject) {
  const query = { excludePrerequisiteSteps: true as const };
  const { status, json } = await site.client.get(`guides/${guide.id}`, { query, expect: [403, 404] }, signal);
  // The guide was deleted, and the step with it.
  if (status !== 200) return undefined;
  const before = idsIn(mark["before"]);
  for (const step of stepsIn(json)) {
    const id = String(step["stepid"]);
    if (before.includes(id) || (await context.keyOf("step", id)) !== undefined) continue;
    if (carries("step", step, objectIn(mark["sent"]))) return { id, step, json };
  }
  return undefined;
}

/** The title is a page's identity: a page with the sent content is the created one. */
export async function findWiki(work: Work<CallOf<"save-wiki">>, mark: JsonObject): Promise<Found> {
  const existing = await readWiki(work);
  const sent = objectIn(mark["sent"]);
  if (existing === undefined || !carries("wiki", existing, sent)) return undefined;
  const known = await work.context.written(work.call.wiki);
  const made = writtenWiki(work.call.wiki, existing, undefined, factsOfCreate("wiki", sent, existing));
  return [nowUnder(givenTitle(work.call), made, known)];
}

const MANAGER: Readonly<Record<string, string>> = {
  image: "user/media/images",
  video: "user/media/videos",
  document: "user/media/current",
};

export async function findUpload(work: Work<CallOf<"upload">>, mark: JsonObject): Promise<Found> {
  const { call, context } = work;
  const kind = kindOf(call.media);
  for await (const rows of pagesOf((query) => managerPage(work, MANAGER[kind], query))) {
    for (const row of rows) {
      const id = uploadedId(row);
      if (id === undefined || fileNameOf(row) !== mark["file"] || (await context.keyOf(kind, String(id))) !== undefined)
        continue;
      if (kind === "video") await untilReady(work, id);
      return [writtenMedia(call.media, id, call.content.sha256)];
    }
  }
  return undefined;
}

async function managerPage(
  { site, signal }: Work,
  path: string | undefined,
  query: Query,
): Promise<readonly JsonObject[]> {
  if (path === undefined) return [];
  // Without a list it uploads again: a second copy in the media manager changes no content.
  const { status, json } = await site.client.get(path, { query, expect: NOT_AVAILABLE }, signal);
  return NOT_AVAILABLE.includes(status) ? [] : rowsIn(json);
}

/** Images have the name in `exif`; videos and items of the media manager at the top level. */
function fileNameOf(row: JsonObject): unknown {
  return row["filename"] ?? objectIn(row["exif"])["FileName"];
}

export type LinkSite = Pick<WriteContext, "client" | "match" | "titles" | "onExisting" | "pages">;

/** Does `--match title` find a guide to link to? */
export async function guideIsThere(
  site: LinkSite,
  { call, label }: { readonly call: CallOf<"save-guide">; readonly label: string },
  context: LinkContext,
  signal: AbortSignal,
): Promise<boolean> {
  if (site.match !== "title" || (await context.written(call.guide)) !== undefined) return false;
  // For several matches, the write itself reports an error and sends nothing.
  const named = await nameAtTarget(call.fields, context);
  return (await guidesOfTitle({ site, context, signal, label }, named)).length > 0;
}

/** Does somebody else's page with the title exist, so that the write links to it? */
export async function pageIsThere(
  site: LinkSite,
  { call }: { readonly call: CallOf<"save-wiki"> },
  context: LinkContext,
  signal: AbortSignal,
): Promise<boolean> {
  if ((await context.written(call.wiki)) !== undefined) return false;
  const { namespace } = wikiOf(call.wiki);
  const id = idUnder(call.wiki, givenTitle(call)) ?? restOf(call.wiki);
  const shown = await site.pages.in(site.client, namespace, signal);
  if (shown?.has(id) !== true) return false;
  // The site creates an empty ITEM page for a part of a guide: guideferry fills it.
  return namespace !== "ITEM" || (await context.namesPart?.(titleAtTarget(call.wiki, id))) !== true;
}
