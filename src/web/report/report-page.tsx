import type { JSX } from "hono/jsx/jsx-runtime";
import { EXIT, messageOf } from "../../core/errors.js";
import type { MovedThing } from "../../sync/map/moved-things.js";
import { Table } from "../components/elements.js";
import { wholePage } from "../components/page-frame.js";
import { plainWords, UntrustedLines, UntrustedText } from "../components/untrusted-text.js";
import { countWords, durationWords, numberWords, sizeWords } from "../components/words.js";
import { type KindColumn, kindColumns, totalOf } from "./counts.js";
import { pausedByHand, type Timeline } from "./course.js";
import { DanglingTable, FailureList, LossList, Unread } from "./outcome-lists.js";
import { RateCharts } from "./rate-charts.js";
import { noSource, Part, RunHead, requestTotals, type Total, Totals } from "./run-head.js";
import type { RunReport, Stopped } from "./run-report.js";
import type { StageTime } from "./stages.js";

/** No text can contain it, since each `<` is escaped. */
const ROWS = '<tbody class="rows-come-here"></tbody>';

/**
 * A self-contained page in pieces: loads nothing, runs nothing, and its memory does not grow with
 * the number of items.
 */
export function* reportHtml(report: RunReport, moved: Iterable<MovedThing>): Generator<string> {
  const { before, after } = wholePage(titleOf(report));
  const main = String(<Main report={report} />);
  yield before;
  const at = main.indexOf(ROWS);
  if (at < 0) yield main;
  else {
    yield `${main.slice(0, at)}<tbody>`;
    yield* rowsOf(moved);
    yield `</tbody>${main.slice(at + ROWS.length)}`;
  }
  yield after;
}

function Main({ report }: { readonly report: RunReport }) {
  return (
    <>
      <ReportBody report={report} />
      {report.moved > 0 && <Moved count={report.moved} />}
      <footer class="muted">
        Created by {report.madeBy} at {report.madeAt}. `guideferry report` creates this page again.
      </footer>
    </>
  );
}

/** A damaged ledger ends the list early; the page keeps the rest. */
function* rowsOf(moved: Iterable<MovedThing>): Generator<string> {
  try {
    for (const thing of moved) yield `${String(<MovedRow {...thing} />)}\n`;
  } catch (error) {
    yield String(<UnreadRow reason={messageOf(error)} />);
  }
}

function UnreadRow({ reason }: { readonly reason: string }) {
  return (
    <tr>
      <td colspan={3}>
        <strong class="bad">The rest of this list can't be read:</strong> <UntrustedText text={reason} />
      </td>
    </tr>
  );
}

function titleOf({ run, source, target }: RunReport): string {
  return `${run.command}: ${source?.name ?? noSource(run.command)}${target === null ? "" : ` to ${target.name}`}`;
}

function Moved({ count }: { readonly count: number }) {
  return (
    <section id="addresses" aria-labelledby="addresses-title">
      <h2 id="addresses-title">Old and new addresses ({numberWords(count)})</h2>
      <details class="card">
        <summary>Show addresses</summary>
        <section class="wide" tabindex={0} aria-label="Old and new addresses">
          <table class="table">
            <thead>
              <tr>
                <th scope="col">Item</th>
                <th scope="col">Old address</th>
                <th scope="col">New address</th>
              </tr>
            </thead>
            <tbody class="rows-come-here" />
          </table>
        </section>
      </details>
    </section>
  );
}

function MovedRow({ kind, key, title, oldAddress, newAddress, adopted }: MovedThing): JSX.Element {
  const name = title === "" ? key : title;
  return (
    <tr>
      <th scope="row">
        <UntrustedText text={name} /> <span class="muted">{kind}</span>
        {adopted && <span class="chip">linked</span>}
      </th>
      <td>{oldAddress === null ? <span class="muted">documents</span> : <Address address={oldAddress} of={name} />}</td>
      <td>
        <Address address={newAddress} of={name} />
      </td>
    </tr>
  );
}

