import type { JSX } from "hono/jsx/jsx-runtime";
import type { LossCount } from "../../storage/ledger/note-rows.js";
import { Table } from "../components/elements.js";
import { Foreign } from "../components/foreign.js";
import { PageFrame, pageHtml } from "../components/page-frame.js";
import { durationWords, numberWords, sizeWords } from "../components/words.js";
import type { RunCourse } from "./course.js";
import type { FailureTally, RunMessages } from "./failures.js";
import { FailureList } from "./outcome-lists.js";
import { RateCharts } from "./rate-charts.js";
import { Part, RunHead, requestTotals, Totals } from "./run-head.js";
import type { RunReport } from "./run-report.js";
import { isOver, runTimeLeft, type StageTime, timeLeft } from "./stages.js";

export interface LiveState {
  readonly state: "on" | "paused" | "over";
  readonly words: string;
}

/** Only this server's files, and only its script. */
export const LIVE_POLICY =
  "default-src 'none'; img-src 'self'; style-src 'self'; script-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'";

/** `browser/live.ts` keeps the loaded page up to date. */
export function livePage(facts: LiveFacts, { state, words }: LiveState): string {
  return pageHtml(
    <PageFrame title={titleOf(facts)} policy={LIVE_POLICY} head={<Head />}>
      <div class="live" data-state={state}>
        <p class="live-state" id="live-state" role="status" tabindex={-1}>
          {words}
        </p>
        <button type="button" id="live-pause" hidden>
          Pause
        </button>
      </div>
      <main class="report" id="live-body">
        <LiveBody facts={facts} />
      </main>
      <noscript>
        <p class="live-note">
          Without scripts this page stays as it was when it was loaded. Load it again to see more.
        </p>
      </noscript>
    </PageFrame>,
  );
}

function Head(): JSX.Element {
  return (
    <>
      <link rel="icon" href="/icon.svg" />
      <link rel="stylesheet" href="/style.css" />
      <script src="/live.js" defer />
    </>
  );
}

function titleOf({ run, source, target }: LiveFacts): string {
  return `${run.command}: ${source?.name ?? "nothing yet"}${target === null ? "" : ` to ${target.name}`}`;
}

/** Shows a running run from memory alone. */
function LiveBody({ facts }: { readonly facts: LiveFacts }): JSX.Element {
  const { run, source, target, now, failures, losses, said, timeline, limits, isPaused } = facts;
  const lost = losses.reduce((sum, { count }) => sum + count, 0);
  const failed = { name: "Failures", value: failures.count, isBad: failures.count > 0 };
  return (
    <>
      <RunHead run={run} source={source} target={target} time={durationWords(now - Date.parse(run.started))}>
        <p class="limits">
          {isPaused ? "It stands, since somebody paused it." : <Foreign text={limitWords(limits)} />}
        </p>
        <LeftInAll {...facts} />
      </RunHead>
      <Totals totals={[failed, ...requestTotals(timeline)]} />
      <Part id="stages" title="Stages">
        <LiveStages {...facts} />
      </Part>
      <Part id="requests" title="Requests">
        <RateCharts timeline={timeline} />
      </Part>
      <Part id="failures" title={`Failures of this run (${numberWords(failures.count)})`}>
        <FailureList failures={{ count: failures.count, causes: failures.causes() }} />
      </Part>
      {target !== null && (
        <Part id="losses" title={`Losses and notes so far (${numberWords(lost)})`}>
          <LossCounts losses={losses} />
        </Part>
      )}
      {said.count > 0 && (
        <Part id="said" title={`Warnings and notes (${numberWords(said.count)})`}>
          <MessageList said={said} />
        </Part>
      )}
    </>
  );
}

function LeftInAll({ stages, now, paused, isPaused }: LiveFacts): JSX.Element | null {
  const left = isPaused ? null : runTimeLeft(stages, now, paused);
  return left === null || left < 1000 ? null : <p class="left">About {durationWords(left)} left in all.</p>;
}

function limitWords(limits: string | null): string {
  if (limits === null) return "What limits it can't be said yet.";
  return `${limits.slice(0, 1).toUpperCase()}${limits.slice(1)}.`;
}

export function liveBodyHtml(facts: LiveFacts): string {
  return String(<LiveBody facts={facts} />);
}

