import { FerryError } from "../../core/errors.js";
import type { CallOf, PartBack } from "../../core/model/call.js";
import { type Key, type Kind, kindOf, wikiOf } from "../../core/model/key.js";
import { idsIn, objectIn } from "../../core/util/json.js";
import type { Body, Written } from "../../core/writing.js";
import { parentIn } from "../wire/compared-fields.js";
import type { Handler, Work } from "./context.js";
import { type Edit, sendGuarded } from "./guarded-write.js";
import { withoutEmpty } from "./guide.js";
import { guideOf, pathOf, titleAtTarget } from "./identity.js";
import { remoteSteps } from "./steps.js";
import {
  addedStep,
  guideAfterUnguardedCall,
  insertStepId,
  stepIdsIn,
  writtenGuide,
  writtenStep,
  writtenWiki,
} from "./written-body.js";

type PutBack = CallOf<"put-back">;
type Plan = Pick<Edit, "method" | "path" | "json" | "sends" | "isDone">;

/**
 * Restores a part of an item with one call if the item has no remote edit. Else throws
 * ConflictError, whatever `--on-conflict` says.
 */
export const putBack: Handler<PutBack> = async (work) => {
  const { call, context } = work;
  const written = await context.written(call.of);
  if (written === undefined)
    throw new FerryError(
      `${call.of} is not in the ledger for ${work.site.client.root}, so no part of it can be restored.`,
    );
  const compared = comparedAs(call.of);
  const path = await placeOf(work, written);
  const answer = await sendGuarded(strictly(work), {
    ...PARTS[call.part](path, call.body),
    // The undo also removes the facts of a merge.
    written: { ...written, facts: withoutMerge(written.facts) },
    compared,
    ...(compared === "wiki" ? { headPath: path } : {}),
  });
  return { written: [await AS_LEFT[compared](work, answer, written, path)], missing: [] };
};

/** An undo never resolves a conflict. */
function strictly(work: Work<PutBack>): Work<PutBack> {
  return { ...work, site: { ...work.site, onConflict: "fail" } };
}

function comparedAs(key: Key): Edit["compared"] {
  const kind = kindOf(key);
  return kind === "guide" || kind === "step" ? kind : "wiki";
}

async function placeOf({ call, context }: Work<PutBack>, written: Written): Promise<string> {
  if (call.guide === null) return pathOf(call.of, written.id);
  const guide = await guideOf(context, call.guide);
  return `guides/${guide.id}/steps/${written.id}`;
}

function withoutMerge(facts: Body): Body {
  const { apart: _apart, clashes: _clashes, sentAs: _sentAs, ...plain } = facts;
  return plain;
}

const PARTS: Readonly<Record<PartBack, (path: string, body: Body) => Plan>> = {
  fields: (path, body) => ({ method: "PATCH", path, json: body }),
  order: (path, { steps }) => {
    const ids = idsIn(steps);
    return {
      method: "PUT",
      path: `${path}/steporder`,
      json: { stepids: ids.map(Number) },
      sends: { steps: ids.map(Number) },
      isDone: (current) => stepIdsIn(current).join() === ids.join(),
    };
  },
  visibility: (path, body) => {
    const isPublic = body["public"] === true;
    return {
      method: isPublic ? "PUT" : "DELETE",
      path: `${path}/public`,
      json: {},
      sends: { public: isPublic },
      isDone: (current) => (objectIn(current)["public"] === true) === isPublic,
    };
  },
  parent: (path, { parent = null }) => ({
    method: "PUT",
    path: `${path}/parent`,
    json: { parent },
    isDone: (current) => parentIn(current) === parent,
  }),
};

type AsLeft = (work: Work<PutBack>, answer: unknown, before: Written, path: string) => Promise<Written> | Written;

const AS_LEFT: Readonly<Record<Edit["compared"], AsLeft>> = {
  guide: ({ call }, answer) => writtenGuide(call.of, answer),
  step: ({ call }, answer) => writtenStep(call.of, answer),
  wiki: async ({ call, site, signal }, answer, before, path) => {
    if (objectIn(answer)["title"] !== undefined) return writtenWiki(call.of, answer, before);
    // The answer to a move may have no page.
    const { json } = await site.client.get(path, { query: { unpatrolled: true } }, signal);
    return writtenWiki(call.of, json, before);
  },
};

type Recreate = CallOf<"make-again">;

/**
 * Recreates a deleted item without what other calls carry: a guide private and without steps, a
 * step at its `orderby` or at the end, a page at the top level.
 */
export const recreate: Handler<Recreate> = async (work) => {
  const make = MAKERS[kindOf(work.call.of)] ?? makePage;
  return { written: await make(work), missing: [] };
};

type Maker = (work: Work<Recreate>) => Promise<readonly Written[]>;

const MAKERS: Readonly<Partial<Record<Kind, Maker>>> = { guide: makeGuide, step: makeStep };

async function makeGuide({ site, call, context, signal }: Work<Recreate>): Promise<readonly Written[]> {
  const { steps: _steps, flags: _flags, author: _author, ...fields } = call.body;
  const body = { ...withoutEmpty(withoutNulls(fields)), public: false };
  await context.begin({ after: site.highestGuide(), sent: body, missing: [] });
  const { json } = await site.client.send({ method: "POST", path: "guides", json: body, create: true }, signal);
  site.learn(json);
  return [writtenGuide(call.of, json)];
}

async function makeStep(work: Work<Recreate>): Promise<readonly Written[]> {
  const { site, call, context, signal } = work;
  const guide = await guideOf(context, call.guide ?? call.of);
  const before = await remoteSteps(work, guide);
  const body = { orderby: before.length + 1, ...call.body };
  await context.begin({ before, sent: body, missing: [] });
  const path = `guides/${guide.id}/steps`;
  const { json } = await site.client.send({ method: "POST", path, json: body, create: true }, signal);
  const ours = addedStep(json, before, body);
  if (ours === undefined)
    throw new FerryError(
      `${work.operation.label}: the answer of the site does not show the new step. Run the same command again: guideferry looks for the step first.`,
    );
  const id = String(ours["stepid"]);
  const there = stepIdsIn(json);
  return [
    writtenStep(call.of, ours),
    guideAfterUnguardedCall(guide, objectIn(json), (steps) => insertStepId(steps, there, id)),
  ];
}

async function makePage({ site, call, context, signal }: Work<Recreate>): Promise<readonly Written[]> {
  const { namespace } = wikiOf(call.of);
  const title = titleAtTarget(call.of, call.id);
  const { parent: _parent, page_title: _pageTitle, contents = "", ...fields } = call.body;
  const body = { namespace, title, contents, ...withoutEmpty(withoutNulls(fields)) };
  await context.begin({ sent: body, missing: [] });
  const { json } = await site.client.send({ method: "POST", path: "wikis", json: body, create: true }, signal);
  return [writtenWiki(call.of, json, undefined)];
}

/** Null is the default, and a field of another namespace is refused (api-facts 8.4). */
function withoutNulls(body: Body): Body {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null && value !== false));
}
