import type { SiteFacts } from "../../service/check/site-facts.js";
import { EXIT, type ExitCode } from "../../core/errors.js";
import type { CheckLine, Verdict } from "./check-line.js";
import { judgeAccount, judgeDialect, judgeReachable, judgeVersion } from "./judge-access.js";
import { judgeContent, judgeLeftovers, judgePrivate, judgeRate } from "./judge-content.js";
import { judgeClock, judgeFamilies, judgeFlags, judgeGuideTypes, judgeReads, judgeUploads } from "./judge-settings.js";
import { judgeAct, judgeDeleted, judgeLimits, judgeTranslation } from "./judge-writes.js";

/** The questions in the order of the table; each is answered by the facts alone. */
const QUESTIONS: readonly (readonly [question: string, judge: (facts: SiteFacts) => Verdict])[] = [
  ["reachable", judgeReachable],
  ["version", judgeVersion],
  ["dialect", judgeDialect],
  ["families", judgeFamilies],
  ["account", judgeAccount],
  ["may read", judgeReads],
  ["guide types", judgeGuideTypes],
  ["settable flags", judgeFlags],
  ["uploads allowed", judgeUploads],
  ["clock", judgeClock],
  ["content", judgeContent],
  ["private guides", judgePrivate],
  ["leftovers", judgeLeftovers],
  ["rate", judgeRate],
  ["write guides", judgeAct("guide")],
  ["write steps", judgeAct("step")],
  ["step limits", judgeLimits],
  ["write translations", judgeTranslation],
  ["write uploads", judgeAct("upload")],
  ["deleted again", judgeDeleted],
];

/** One line a question. Pure. */
export function judgeSite(facts: SiteFacts): readonly CheckLine[] {
  return QUESTIONS.map(([question, judge]) => ({ question, ...judge(facts) }));
}

/** Warnings, and what nobody knows, leave it at 0. */
export function exitCodeOf(lines: readonly CheckLine[]): ExitCode {
  if (lines.some(({ because }) => because === "unreachable")) return EXIT.unreachable;
  if (lines.some(({ because }) => because === "sign-in")) return EXIT.signInRefused;
  return lines.some(({ state }) => state === "failed") ? EXIT.someFailed : EXIT.ok;
}
