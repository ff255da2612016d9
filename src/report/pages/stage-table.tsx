import type { JSX } from "hono/jsx/jsx-runtime";
import { numberWords, sizeWords } from "../../pages/numbers.js";
import { Table } from "../../pages/table.js";
import type { StageTime } from "../stage-book.js";
import { durationWords } from "./duration-words.js";

const WIDTH = 240;
const HEIGHT = 12;

/** When each stage was at work, and what it did. */
export function StageTable({ stages }: { readonly stages: readonly StageTime[] }): JSX.Element {
  const from = Math.min(...stages.map(({ started }) => started));
  const span = Math.max(1, Math.max(...stages.map(({ ended }) => ended)) - from);
  const rows = stages.map(({ stage, started, ended, done, total, failed, bytes }) => [
    stage,
    durationWords(ended - started),
    total === null || total === done ? numberWords(done) : `${numberWords(done)} of ${numberWords(total)}`,
    failed === 0 ? "0" : <strong class="bad">{numberWords(failed)}</strong>,
    bytes === null ? "" : sizeWords(bytes),
    <svg class="span" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      <rect
        class="chart-bars"
        x={Math.round(((started - from) / span) * WIDTH)}
        y="2"
        height={HEIGHT - 4}
        width={Math.max(2, Math.round(((ended - started) / span) * WIDTH))}
        rx="2"
      />
    </svg>,
  ]);
  return (
    <Table
      label="Time of each stage"
      head={["Stage", "Time", "Done", "Failed", "Bytes", "When"]}
      rows={rows}
      numbers={[1, 2, 3, 4]}
    />
  );
}
