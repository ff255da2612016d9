import type { JSX } from "hono/jsx/jsx-runtime";
import { Foreign, ForeignLines } from "../../pages/foreign.js";
import { numberWords } from "../../pages/numbers.js";
import type { RunReport } from "../run-report.js";
import type { Stopped } from "../stopped.js";
import { DanglingTable } from "./dangling-table.js";
import { durationWords } from "./duration-words.js";
import { FailureList } from "./failure-list.js";
import { KindTable, kindTotals } from "./kind-table.js";
import { LossList } from "./loss-list.js";
import { Part } from "./part.js";
import { RateCharts } from "./rate-charts.js";
import { RunHead } from "./run-head.js";
import { StageTable } from "./stage-table.js";
import { requestTotals, Totals } from "./totals.js";
import { Unread } from "./unread.js";

/** Longer than what any run says at its end. */
const LONGEST = 20_000;

/** All of a report but the list of addresses. */
export function ReportBody({ report }: { readonly report: RunReport }): JSX.Element {
  const { run, source, target, words, stages, timeline, kinds, failures, losses, dangling, notSent, unread } = report;
  const time = durationWords(Date.parse(run.ended ?? run.active) - Date.parse(run.started));
  const failed = { name: "Failures", value: failures.count, isBad: failures.count > 0 };
  const lost = losses.reduce((sum, { count }) => sum + count, 0);
  return (
    <>
      <RunHead run={run} source={source} target={target} time={time}>
        <Verdict run={run} />
        {run.stopped !== null && <WhyStopped stopped={run.stopped} />}
      </RunHead>
      {unread.length > 0 && <Unread unread={unread} />}
      <Totals totals={[...kindTotals(report), failed, ...requestTotals(timeline)]} />
      {kinds.length > 0 && (
        <Part id="kinds" title="What went where">
          <KindTable report={report} />
        </Part>
      )}
      <Part id="failures" title={`Failures (${numberWords(failures.count)})`}>
        <FailureList failures={failures} />
      </Part>
      <Part id="requests" title="Requests">
        <RateCharts timeline={timeline} />
      </Part>
      {stages.length > 0 && (
        <Part id="stages" title="Time of each stage">
          <StageTable stages={stages} timeline={timeline} />
        </Part>
      )}
      {notSent.count > 0 && (
        <Part
          id="not-sent"
          title={`${run.command === "undo" ? "Left as it is" : "Not sent"} (${numberWords(notSent.count)})`}
        >
          <FailureList failures={notSent} isBad={false} />
        </Part>
      )}
      {target !== null && (
        <Part id="losses" title={`Losses and notes (${numberWords(lost)})`}>
          <LossList losses={losses} />
        </Part>
      )}
      {dangling.count > 0 && (
        <Part id="dangling" title={`References without a goal (${numberWords(dangling.count)})`}>
          <DanglingTable dangling={dangling} />
        </Part>
      )}
      {words.length > 0 && (
        <Part id="words" title="In words">
          <details class="card">
            <summary>What the run said at its end</summary>
            <pre class="words">
              <ForeignLines text={words.join("\n")} longest={LONGEST} />
            </pre>
          </details>
        </Part>
      )}
    </>
  );
}

function Verdict({ run }: Pick<RunReport, "run">): JSX.Element {
  const isGood = run.exitCode === 0;
  return (
    <p class={run.ended === null ? "verdict" : isGood ? "verdict good" : "verdict bad"}>
      {run.exitCode === null ? "" : `${isGood ? "✓" : "✗"} Exit code ${run.exitCode}: `}
      <Foreign text={run.meaning} />
    </p>
  );
}

function WhyStopped({ stopped: { words, goOn } }: { readonly stopped: Stopped }): JSX.Element {
  return (
    <section class="card bad-edge" aria-labelledby="stopped-title">
      <h2 id="stopped-title">Why it stopped</h2>
      <pre class="words">
        <ForeignLines text={words} longest={LONGEST} />
      </pre>
      {goOn !== null && (
        <p>
          <strong>To go on:</strong>{" "}
          <code>
            <Foreign text={goOn} />
          </code>
        </p>
      )}
    </section>
  );
}

/** The same as text. */
export function reportBodyHtml(report: RunReport): string {
  return String(<ReportBody report={report} />);
}
