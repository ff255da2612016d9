import type { Leftover } from "../../service/check/site-facts.js";
import type { ExitCode } from "../../core/errors.js";
import { checkSite } from "../../sync/site-check/check-site.js";
import { howToDelete, leftoverText } from "../../sync/site-check/judge-content.js";
import { exitCodeOf, judgeSite } from "../../sync/site-check/judge-site.js";
import type { CommandCall } from "../command.js";
import { readSite } from "../location.js";
import { printCheck } from "../output/print-check.js";
import { sideOf } from "./side-of.js";
import { siteOf, talkOf } from "./sites.js";

/** Checks one site and prints a line a question. */
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
    const lines = judgeSite(facts);
    const exitCode = exitCodeOf(lines);
    printCheck(root, lines, stop.aborted ? null : exitCode, output);
    stop.throwIfAborted();
    return exitCode;
  } finally {
    await close();
  }
}
