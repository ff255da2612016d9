import type { ExitCode } from "../../core/errors.js";
import type { CheckLine, CheckState } from "../../sync/site-check/check-line.js";
import type { Output } from "./output.js";
import { count } from "./words.js";

const STATES: readonly CheckState[] = ["ok", "warning", "failed", "unknown"];

/** A line a question for a person, with what to do below it, an object a question for a program, and how many came to what. `exitCode` null: it was stopped before its end. */
export function printCheck(root: string, lines: readonly CheckLine[], exitCode: ExitCode | null, output: Output): void {
  output.table(
    ["STATE", "QUESTION", "ANSWER"],
    // Answers may be long: what to do stands below, since beside the longest nobody would find it.
    lines.flatMap(({ state, question, what, todo }) => [
      [state, question, what],
      ...(todo === "" ? [] : [["", "", todo]]),
    ]),
  );
  for (const { state, question, what, todo } of lines) output.event("check", { question, state, what, todo });
  const counts = Object.fromEntries(STATES.map((one) => [one, lines.filter(({ state }) => state === one).length]));
  if (exitCode !== null) output.event("summary", { exitCode, site: root, ...counts });
  output.say(`${count(lines.length, "question")}: ${STATES.map((state) => `${counts[state]} ${state}`).join(", ")}.`);
}
