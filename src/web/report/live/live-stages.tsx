import type { JSX } from "hono/jsx/jsx-runtime";
import { numberWords, sizeWords } from "../../components/numbers.js";
import { Table } from "../../components/table.js";
import { durationWords } from "../pages/duration-words.js";
import type { StageTime } from "../stage-book.js";
import type { LiveFacts } from "./live-facts.js";
import { isOver, timeLeft } from "./time-left.js";

export type LiveStagesProps = Pick<LiveFacts, "stages" | "now" | "paused" | "isPaused">;

/** How far each stage is. */
export function LiveStages({ stages, ...when }: LiveStagesProps): JSX.Element {
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

/** No bar where the total is not known: it could only lie. */
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
