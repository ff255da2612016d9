import type { Item } from "../../core/model/item.js";
import { asJson } from "./as-left.js";
import type { Loss } from "./loss.js";

/** A quiz that hangs on a guide, as its row in the list of guides tells (api-facts 3.2): no public call attaches one. What else its object holds is not public, so only a title is told. */
export function quizLosses({ kind, raw }: Item): readonly Loss[] {
  const { json, summary } = asJson(raw);
  const [quiz] = [json, summary].map((each) => asJson(asJson(each)["attachedQuiz"])).filter(isSomething);
  if (kind !== "guide" || quiz === undefined) return [];
  const title = [quiz["quiz_title"], quiz["title"]].find((each) => typeof each === "string" && each !== "");
  return [
    {
      code: "quiz",
      path: "attachedQuiz",
      message: `The quiz${title === undefined ? "" : ` "${String(title)}"`} that is attached to it is not attached anew: no public call does that.`,
      remedy: "Attach one by hand. The workspace has the guide's whole answer.",
    },
  ];
}

function isSomething(value: object): boolean {
  return Object.keys(value).length > 0;
}
