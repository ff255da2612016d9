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
  /** Tells who looks how it ended, and closes the page. `exitCode` null: that is not known. */
  close(exitCode: ExitCode | null, report: WrittenReport | undefined): Promise<void>;
}

export interface RunToShow {
  readonly call: CommandCall;
  readonly workspace: Workspace;
  readonly run: { readonly id: string; readonly command: string };
  readonly sites: RunSites;
  readonly course: () => RunCourse;
}

/**
 * Shows a run on a page of this machine. Where that can't be, a warning says so, and the run goes
 * on without.
 */
export async function showRun({ call, workspace, run, sites, course }: RunToShow): Promise<ShownRun> {
  const { output, settings } = call;
  const pause = createPause();
  const pauses = createPauseTimes(pause);
  const [failures, said, limits] = [createFailureTally(), createRunMessages(), createLimitsWatch()];
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
      messages: said,
    };
  };
  const view = await viewOf(call, () =>
    startLiveView({ facts, pause, port: settings.port, report: (problem) => output.warn(`The live view: ${problem}`) }),
  );
  if (view === undefined) return { call, workspace, close: async () => undefined };
  call.hide(createRedactor([view.token]).redact);
  const forget = reportPauses({ pause, pauses, output, file: () => workspace.reportFile("paused") });
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
    const reason = messageOf(error);
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

interface Work {
  readonly call: CommandCall;
  readonly workspace: Workspace;
}

interface RunRecords {
  readonly failures: FailureTally;
  readonly said: RunMessages;
  readonly limits: LimitsWatch;
  readonly redact: Redact;
}

/** The same, and a copy of failures, warnings and notes is kept in memory, without secrets. */
function listenToWork({ call, workspace }: Work, { failures, said, limits, redact }: RunRecords): Work {
  const { output } = call;
  const kept = workspace.failures;
  const hear = (level: "warning" | "note", text: string): void =>
    said.note({ at: Date.now(), level, text: redact(text) });
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

/**
 * Tells at the terminal, and in a file of the run, when it is paused and when it goes on. The
 * function that it gives ends that.
 */
function reportPauses({ pause, pauses, output, file }: ReportedPause): () => void {
  let from: number | null = null;
  const mark = (isPaused: boolean): void => {
    try {
      if (isPaused) writeFileSync(file(), `${new Date().toISOString()}\n`, { mode: 0o600 });
      else rmSync(file(), { force: true });
    } catch (error) {
      // A run doesn't end since nobody else sees that it is paused.
      output.warn(`\`status\` can't know that this run is paused, or no more: ${String(error)}`);
    }
  };
  return pause.onChange(() => {
    mark(pause.isPaused);
    if (pause.isPaused) {
      from = Date.now();
      output.note(
        "Paused in the live view: no new request goes out until it is resumed there; work that needs none goes on. Ctrl-C ends the run as ever.",
      );
    } else {
      output.note(`Resumed after ${durationWords(pauses.within(from ?? 0, Date.now()))}.`);
    }
  });
}
