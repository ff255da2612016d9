import { rmSync, writeFileSync } from "node:fs";
import type { ExitCode } from "../../core/errors.js";
import { messageOf } from "../../core/errors.js";
import { createPause, type PauseState } from "../../service/http/pause.js";
import { createRedactor, type Redact } from "../../service/http/secret.js";
import type { Workspace } from "../../storage/workspace/workspace.js";
import { durationWords } from "../../web/components/words.js";
import { createPauseTimes, type PauseTimes, type RunCourse } from "../../web/report/course.js";
import {
  createFailureTally,
  createRunMessages,
  type FailureTally,
  type RunMessages,
} from "../../web/report/failures.js";
import type { LiveFacts } from "../../web/report/live-view.js";
import { type LiveView, sparing, startLiveView } from "../../web/report/live-view.js";
import { reportBodyHtml } from "../../web/report/report-page.js";
import type { WrittenReport } from "../../web/report/write-report.js";
import type { CommandCall } from "../command.js";
import { meaningOf } from "../exit-codes.js";
import { readSecrets } from "../options/settings.js";
import type { Output } from "../output/output.js";
import { createLimitsWatch, describeLimits, type LimitsWatch } from "../output/pace.js";
import type { RunSites } from "./choices.js";

/** A run that the live view shows. */
export interface ShownRun {
  readonly call: CommandCall;
  readonly workspace: Workspace;
  /** Shows how the run ended, and closes the page. `exitCode` null: unknown. */
  close(exitCode: ExitCode | null, report: WrittenReport | undefined): Promise<void>;
}

export interface RunToShow {
  readonly call: CommandCall;
  readonly workspace: Workspace;
  readonly run: { readonly id: string; readonly command: string };
  readonly sites: RunSites;
  readonly course: () => RunCourse;
}

/** Shows a run on a local page. If that fails, a warning says so and the run continues. */
export async function showRun({ call, workspace, run, sites, course }: RunToShow): Promise<ShownRun> {
  const { output, settings } = call;
  const pause = createPause();
  const pauses = createPauseTimes(pause);
  const [failures, messages, limits] = [createFailureTally(), createRunMessages(), createLimitsWatch()];
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
      messages: messages,
    };
  };
  const view = await viewOf(call, () =>
    startLiveView({ facts, pause, port: settings.port, report: (problem) => output.warn(`Live page: ${problem}`) }),
  );
  if (view === undefined) return { call, workspace, close: async () => undefined };
  call.hide(createRedactor([view.token]).redact);
  const forget = reportPauses({ pause, pauses, output, file: () => workspace.reportFile("paused") });
  // A stop waits for running requests, which a pause would hold.
  call.stop.addEventListener("abort", pause.end, { once: true });
  const heard = listenToWork({ call, workspace }, { failures, messages, limits, redact });
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
      await view.close({ words, ...html }).catch((error: unknown) => output.warn(`Live page: ${String(error)}`));
    },
  };
}

/** The address is printed once; later output hides its token. */
async function viewOf(
  { output, settings }: CommandCall,
  start: () => Promise<LiveView>,
): Promise<LiveView | undefined> {
  try {
    const view = await start();
    output.event("ui", { url: view.url });
    // The page needs its address, also with --quiet.
    if (settings.quiet) output.warn(`Live page: ${view.url}`);
    else output.say(`Live page, where you can pause the run: ${view.url}`);
    return view;
  } catch (error) {
    const reason = messageOf(error);
    output.warn(`${reason} The run continues without its live page.`);
    return undefined;
  }
}

function siteAt(root: string | undefined): LiveFacts["source"] {
  if (root === undefined) return null;
  return { name: URL.canParse(root) && new URL(root).host !== "" ? new URL(root).host : root, root };
}

function endWords(exitCode: ExitCode | null, report: WrittenReport | undefined): string {
  const how =
    exitCode === null ? "The run has ended." : `The run has ended with exit code ${exitCode}: ${meaningOf(exitCode)}.`;
  return report === undefined ? how : `${how} HTML report: ${report.html}`;
}

interface Work {
  readonly call: CommandCall;
  readonly workspace: Workspace;
}

interface RunRecords {
  readonly failures: FailureTally;
  readonly messages: RunMessages;
  readonly limits: LimitsWatch;
  readonly redact: Redact;
}

/** The same, with a copy of failures, warnings and notes in memory, without secrets. */
function listenToWork({ call, workspace }: Work, { failures, messages, limits, redact }: RunRecords): Work {
  const { output } = call;
  const kept = workspace.failures;
  const hear = (level: "warning" | "note", text: string): void =>
    messages.note({ at: Date.now(), level, text: redact(text) });
  return {
    call: {
      ...call,
      output: {
        ...output,
        warn: (text) => {
          hear("warning", text);
          output.warn(text);
        },
        note: (text) => {
          hear("note", text);
          output.note(text);
        },
        watch: (look) => {
          limits.watch(look);
          output.watch(look);
        },
      },
    },
    workspace: {
      ...workspace,
      failures: {
        list: kept.list,
        add: (stage, key, reason, remedy) => {
          failures.add({ stage, key, target: null, reason: redact(reason), remedy: redact(remedy) });
          kept.add(stage, key, reason, remedy);
        },
        clear: (stage, key) => {
          failures.clear({ stage, key, target: null });
          kept.clear(stage, key);
        },
      },
    },
  };
}

interface ReportedPause {
  readonly pause: PauseState;
  readonly pauses: PauseTimes;
  readonly output: Output;
  readonly file: () => string;
}

/** Reports pauses on the terminal and in a file of the run. Returns the end of it. */
function reportPauses({ pause, pauses, output, file }: ReportedPause): () => void {
  let from: number | null = null;
  const mark = (isPaused: boolean): void => {
    try {
      if (isPaused) writeFileSync(file(), `${new Date().toISOString()}\n`, { mode: 0o600 });
      else rmSync(file(), { force: true });
    } catch (error) {
      // The run continues: only `status` does not see its pause.
      output.warn(`\`guideferry status\` cannot see whether this run is paused: ${String(error)}`);
    }
  };
  return pause.onChange(() => {
    mark(pause.isPaused);
    if (pause.isPaused) {
      from = Date.now();
      output.note(
        "Paused in the live page: no new request is sent until you resume it there. Work without requests continues. Ctrl-C ends the run.",
      );
    } else {
      output.note(`Resumed after ${durationWords(pauses.within(from ?? 0, Date.now()))}.`);
    }
  });
}
