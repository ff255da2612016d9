import { createPause } from "../../../service/pause.js";
import { createRedactor, type Redact } from "../../../service/secret.js";
import type { ExitCode } from "../../../core/errors.js";
import { createFailureBook } from "../../../web/report/failure-book.js";
import type { LiveFacts } from "../../../web/report/live/live-facts.js";
import { createPauseTimes } from "../../../web/report/live/pause-times.js";
import { sparing } from "../../../web/report/live/sparing.js";
import { type LiveView, startLiveView } from "../../../web/report/live/start-live-view.js";
import { reportBodyHtml } from "../../../web/report/pages/report-body.js";
import type { RunCourse } from "../../../web/report/run-watch.js";
import { createSaidBook } from "../../../web/report/said-book.js";
import type { WrittenReport } from "../../../web/report/write-report.js";
import type { Workspace } from "../../../storage/workspace/workspace.js";
import type { CommandCall } from "../../command.js";
import { meaningOf } from "../../exit-codes.js";
import { readSecrets } from "../../options/credentials.js";
import { describeLimits } from "../../output/judge-limits.js";
import { createLimitsWatch } from "../../output/limits-watch.js";
import type { RunSites } from "../choices.js";
import { listenToWork } from "./listen-to-work.js";
import { tellPause } from "./tell-pause.js";

/** A run that somebody may look at while it is on. */
export interface ShownRun {
  /** To be used in place of those that were given. */
  readonly call: CommandCall;
  readonly workspace: Workspace;
  /** Tells who looks how it ended, and closes the page. `exitCode` null: that is not known. */
  close(exitCode: ExitCode | null, report: WrittenReport | undefined): Promise<void>;
}

/** A run that is to be shown. */
export interface RunToShow {
  readonly call: CommandCall;
  readonly workspace: Workspace;
  readonly run: { readonly id: string; readonly command: string };
  readonly sites: RunSites;
  /** What was seen of it so far. */
  readonly course: () => RunCourse;
}

/** Shows a run on a page of this machine. Where that can't be, a warning says so, and the run goes on without. */
export async function showRun({ call, workspace, run, sites, course }: RunToShow): Promise<ShownRun> {
  const { output, settings } = call;
  const pause = createPause();
  const pauses = createPauseTimes(pause);
  const [failures, said, limits] = [createFailureBook(), createSaidBook(), createLimitsWatch()];
  const redacts: Redact[] = [createRedactor(readSecrets(call.environment, null)).redact];
  const redact: Redact = (text) => redacts.reduce((safe, each) => each(safe), text);
  const started = new Date().toISOString();
  const losses = sparing(workspace.lossCounts);
  const facts = (): LiveFacts => {
    const known = limits.limits();
    return {
      ...course(),
      run: { ...run, started },
      source: workspace.source() ?? siteAt(sites.source),
      target: siteAt(sites.target),
      now: Date.now(),
      limits: known === null ? null : describeLimits(known),
      isPaused: pause.isPaused,
      paused: pauses.within,
      failures,
      losses: losses(),
      said,
    };
  };
  const view = await viewOf(call, () =>
    startLiveView({ facts, pause, port: settings.port, tell: (problem) => output.warn(`The live view: ${problem}`) }),
  );
  if (view === undefined) return { call, workspace, close: async () => undefined };
  call.hide(createRedactor([view.token]).redact);
  const forget = tellPause({ pause, pauses, output, file: () => workspace.reportFile("paused") });
  // What is under way is finished before a stop, which can't be while nothing goes out.
  call.stop.addEventListener("abort", pause.end, { once: true });
  const heard = listenToWork({ call, workspace }, { failures, said, limits, redact });
  return {
    workspace: heard.workspace,
    call: {
      ...heard.call,
      pause,
      hide: (more) => {
        redacts.push(more);
        call.hide(more);
      },
    },
    close: async (exitCode, report) => {
      call.stop.removeEventListener("abort", pause.end);
      pause.end();
      forget();
      pauses.close();
      const words = endWords(exitCode, report);
      const html = report === undefined ? {} : { html: reportBodyHtml(report.report) };
      await view.close({ words, ...html }).catch((error: unknown) => output.warn(`The live view: ${String(error)}`));
    },
  };
}

/** The address is told once, before it is taken out of everything that is printed. */
async function viewOf(
  { output, settings }: CommandCall,
  start: () => Promise<LiveView>,
): Promise<LiveView | undefined> {
  try {
    const view = await start();
    output.event("ui", { url: view.url });
    // Who wants the page needs its address, however quiet the rest is.
    if (settings.quiet) output.warn(`The run can be seen at ${view.url}`);
    else output.say(`The run can be seen, and paused, at ${view.url}`);
    return view;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    output.warn(`${reason} The run goes on without its page.`);
    return undefined;
  }
}

function siteAt(root: string | undefined): LiveFacts["source"] {
  if (root === undefined) return null;
  return { name: URL.canParse(root) && new URL(root).host !== "" ? new URL(root).host : root, root };
}

function endWords(exitCode: ExitCode | null, report: WrittenReport | undefined): string {
  const how =
    exitCode === null ? "The run is over." : `The run is over with exit code ${exitCode}: ${meaningOf(exitCode)}.`;
  return report === undefined ? how : `${how} Its report: ${report.html}`;
}
