import type { Child } from "hono/jsx";
import type { JSX } from "hono/jsx/jsx-runtime";
import { EXIT, messageOf } from "../../core/errors.js";
import { withCommas } from "../../core/util/printable-text.js";
import { Table } from "../components/elements.js";
import { browserScript, wholePage } from "../components/page-frame.js";
import { UntrustedLines, UntrustedText } from "../components/untrusted-text.js";
import { countWords, durationWords, sizeWords } from "../components/words.js";
import { type KindColumn, kindColumns, totalOf } from "./counts.js";
import { pausedByHand, type Timeline } from "./course.js";
import { type Entry, packedEntries, resultOf } from "./entries.js";
import { EntryList, STATIC_ENTRIES } from "./entry-list.js";
import { Command, FailureList, FindAll, LossList, Unread } from "./outcome-lists.js";
import { RateCharts } from "./rate-charts.js";
import { noSource, Part, RunHead, requestTotals, type Total, Totals } from "./run-head.js";
import type { RunReport, Stopped } from "./run-report.js";
import { type StageTime, stageName } from "./stages.js";

/** No text can contain it, since each `<` is escaped. */
const ENTRIES = '<div class="entries-come-here"></div>';

/**
 * A self-contained page in pieces: loads nothing, runs its own script only, and its memory does not
 * grow with the number of entries. A reader without scripts sees the first entries.
 */
export function* reportHtml(report: RunReport, entries: Iterable<Entry>): Generator<string> {
  const { before, after } = wholePage(titleOf(report), browserScript("report/browser/rows.js"));
  const main = String(<Main report={report} />);
  const at = main.indexOf(ENTRIES);
  yield before + main.slice(0, at);
  let trouble: string | null = null;
  const all = readable(entries, (reason) => {
    trouble = reason;
  });
  const first: Entry[] = [];
  for (let next = all.next(); next.done !== true; next = all.next()) {
    first.push(next.value);
    if (first.length === STATIC_ENTRIES) break;
  }
  yield String(<EntryList first={first} count={entryCount(report)} />);
  yield main.slice(at + ENTRIES.length);
  // The data comes last, so that browsers show everything else before they read it.
  yield* packedEntries(inOrder(first, all));
  if (trouble !== null) yield String(<UnreadRest reason={trouble} />);
  yield after;
}

/** A damaged ledger ends the list early; the page keeps the rest. */
function* readable(entries: Iterable<Entry>, note: (reason: string) => void): Generator<Entry, void> {
  try {
    yield* entries;
  } catch (error) {
    note(messageOf(error));
  }
}

function* inOrder(first: Iterable<Entry>, rest: Iterable<Entry>): Generator<Entry> {
  yield* first;
  yield* rest;
}

function UnreadRest({ reason }: { readonly reason: string }): JSX.Element {
  return (
    <p>
      <strong class="bad">The rest of the list of all entries cannot be read:</strong> <UntrustedText text={reason} />
    </p>
  );
}

function Main({ report }: { readonly report: RunReport }) {
  return (
    <>
      <Result report={report} />
      <LeftOut report={report} />
      <Part id="failures" title={`Failures (${withCommas(report.failures.count)})`}>
        <FailureList failures={report.failures} titles={report.titles} find="result:failed" />
      </Part>
      <Losses report={report} />
      <OtherItems report={report} />
      <div class="entries-come-here" />
      <Course report={report} />
      <footer class="muted">
        Created by {report.madeBy} at {report.madeAt}. `guideferry report` creates this page again.
      </footer>
    </>
  );
}

/** The entries that `entriesOf` yields. */
function entryCount({ failures, leftOut, unsupported, notSent, linked, losses, moved }: RunReport): number {
  // An item may have failed in several stages.
  const failed = failures.causes.reduce((sum, { count }) => sum + count, 0);
  const items = failed + leftOut.count + unsupported.count + notSent.count + linked.count;
  return items + moved + losses.reduce((sum, { count }) => sum + count, 0);
}

function titleOf({ run, source, target }: RunReport): string {
  return `${run.command}: ${source?.name ?? noSource(run.command)}${target === null ? "" : ` to ${target.name}`}`;
}

/** Characters of a text at the end of a run. */
const LONGEST = 20_000;

interface ReportBodyProps {
  readonly report: RunReport;
}

/** What the run did, and the command to continue with. */
function Result({ report }: ReportBodyProps): JSX.Element {
  const { run, source, target, timeline, kinds, failures, unread } = report;
  const time = durationWords(Date.parse(run.ended ?? run.active) - Date.parse(run.started));
  const failed = { name: "Failed", value: failures.count, part: "failures", isBad: failures.count > 0 };
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
    </>
  );
}

/** Values by what a person can do about them; the charts come last. */
function Losses({ report: { target, losses } }: ReportBodyProps): JSX.Element | null {
  if (target === null) return null;
  const of = (result: ReturnType<typeof resultOf>) =>
    losses.filter(({ examples: [first] }) => first && resultOf(first.issue) === result);
  const sumOf = (groups: RunReport["losses"]): string => withCommas(groups.reduce((sum, { count }) => sum + count, 0));
  const [toDo, lost, notes] = [of("to-do"), of("lost"), of("note")];
  return (
    <Part id="losses" title={`Values lost (${sumOf([...toDo, ...lost])})`}>
      {toDo.length + lost.length === 0 && <p>No values were lost.</p>}
      <LossPart title={`You can act on these (${sumOf(toDo)})`} groups={toDo} />
      <LossPart title={`Not supported by the service (${sumOf(lost)})`} groups={lost}>
        The service has no call that sets these values. They need no action.
      </LossPart>
      <LossPart title={`Notes (${sumOf(notes)})`} groups={notes}>
        Nothing is lost here.
      </LossPart>
    </Part>
  );
}

