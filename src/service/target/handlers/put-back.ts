import type { Body, Written } from "../../../core/contracts.js";
import { FerryError } from "../../../core/errors.js";
import type { CallOf, PartBack } from "../../../core/model/call.js";
import { type Key, kindOf } from "../../../core/model/key.js";
import { parentIn } from "../../wire/write/compared.js";
import { asJson, guideAsLeft, stepAsLeft, stepsIn, wikiAsLeft } from "../as-left.js";
import { type Edit, sendGuarded } from "../guarded.js";
import { guideOf } from "../guide-of.js";
import type { Handler, Work } from "../parts.js";
import { pathOf } from "../paths.js";

type PutBack = CallOf<"put-back">;
/** What differs between the calls; the rest is the same for all that is guarded. */
type Plan = Pick<Edit, "method" | "path" | "json" | "sends" | "isDone">;

/**
 * Puts a part of a thing back as it was before a run, with one call, and only as long as it stands as the ledger says. Throws
 * ConflictError when it doesn't: an undo takes nobody else's work away, whatever `--on-conflict` says.
 */
export const putBack: Handler<PutBack> = async (work) => {
  const { call, context } = work;
  const written = await context.written(call.of);
  if (written === undefined)
    throw new FerryError(
      `${call.of} is not known to be at ${work.desk.client.root}, so that nothing of it can be put back.`,
    );
  const compared = comparedAs(call.of);
  const path = await placeOf(work, written);
  const answer = await sendGuarded(strictly(work), {
    ...PARTS[call.part](path, call.body),
    // What a merge noted of it is undone together with it.
    written: { ...written, facts: withoutMerge(written.facts) },
    compared,
    ...(compared === "wiki" ? { headPath: path } : {}),
  });
  return { written: [await AS_LEFT[compared](work, answer, written, path)], missing: [] };
};

/** Only what still stands as the ledger says may be put back, however conflicts are settled otherwise. */
function strictly(work: Work<PutBack>): Work<PutBack> {
  return { ...work, desk: { ...work.desk, onConflict: "fail" } };
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
    const ids = Array.isArray(steps) ? steps.map(String) : [];
    return {
      method: "PUT",
      path: `${path}/steporder`,
      json: { stepids: ids.map(Number) },
      sends: { steps: ids.map(Number) },
      isDone: (current) => idsIn(current).join() === ids.join(),
    };
  },
  visibility: (path, body) => {
    const isPublic = body["public"] === true;
    return {
      method: isPublic ? "PUT" : "DELETE",
      path: `${path}/public`,
      json: {},
      sends: { public: isPublic },
      isDone: (current) => (asJson(current)["public"] === true) === isPublic,
    };
  },
  parent: (path, { parent = null }) => ({
    method: "PUT",
    path: `${path}/parent`,
    json: { parent },
    isDone: (current) => parentIn(current) === parent,
  }),
};

function idsIn(guide: unknown): readonly string[] {
  return stepsIn(guide).map((step) => String(step["stepid"]));
}

type AsLeft = (work: Work<PutBack>, answer: unknown, before: Written, path: string) => Promise<Written> | Written;

const AS_LEFT: Readonly<Record<Edit["compared"], AsLeft>> = {
  guide: ({ call }, answer) => guideAsLeft(call.of, answer),
  step: ({ call }, answer) => stepAsLeft(call.of, answer),
  wiki: async ({ call, desk, signal }, answer, before, path) => {
    if (asJson(answer)["title"] !== undefined) return wikiAsLeft(call.of, answer, before);
    // The answer to a move may come without the page.
    const { json } = await desk.client.get(path, { query: { unpatrolled: true } }, signal);
    return wikiAsLeft(call.of, json, before);
  },
};
