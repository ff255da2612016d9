import { FerryError, StatusError } from "../../../errors.js";
import type { CallOf } from "../../../model/call.js";
import { wikiAsLeft } from "../as-left.js";
import { sendGuarded } from "../guarded.js";
import type { Handler } from "../parts.js";
import { pathOf } from "../paths.js";

/** Sets a page's flags. Which of them the account may set no call tells, so a refusal (403, 422) is a loss and not a failure. */
export const flagWiki: Handler<CallOf<"flag-wiki">> = async (work) => {
  const { call, context } = work;
  const wiki = await context.written(call.wiki);
  if (wiki === undefined)
    throw new FerryError(
      `${call.wiki} is not at the target yet, so it can't be flagged. Its own failure is listed; run again.`,
    );
  const path = pathOf(call.wiki, wiki.id);
  try {
    const edit = {
      method: "PATCH",
      path,
      json: { flags: call.flags },
      written: wiki,
      compared: "wiki",
      fields: ["revisionid"],
      headPath: path,
    } as const;
    return { written: [wikiAsLeft(call.wiki, await sendGuarded(work, edit), wiki)], missing: [] };
  } catch (error) {
    if (!(error instanceof StatusError) || ![403, 422].includes(error.status)) throw error;
    work.report({
      code: "flag-not-settable",
      level: "loss",
      path: "flags",
      message: `The target refused the flags ${call.flags.join(", ")} (${error.status}).`,
      remedy: "Let an account set them that may.",
    });
    return { written: [wiki], missing: [] };
  }
};
