import type { CallOf } from "../../../model/call.js";
import { asJson, wikiAsLeft } from "../as-left.js";
import { sendGuarded } from "../guarded.js";
import type { Handler } from "../parts.js";
import { pathOf } from "../paths.js";

/**
 * Hangs a category under its parent. No public text says what the body looks like; this is the plainest form
 * (architecture, "Two dialects"), and this file is the only place that knows it.
 */
export const setParent: Handler<CallOf<"set-parent">> = async (work) => {
  const { call, context } = work;
  const wiki = await context.written(call.wiki);
  if (wiki === undefined) return { written: [], missing: [call.wiki] };
  const parent = call.parent === null ? null : await context.idOf(call.parent);
  if (call.parent !== null && parent === undefined) {
    if (context.moves(call.parent)) return { written: [wiki], missing: [call.parent] };
    work.report({
      code: "parent-not-moved",
      level: "loss",
      path: "parent",
      message: `Its parent ${call.parent} does not move, so it stays at the top.`,
      remedy: "Take the parent along with --include.",
    });
    return { written: [wiki], missing: [] };
  }
  const path = pathOf(call.wiki, wiki.id);
  const answer = await sendGuarded(work, {
    method: "PUT",
    path: `${path}/parent`,
    json: { parent },
    written: wiki,
    compared: "wiki",
    fields: ["revisionid"],
    headPath: path,
    // Whether the parent stands already a page does not tell for sure, so the call is simply made again.
    isDone: () => false,
  });
  const left = asJson(answer)["title"] === undefined ? wiki : wikiAsLeft(call.wiki, answer, wiki);
  return { written: [left], missing: [] };
};
