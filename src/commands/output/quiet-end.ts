import { EXIT } from "../../core/errors.js";
import { leftOutSchema } from "../../web/report/run-report.js";
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
    warn(
      `Ended with ${exitCode}: ${meaningOf(exitCode)}.${failed}${leftOutIn(facts)}${page === "" ? "" : ` See ${page}`}`,
    );
  };
}

/** How many items are left out, and the command line that takes in the first of them; empty: none is. */
function leftOutIn(facts: object): string {
  const { success, data } = leftOutSchema.safeParse("leftOut" in facts ? facts.leftOut : undefined);
  if (!success || data.count === 0) return "";
  const command = data.ways.find((way) => way.command !== null)?.command ?? null;
  const key = data.ways[0]?.causes[0]?.keys[0] ?? "";
  return ` ${count(data.count, "item")} left out, the first: ${key}.${command === null ? "" : ` To take in what can be: \`${command}\`.`}`;
}

function textIn(facts: object, name: string): string {
  const value: unknown = Object.entries(facts).find(([key]) => key === name)?.[1];
  return typeof value === "string" ? value : "";
}
