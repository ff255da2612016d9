import { EXIT, type ExitCode } from "../../core/errors.js";
import type { Leftover } from "../../service/check/site-facts.js";
import { type CheckLine, type CheckState, howToDelete, leftoverText } from "../../sync/site-check/check-line.js";
import { checkLinesOf, checkSite, exitCodeOf } from "../../sync/site-check/check-site.js";
import type { CommandCall } from "../command.js";
import { readSite } from "../location.js";
import type { Output } from "../output/output.js";
import { count } from "../output/words.js";
import { sideOf, siteOf, talkOf } from "../session/sites.js";

/** Checks one site, or both sites of the configuration. */
export async function runChecks(call: CommandCall): Promise<ExitCode> {
  const { arguments: sites, sides } = call;
  if (sides === undefined || sites.length < 2) return runCheck(call);
  let exitCode: ExitCode = EXIT.ok;
  for (const [at, side] of sides.entries()) {
    const site = sites[at] ?? "";
    call.output.say(`${at === 0 ? "" : "\n"}${site} (${side})`);
    const ended = await runCheck({ ...call, arguments: [site], sides: [side] });
    if (exitCode === EXIT.ok) exitCode = ended;
  }
  return exitCode;
}

export async function runCheck(call: CommandCall): Promise<ExitCode> {
  const { output, stop, abort, settings } = call;
  const root = readSite(call.arguments[0] ?? "", settings.insecureHttp);
  const side = sideOf(call);
  const site = siteOf(call, side, root);
  const { rateAt } = await import("../compose-stack.js");
  const { connectCheck } = await import("../compose-tools.js");
  const talk = talkOf({ call, workspace: null, previous: null }, side);
  const { ask, close, redact } = connectCheck(site, talk);
  call.hide(redact);
  const onLeft = (left: Leftover): void =>
    output.warn(`The probe left ${leftoverText(left)}. ${howToDelete(left, root)}`);
  try {
    const { probeWrite } = settings;
    const { credentials, variables } = site;
    const facts = await checkSite(
      { ask, root, rate: rateAt(root, talk.rate), signedIn: credentials.kind !== "none", variables },
      { probeWrite, now: new Date(), stop, abort, onLeft },
    );
    const lines = checkLinesOf(facts);
    const exitCode = exitCodeOf(lines);
    printCheck(root, lines, stop.aborted ? null : exitCode, output);
    stop.throwIfAborted();
    return exitCode;
  } finally {
    await close();
  }
}

const STATES: readonly CheckState[] = ["ok", "warning", "failed", "unknown"];

/** Prints the checks with their remedies and the totals. `exitCode` null: it was stopped. */
function printCheck(root: string, lines: readonly CheckLine[], exitCode: ExitCode | null, output: Output): void {
  output.table(
    ["STATE", "CHECK", "RESULT"],
    // The remedy is below its answer: next to the longest answer nobody would find it.
    lines.flatMap(({ state, question, what, todo }) => [
      [state, question, what],
      ...(todo === "" ? [] : [["", "", todo]]),
    ]),
  );
  for (const { state, question, what, todo } of lines) output.event("check", { question, state, what, todo });
  const counts = Object.fromEntries(STATES.map((one) => [one, lines.filter(({ state }) => state === one).length]));
  if (exitCode !== null) output.event("summary", { exitCode, site: root, ...counts });
  output.say(`${count(lines.length, "check")}: ${STATES.map((state) => `${counts[state]} ${state}`).join(", ")}.`);
}