/** Only web addresses become links. */
function Address({ address, of }: { readonly address: string; readonly of: string }): JSX.Element {
  if (!/^https?:\/\//i.test(address)) return <UntrustedText text={address} />;
  return (
    <a href={address} rel="noreferrer noopener" title={plainWords(of)}>
      <UntrustedText text={address} />
    </a>
  );
}

/** Characters of a text at the end of a run. */
const LONGEST = 20_000;

interface ReportBodyProps {
  readonly report: RunReport;
}

function ReportBody({ report }: ReportBodyProps): JSX.Element {
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
        <Part id="kinds" title="Items by kind">
          <KindTable report={report} />
        </Part>
      )}
      {leftOut.count > 0 && (
        <Part id="left-out" title={`Items left out (${numberWords(leftOut.count)})`}>
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
        <Part id="stages" title="Stages">
          <StageTable stages={stages} timeline={timeline} />
        </Part>
      )}
      {notSent.count > 0 && (
        <Part
          id="not-sent"
          title={`${run.command === "undo" ? "Items kept" : "Items not sent"} (${numberWords(notSent.count)})`}
        >
          <FailureList failures={notSent} weight="plain" />
        </Part>
      )}
      {linked.count > 0 && (
        <Part id="linked" title={`Items linked to existing ones (${numberWords(linked.count)})`}>
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
        <Part id="dangling" title={`Broken links (${numberWords(dangling.count)})`}>
          <DanglingTable dangling={dangling} />
        </Part>
      )}
      {words.length > 0 && (
        <Part id="words" title="Summary">
          <details class="card">
            <summary>Show the output at the end of the run</summary>
            <pre class="words">
              <UntrustedLines text={words.join("\n")} longest={LONGEST} />
            </pre>
          </details>
        </Part>
      )}
    </>
  );
}

/** Partial: the run finished and left out items that an option includes. */
function Verdict({ report: { run, failures } }: ReportBodyProps): JSX.Element {
  const isGood = run.exitCode === EXIT.ok;
  const isPartial = run.exitCode === EXIT.someFailed && failures.count === 0;
  const [sign, colour] = isGood ? ["✓", "good"] : isPartial ? ["!", "warn"] : ["✗", "bad"];
  return (
    <p class={run.ended === null ? "verdict" : `verdict ${colour}`}>
      {run.exitCode === null ? "" : `${sign} Exit code ${run.exitCode}: `}
      <UntrustedText text={run.meaning.replaceAll("`", "")} />
    </p>
  );
}

/** Grouped by the options that include them. */
function LeftOutList({ leftOut: { ways } }: Pick<RunReport, "leftOut">): JSX.Element {
  return (
    <div class="stack">
      {ways.map((way) => (
        <>
          {way.command !== null && (
            <p>
              <strong>To include {countWords(way.count, "item")}:</strong>{" "}
              <code>
                <UntrustedText text={way.command} />
              </code>
            </p>
          )}
          <FailureList failures={way} weight="warn" />
        </>
      ))}
    </div>
  );
}

/** Items that existed on the target before the first run, see `--on-existing adopt`. */
function LinkedTable({ linked: { count, first } }: Pick<RunReport, "linked">): JSX.Element {
  return (
    <details class="card">
      <summary>Show items</summary>
      {count > first.length && (
        <p class="muted">
          First {numberWords(first.length)} of {countWords(count, "item")}.
        </p>
      )}
      <Table
        label="Items linked to existing ones"
        head={["Item", "Item on the target"]}
        rows={first.map(({ key, title, at }) => [
          <>
            <UntrustedText text={title} />{" "}
            <code>
              <UntrustedText text={key} />
            </code>
          </>,
          <UntrustedText text={at} />,
        ])}
      />
    </details>
  );
}

function WhyStopped({ stopped: { words, goOn } }: { readonly stopped: Stopped }): JSX.Element {
  return (
    <section class="card bad-edge" aria-labelledby="stopped-title">
      <h2 id="stopped-title">Why the run stopped</h2>
      <pre class="words">
        <UntrustedLines text={words} longest={LONGEST} />
      </pre>
      {goOn !== null && (
        <p>
          <strong>To continue:</strong>{" "}
          <code>
            <UntrustedText text={goOn} />
          </code>
        </p>
      )}
    </section>
  );
}

