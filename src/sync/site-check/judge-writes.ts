import type { Act, SiteFacts } from "../../service/check/site-facts.js";
import type { Bound } from "../../core/contracts.js";
import { failed, ok, unknown, type Verdict, warning } from "./check-line.js";
import { howToDelete, leftoverText } from "./judge-content.js";

type Tried = "guide" | "step" | "upload";

const RIGHT = "Where the site refuses it, give the account the right or use another one; else run it again later.";

/** One of the things that the probe makes. */
export function judgeAct(name: Tried): (facts: SiteFacts) => Verdict {
  return ({ written, wantsWrites }) => {
    if (!wantsWrites) return unknown("not tried", "--probe-write makes and deletes one private guide and one upload.");
    const act: Act | null = written?.[name] ?? null;
    if (act?.isDone === null)
      return warning(act.says, "Make a category at the site, or try it after the first one was loaded.");
    if (act !== null) return act.isDone ? ok(act.says) : failed(act.says, RIGHT);
    if (written === null) return unknown("not tried, since an earlier question failed");
    return name === "upload" ? unknown("not tried: it was stopped before") : unknown(UNTRIED);
  };
}

/** What a step may hold there: the specification states none of it. */
export function judgeLimits({ written, wantsWrites }: SiteFacts): Verdict {
  if (!wantsWrites) return unknown("not asked", "--probe-write asks by edits of the guide that it makes.");
  const limits = written?.limits ?? null;
  if (limits === null) return unknown(UNTRIED, BY_NEED);
  const { lineLength, linesPerStep, imageWidth, imageHeight, trouble } = limits;
  const most = (bound: Bound | undefined, what: string): readonly string[] =>
    bound === undefined ? [] : [`${bound.refuses === null ? "at least" : "at most"} ${bound.takes} ${what}`];
  const small =
    imageWidth === undefined || imageHeight === undefined
      ? []
      : [`pictures of ${imageWidth.takes} x ${imageHeight.takes}${imageWidth.refuses === null ? "" : " or more"}`];
  const known = [...most(lineLength, "characters a line"), ...most(linesPerStep, "lines a step"), ...small];
  const says = [`takes ${known.join(", ")}`, ...(trouble === null ? [] : [trouble])].join("; ");
  return trouble === null ? ok(says) : unknown(known.length === 0 ? trouble : says, BY_NEED);
}

const BY_NEED = "A load whose content goes beyond the usual limits finds out by a probe of its own.";

/** Pages' translations are no question here: a page can't be private, so only a load that has some makes one for that. */
export function judgeTranslation({ written, wantsWrites }: SiteFacts): Verdict {
  if (!wantsWrites) return unknown("not tried", "--probe-write translates the guide that it makes.");
  const act = written?.translation ?? null;
  if (act === null) return unknown(written?.guide?.isDone === true ? NO_LANGUAGE : UNTRIED, BY_LOADING);
  if (act.isDone === null) return unknown(act.says, BY_LOADING);
  return act.isDone ? ok(act.says) : warning(act.says, "Translations of guides are told as lost, one line each.");
}

const NO_LANGUAGE = "not tried: the site does not say which languages it has";
const BY_LOADING = "A load that has translations of guides finds out by a probe of its own.";
const UNTRIED = "not tried: there is no guide that it could be tried with, or it was stopped before";

/** Is everything gone again that the probe made? */
export function judgeDeleted({ written, wantsWrites, root }: SiteFacts): Verdict {
  if (!wantsWrites || written === null) return unknown("nothing was made");
  const { left, deleted } = written;
  if (left.length > 0) {
    return failed(
      `still there: ${left.map(leftoverText).join("; ")}`,
      left.map((one) => howToDelete(one, root)).join(" "),
    );
  }
  return deleted.length === 0 ? ok("nothing was made") : ok(deleted.map(({ says }) => says).join("; "));
}
