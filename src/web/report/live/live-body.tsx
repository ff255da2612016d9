import type { JSX } from "hono/jsx/jsx-runtime";
import { Foreign } from "../../components/foreign.js";
import { numberWords } from "../../components/numbers.js";
import { durationWords } from "../pages/duration-words.js";
import { FailureList } from "../pages/failure-list.js";
import { LossCounts } from "../pages/loss-counts.js";
import { Part } from "../pages/part.js";
import { RateCharts } from "../pages/rate-charts.js";
import { RunHead } from "../pages/run-head.js";
import { SaidList } from "../pages/said-list.js";
import { requestTotals, Totals } from "../pages/totals.js";
import type { LiveFacts } from "./live-facts.js";
import { LiveStages } from "./live-stages.js";
import { runTimeLeft } from "./time-left.js";

/** A report of a run that is on: what is known of it without looking anything up. */
export function LiveBody({ facts }: { readonly facts: LiveFacts }): JSX.Element {
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
          <SaidList said={said} />
        </Part>
      )}
    </>
  );
}

/** The time left of the whole run. */
function LeftInAll({ stages, now, paused, isPaused }: LiveFacts): JSX.Element | null {
  const left = isPaused ? null : runTimeLeft(stages, now, paused);
  return left === null || left < 1000 ? null : <p class="left">About {durationWords(left)} left in all.</p>;
}

function limitWords(limits: string | null): string {
  if (limits === null) return "What limits it can't be said yet.";
  return `${limits.slice(0, 1).toUpperCase()}${limits.slice(1)}.`;
}

/** The same as text. */
export function liveBodyHtml(facts: LiveFacts): string {
  return String(<LiveBody facts={facts} />);
}