type LiveStagesProps = Pick<LiveFacts, "stages" | "now" | "paused" | "isPaused">;

function LiveStages({ stages, ...when }: LiveStagesProps): JSX.Element {
  if (stages.length === 0) return <p>Nothing has begun yet.</p>;
  return (
    <Table
      label="How far each stage is"
      head={["Stage", "How far", "Time left", "Done", "Failed", "Bytes"]}
      rows={stages.map((stage) => [
        stage.stage,
        <Bar stage={stage} isOver={isOver(stage, stages)} />,
        isOver(stage, stages) ? "done" : leftWords(stage, when),
        doneWords(stage),
        stage.failed === 0 ? "0" : <strong class="bad">{numberWords(stage.failed)}</strong>,
        stage.bytes === null ? "" : sizeWords(stage.bytes),
      ])}
      numbers={[2, 3, 4, 5]}
    />
  );
}

interface BarProps {
  readonly stage: StageTime;
  readonly isOver: boolean;
}

function doneWords({ done, total, estimate }: StageTime): string {
  if (total !== null) return `${numberWords(done)} of ${numberWords(total)}`;
  return estimate === null || estimate <= done
    ? numberWords(done)
    : `${numberWords(done)} of about ${numberWords(estimate)}`;
}

/** No bar without a total: its length would be a guess. */
function Bar({ stage: { stage, done, total }, isOver }: BarProps): JSX.Element {
  if (total === null) return <span class="muted">{isOver ? "" : "how many there are is not known"}</span>;
  const most = Math.max(1, total);
  return <progress class="bar" aria-label={stage} max={String(most)} value={String(isOver ? most : done)} />;
}

function leftWords(stage: StageTime, { now, paused, isPaused }: Omit<LiveStagesProps, "stages">): string {
  const left = timeLeft(stage, now, paused);
  if (left === 0) return "done";
  if (isPaused) return "paused";
  return left === null ? "" : durationWords(left);
}

/** What is known of a running run, from memory. */
export interface LiveFacts extends Pick<RunReport, "source">, RunCourse {
  /** As the command line named it. */
  readonly target: RunReport["source"];
  readonly run: Pick<RunReport["run"], "id" | "command" | "started">;
  /** UNIX milliseconds. */
  readonly now: number;
  /** `limited by …`; null: not known yet. */
  readonly limits: string | null;
  readonly isPaused: boolean;
  /** Milliseconds of pauses by a person between two times (UNIX milliseconds). */
  readonly paused: (from: number, to: number) => number;
  readonly failures: Pick<FailureTally, "count" | "causes">;
  /** Of all runs; may be some seconds old. */
  readonly losses: readonly LossCount[];
  readonly said: Pick<RunMessages, "count" | "last">;
}

/** Listed kinds of losses; the report has all. */
const NAMED = 30;
function LossCounts({ losses }: { readonly losses: readonly LossCount[] }): JSX.Element {
  if (losses.length === 0) return <p>Nothing was lost on the way so far.</p>;
  return (
    <>
      <Table
        label="Losses and notes so far"
        head={["Kind", "What", "Level", "Values"]}
        rows={losses
          .slice(0, NAMED)
          .map(({ kind, code, level, count }) => [
            kind,
            <Foreign text={code} />,
            <span class={`chip is-${level}`}>{level}</span>,
            numberWords(count),
          ])}
        numbers={[3]}
      />
      {losses.length > NAMED && (
        <p class="muted">
          The {NAMED} most frequent of {numberWords(losses.length)}.
        </p>
      )}
    </>
  );
}

function MessageList({ said }: { readonly said: Pick<RunMessages, "count" | "last"> }): JSX.Element {
  const last = said.last();
  return (
    <>
      {said.count > last.length && (
        <p class="muted">
          The last {last.length} of {numberWords(said.count)}.
        </p>
      )}
      <ul class="said card">
        {last.map(({ at, level, text }) => (
          <li>
            <time datetime={new Date(at).toISOString()}>{new Date(at).toISOString().slice(11, 19)}</time>{" "}
            {level === "warning" && <strong class="warn">Warning: </strong>}
            <Foreign text={text} />
          </li>
        ))}
      </ul>
    </>
  );
}
