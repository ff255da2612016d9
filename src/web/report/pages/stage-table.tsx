import type { JSX } from "hono/jsx/jsx-runtime";
import { numberWords, sizeWords } from "../../components/numbers.js";
import { Table } from "../../components/table.js";
import type { StageTime } from "../stage-book.js";
import { pausedByHand, type Timeline } from "../timeline.js";
import { durationWords } from "./duration-words.js";

const WIDTH = 240;
const HEIGHT = 12;

export interface StageTableProps {
  readonly stages: readonly StageTime[];
  /** null: nothing is known of pauses. */
  readonly timeline: Timeline | null;
}

/** When each stage was at work, and what it did; one that came several times in one row. */
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
      label="Time of each stage"
      head={["Stage", "Time", "Done", "Failed", "Bytes", "When"]}
      rows={rows}
      numbers={[1, 2, 3, 4]}
    />
  );
}

/** Less is told by the chart alone. */
const WORTH_TELLING = 1000;

function Time({ taken, paused }: { readonly taken: number; readonly paused: number }): JSX.Element {
  return (
    <>
      {durationWords(taken)}
      {paused >= WORTH_TELLING && <span class="muted"> ({durationWords(paused)} of it paused by hand)</span>}
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
