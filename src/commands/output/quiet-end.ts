import { EXIT } from "../../errors.js";
import { meaningOf } from "../exit-codes.js";
import type { Output } from "./output.js";
import { count } from "./words.js";

/** Ends that are no error of the run, and that somebody has to know of. */
const WRONG: ReadonlySet<number> = new Set([EXIT.someFailed, EXIT.differences, EXIT.losses]);

/**
 * Looks at what goes to programs, and warns in one line when a run ends with something wrong: with `--quiet` nothing else says so, and who has a
 * mail made of what is printed would get none.
 */
export function createQuietEnd(warn: (text: string) => void): Output["event"] {
  let failures = 0;
  let first = "";
  let page = "";
  return (type, facts) => {
    if (type === "failure") {
      failures += 1;
      if (failures === 1) first = `${textIn(facts, "key")}: ${textIn(facts, "reason").split("\n")[0]}`;
    }
    if (type === "report") page = textIn(facts, "html");
    const exitCode = type === "summary" && "exitCode" in facts ? Number(facts.exitCode) : EXIT.ok;
    if (!WRONG.has(exitCode)) return;
    const failed = failures === 0 ? "" : ` ${count(failures, "failure")}, the first: ${first}`;
    warn(`Ended with ${exitCode}: ${meaningOf(exitCode)}.${failed}${page === "" ? "" : ` See ${page}`}`);
  };
}

function textIn(facts: object, name: string): string {
  const value: unknown = Object.entries(facts).find(([key]) => key === name)?.[1];
  return typeof value === "string" ? value : "";
}
