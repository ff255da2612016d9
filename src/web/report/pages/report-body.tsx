import type { JSX } from "hono/jsx/jsx-runtime";
import { EXIT } from "../../../core/errors.js";
import { Foreign, ForeignLines } from "../../components/foreign.js";
import { countWords, numberWords } from "../../components/numbers.js";
import { Table } from "../../components/table.js";
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

interface ReportBodyProps {
  readonly report: RunReport;
}

/** All of a report but the list of addresses. */
export function ReportBody({ report }: ReportBodyProps): JSX.Element {
  const { run, source, target, words, stages, timeline, kinds, failures, losses, dangling, notSent, unread } = report;
  const { leftOut, linked, unsupported } = report;
  const time = durationWords(Date.parse(run.ended ?? run.active) - Date.parse(run.started));
  const failed = { name: "Failures", value: failures.count, isBad: failures.count > 0 };
  const lost = losses.reduce((sum, { level, count }) => sum + (level === "note" ? 0 : count), 0);
  const notes = losses.reduce((sum, { level, count }) => sum + (level === "note" ? count : 0), 0);
  return (
    <>
      <RunHead run={run} source={source} target={target} time={time}>
        <Verdict report={report} />
        {run.stopped !== null && <WhyStopped stopped={run.stopped} />}
      </RunHead>
      {unread.length > 0 && <Unread unread={unread} />}
      <Totals totals={[...kindTotals(report), failed, ...requestTotals(timeline)]} />
      {kinds.length > 0 && (
        <Part id="kinds" title="What went where">
          <KindTable report={report} />
        </Part>
      )}
      {leftOut.count > 0 && (
        <Part id="left-out" title={`Left out, and could be there (${numberWords(leftOut.count)})`}>
          <LeftOutList leftOut={leftOut} />
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
          <FailureList failures={notSent} weight="plain" />
        </Part>
      )}
      {linked.count > 0 && (
        <Part id="linked" title={`Linked to what stood there before (${numberWords(linked.count)})`}>
          <LinkedTable linked={linked} />
        </Part>
      )}
      {unsupported.count > 0 && (
        <Part id="unsupported" title={`Items not supported by the service (${numberWords(unsupported.count)})`}>
          <FailureList failures={unsupported} weight="plain" />
        </Part>
      )}
      {target !== null && (
        <Part
          id="losses"
          title={`Values not supported by the service (${numberWords(lost)}), and notes (${numberWords(notes)})`}
        >
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

/** Finished, and not all that could be there is. */
function Verdict({ report: { run, failures } }: ReportBodyProps): JSX.Element {
  const isGood = run.exitCode === EXIT.ok;
  const isPartial = run.exitCode === EXIT.someFailed && failures.count === 0;
  const [sign, colour] = isGood ? ["✓", "good"] : isPartial ? ["!", "warn"] : ["✗", "bad"];
  return (
    <p class={run.ended === null ? "verdict" : `verdict ${colour}`}>
      {run.exitCode === null ? "" : `${sign} Exit code ${run.exitCode}: `}
      <Foreign text={run.meaning} />
    </p>
  );
}

/** By what takes it in. */
function LeftOutList({ leftOut: { ways } }: Pick<RunReport, "leftOut">): JSX.Element {
  return (
    <div class="stack">
      {ways.map((way) => (
        <>
          {way.command !== null && (
            <p>
              <strong>To take in {countWords(way.count, "item")}:</strong>{" "}
              <code>
                <Foreign text={way.command} />
              </code>
            </p>
          )}
          <FailureList failures={way} weight="warn" />
        </>
      ))}
    </div>
  );
}

/** Items that are there as somebody else has them. */
function LinkedTable({ linked: { count, first } }: Pick<RunReport, "linked">): JSX.Element {
  return (
    <details class="card">
      <summary>Which</summary>
      {count > first.length && <p class="muted">The first {numberWords(first.length)} of them.</p>}
      <Table
        label="Linked to what stood there before"
        head={["Item", "At the target"]}
        rows={first.map(({ key, title, at }) => [
          <>
            <Foreign text={title} />{" "}
            <code>
              <Foreign text={key} />
            </code>
          </>,
          <Foreign text={at} />,
        ])}
      />
    </details>
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