export function reportBodyHtml(report: RunReport): string {
  return String(<ReportBody report={report} />);
}

interface KindTableProps {
  readonly report: Pick<RunReport, "kinds" | "run" | "source" | "target">;
}

function KindTable({ report }: KindTableProps): JSX.Element {
  const columns = kindColumns(report);
  return (
    <Table
      label="Items by kind"
      head={["Kind", ...columns.map(nameOf)]}
      rows={report.kinds.map((row) => [row.kind, ...columns.map(({ of }) => cellOf(of, row[of]))])}
      numbers={columns.map((_column, at) => at + 1)}
    />
  );
}

/** Totals over all kinds, without failures. */
function kindTotals(report: KindTableProps["report"]): readonly Total[] {
  return kindColumns(report)
    .filter(({ of }) => of !== "failed")
    .map((column) => ({
      name: nameOf(column),
      value: totalOf(report.kinds, column.of),
      isWarning: column.of === "leftOut",
    }));
}

function nameOf({ name }: KindColumn): string {
  return `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;
}

function cellOf(of: KindColumn["of"], value: number): JSX.Element | string {
  if (value === 0) return "0";
  if (of === "leftOut") return <strong class="warn">{numberWords(value)}</strong>;
  return of === "failed" ? <strong class="bad">{numberWords(value)}</strong> : numberWords(value);
}

const WIDTH = 240;
const HEIGHT = 12;

interface StageTableProps {
  readonly stages: readonly StageTime[];
  /** null: pauses are unknown. */
  readonly timeline: Timeline | null;
}

/** The time and results of each stage; repetitions share a row. */
export function StageTable({ stages, timeline }: StageTableProps): JSX.Element {
  const all = stages.map((stage) => ({ ...stage, times: [...stage.earlier, stage] }));
  const from = Math.min(...all.flatMap(({ times }) => times.map(({ started }) => started)));
  const until = Math.max(...stages.map(({ ended }) => ended));
  const rows = all.map(({ stage, times, total, bytes }) => {
    const sum = (of: (time: StageTime["earlier"][number]) => number): number =>
      times.reduce((whole, time) => whole + of(time), 0);
    const [done, failed] = [sum((time) => time.done), sum((time) => time.failed)];
    const paused = timeline === null ? 0 : sum(({ started, ended }) => pausedByHand(timeline, started, ended));
    return [
      times.length === 1 ? stage : `${stage} (${times.length} times)`,
      <Time taken={sum(({ started, ended }) => ended - started)} paused={paused} />,
      total === null || total === done || times.length > 1
        ? numberWords(done)
        : `${numberWords(done)} of ${numberWords(total)}`,
      failed === 0 ? "0" : <strong class="bad">{numberWords(failed)}</strong>,
      bytes === null ? "" : sizeWords(bytes),
      <Spans times={times} from={from} length={Math.max(1, until - from)} />,
    ];
  });
  return (
    <Table
      label="Stages"
      head={["Stage", "Duration", "Done", "Failed", "Data", "Timeline"]}
      rows={rows}
      numbers={[1, 2, 3, 4]}
    />
  );
}

/** Milliseconds; the chart shows shorter pauses. */
const WORTH_TELLING = 1000;

function Time({ taken, paused }: { readonly taken: number; readonly paused: number }): JSX.Element {
  return (
    <>
      {durationWords(taken)}
      {paused >= WORTH_TELLING && <span class="muted"> ({durationWords(paused)} paused manually)</span>}
    </>
  );
}

interface SpansProps {
  readonly times: StageTime["earlier"];
  readonly from: number;
  readonly length: number;
}

function Spans({ times, from, length }: SpansProps): JSX.Element {
  return (
    <svg class="span" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      {times.map(({ started, ended }) => (
        <rect
          class="chart-bars"
          x={Math.round(((started - from) / length) * WIDTH)}
          y="2"
          height={HEIGHT - 4}
          width={Math.max(2, Math.round(((ended - started) / length) * WIDTH))}
          rx="2"
        />
      ))}
    </svg>
  );
}
