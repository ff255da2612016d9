import type { Receipt, Written } from "../../../core/contracts.js";
import { StatusError } from "../../../core/errors.js";
import type { CallOf } from "../../../core/model/call.js";
import { NOT_AVAILABLE } from "../../not-available.js";
import { parentIn } from "../../wire/write/compared.js";
import { asJson, wikiAsLeft } from "../as-left.js";
import { type Edited, edit, openIf } from "../guarded.js";
import type { Handler, Work } from "../parts.js";
import { pathOf } from "../paths.js";

type SetParent = CallOf<"set-parent">;

/**
 * Hangs a category under its parent. No public text says what the body looks like; this is the plainest form
 * (architecture, "Two dialects"), and this file is the only place that knows it.
 */
export const setParent: Handler<SetParent> = async (work) => {
  const { call, context } = work;
  const wiki = await context.written(call.wiki);
  if (wiki === undefined) return { written: [], missing: [call.wiki] };
  const parent = call.parent === null ? null : await context.idOf(call.parent);
  if (call.parent !== null && parent === undefined) {
    if (!context.moves(call.parent)) {
      work.report({
        code: "parent-not-moved",
        level: "loss",
        path: "parent",
        message: `Its parent ${call.parent} does not move, so it stays at the top.`,
        remedy: "Take the parent along with --include.",
      });
    }
    return { written: [wiki], missing: [call.parent] };
  }
  return move(work, wiki, parent ?? null);
};

async function move(work: Work<SetParent>, wiki: Written, parent: string | null): Promise<Moved> {
  const { call, desk, signal } = work;
  const path = pathOf(call.wiki, wiki.id);
  const moved = await sendMove(work, wiki, path, parent);
  if (moved === undefined) return { written: [wiki], missing: [] };
  const receipt = (json: unknown): Moved => ({
    written: [wikiAsLeft(call.wiki, json, wiki, moved.facts)],
    missing: [],
    ...openIf(moved),
  });
  if (asJson(moved.json)["title"] !== undefined) return receipt(moved.json);
  // An answer without the page: what the move left must be asked for, or the next edit would take it for somebody's.
  const { json } = await desk.client.get(path, { query: { unpatrolled: true } }, signal);
  return receipt(json);
}

type Moved = Omit<Receipt, "issues">;

/** undefined: the site has no such call, or forbids it (403). That is a loss and not a failure. */
async function sendMove(
  work: Work<SetParent>,
  wiki: Written,
  path: string,
  parent: string | null,
): Promise<Edited | undefined> {
  const put = {
    method: "PUT",
    path: `${path}/parent`,
    json: { parent },
    sends: { parent },
    written: wiki,
    headPath: path,
  } as const;
  const isDone = (current: unknown): boolean => parentIn(current) === parent;
  try {
    return await edit(work, { ...put, compared: "wiki", isDone });
  } catch (error) {
    if (!(error instanceof StatusError) || ![403, ...NOT_AVAILABLE].includes(error.status)) throw error;
    work.report({
      code: "refused-by-site",
      level: "loss",
      path: "parent",
      message: `The target refused to move it below ${parent ?? "the top"} (${error.status}).`,
      remedy: "Move it by hand.",
    });
    return undefined;
  }
}