interface LossPartProps {
  readonly title: string;
  readonly groups: RunReport["losses"];
  readonly children?: Child;
}

function LossPart({ title, groups, children }: LossPartProps): JSX.Element | null {
  if (groups.length === 0) return null;
  return (
    <>
      <h3 class="part-title">{title}</h3>
      {children !== undefined && <p class="muted">{children}</p>}
      <LossList losses={groups} />
    </>
  );
}

/** Items with an intended outcome, or one that nobody can change. */
function OtherItems({ report: { run, unsupported, notSent, linked, titles } }: ReportBodyProps): JSX.Element {
  const kept = run.command === "undo" ? "Items kept" : "Items not sent";
  return (
    <>
      {unsupported.count > 0 && (
        <Part id="unsupported" title={`Items not supported by the service (${withCommas(unsupported.count)})`}>
          <FailureList failures={unsupported} titles={titles} weight="plain" find="result:unsupported" />
        </Part>
      )}
      {notSent.count > 0 && (
        <Part id="not-sent" title={`${kept} (${withCommas(notSent.count)})`}>
          <FailureList failures={notSent} titles={titles} weight="plain" find="result:not-sent" />
        </Part>
      )}
      {linked.count > 0 && (
        <Part id="linked" title={`Items linked to existing ones (${withCommas(linked.count)})`}>
          <p>
            They existed on the target before. References lead to them, and they do not change.{" "}
            <FindAll filter="result:linked" count={linked.count} />
          </p>
        </Part>
      )}
    </>
  );
}

/** How the run went: requests, stages, output. */
function Course({ report: { stages, timeline, words } }: ReportBodyProps): JSX.Element {
  return (
    <>
      <Part id="requests" title="Requests">
        <RateCharts timeline={timeline} />
      </Part>
      {stages.length > 0 && (
        <Part id="stages" title="Stages">
          <StageTable stages={stages} timeline={timeline} />
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
function Verdict({ report: { run, failures, leftOut } }: ReportBodyProps): JSX.Element {
  const isGood = run.exitCode === EXIT.ok;
  const isPartial = run.exitCode === EXIT.someFailed && failures.count === 0;
  const [sign, colour] = isGood ? ["✓", "good"] : isPartial ? ["!", "warn"] : ["✗", "bad"];
  const open = [
    ...(failures.count === 0 ? [] : [`${countWords(failures.count, "item")} failed`]),
    ...(leftOut.count === 0 ? [] : [`${countWords(leftOut.count, "item")} left out`]),
  ];
  return (
    <p class={run.ended === null ? "verdict" : `verdict ${colour}`}>
      {run.exitCode === null ? "" : `${sign} Exit code ${run.exitCode}: `}
      <UntrustedText text={run.meaning.replaceAll("`", "")} />
      {open.length > 0 && <span class="verdict-open">{open.join(", ")}. This page says what to do.</span>}
    </p>
  );
}

/** Grouped by the options that include them. */
function LeftOut({ report: { leftOut, titles } }: ReportBodyProps): JSX.Element | null {
  if (leftOut.count === 0) return null;
  return (
    <Part id="left-out" title={`Items left out (${withCommas(leftOut.count)})`}>
      <div class="stack">
        {leftOut.ways.map((way) => (
          <>
            {way.command !== null && (
              <p>
                <strong>To include {countWords(way.count, "item")}:</strong> <Command line={way.command} />
              </p>
            )}
            <FailureList failures={way} titles={titles} weight="warn" find="result:left-out" />
          </>
        ))}
      </div>
    </Part>
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
          <strong>To continue:</strong> <Command line={goOn} />
        </p>
      )}
    </section>
  );
}

/** The page without the list of all entries, for the live view. */
export function reportBodyHtml(report: RunReport): string {
  return String(<Main report={report} />).replace(ENTRIES, "");
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

/** Parts of the page with the details of a column. */
const PARTS: Readonly<Partial<Record<KindColumn["of"], string>>> = {
  leftOut: "left-out",
  unsupported: "unsupported",
  notSent: "not-sent",
  linked: "linked",
  losses: "losses",
};

/** Totals over all kinds, without failures. */
function kindTotals(report: KindTableProps["report"]): readonly Total[] {
  return kindColumns(report)
    .filter(({ of }) => of !== "failed")
    .map((column) => ({
      name: nameOf(column),
      value: totalOf(report.kinds, column.of),
      part: PARTS[column.of],
      isWarning: column.of === "leftOut",
    }));
}

function nameOf({ name }: KindColumn): string {
  return `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;
}

function cellOf(of: KindColumn["of"], value: number): JSX.Element | string {
  if (value === 0) return "0";
  if (of === "leftOut") return <strong class="warn">{withCommas(value)}</strong>;
  return of === "failed" ? <strong class="bad">{withCommas(value)}</strong> : withCommas(value);
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
      times.length === 1 ? stageName(stage) : `${stageName(stage)} (${times.length} times)`,
      <Time taken={sum(({ started, ended }) => ended - started)} paused={paused} />,
      total === null || total === done || times.length > 1
        ? withCommas(done)
        : `${withCommas(done)} of ${withCommas(total)}`,
      failed === 0 ? "0" : <strong class="bad">{withCommas(failed)}</strong>,
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
