import type { Written } from "../../../core/contracts.js";
import { FerryError, StatusError } from "../../../core/errors.js";
import type { CallOf } from "../../../core/model/call.js";
import { wikiAsLeft } from "../as-left.js";
import { type Edited, edit, openIf } from "../guarded.js";
import type { Handler, Work } from "../parts.js";
import { pathOf } from "../paths.js";

type FinishWiki = CallOf<"finish-wiki">;

/** Sets a page's flags and its own page title: what only some accounts may, and no call tells beforehand. */
export const finishWiki: Handler<FinishWiki> = async (work) => {
  const { call, context } = work;
  const wiki = await context.written(call.wiki);
  if (wiki === undefined) {
    throw new FerryError(
      `${call.wiki} is not at the target yet, so it can't be finished. Its own failure is listed; run again.`,
    );
  }
  const flagged = await set(work, wiki, "flags", { flags: call.flags });
  // Only a PATCH takes it, and a changed display title derives it anew (api-facts 8.4).
  const titled =
    call.pageTitle === null ? flagged : await set(work, flagged.written, "pageTitle", { page_title: call.pageTitle });
  const open = flagged.open || titled.open;
  return { written: [titled.written], missing: [], ...openIf({ open, apart: titled.apart ?? flagged.apart }) };
};

interface Finished extends Pick<Edited, "open" | "apart"> {
  readonly written: Written;
}

/** A refusal (403, 422) is a loss and not a failure. */
async function set(
  work: Work<FinishWiki>,
  written: Written,
  path: string,
  json: Readonly<Record<string, unknown>>,
): Promise<Finished> {
  const { call } = work;
  const place = pathOf(call.wiki, written.id);
  try {
    const patch = { method: "PATCH", path: place, json, written, compared: "wiki", headPath: place } as const;
    const { open, apart, ...edited } = await edit(work, patch);
    return { written: wikiAsLeft(call.wiki, edited.json, written, edited.facts), open, apart };
  } catch (error) {
    if (!(error instanceof StatusError) || ![403, 422].includes(error.status)) throw error;
    work.report({
      code: "refused-by-site",
      level: "loss",
      path,
      message: `The target refused ${JSON.stringify(json)} (${error.status}).`,
      remedy: "Let an account set it that may.",
    });
    return { written, open: false, apart: undefined };
  }
}
