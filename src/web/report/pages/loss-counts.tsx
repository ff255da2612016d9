import type { JSX } from "hono/jsx/jsx-runtime";
import { Foreign } from "../../components/foreign.js";
import { numberWords } from "../../components/numbers.js";
import { Table } from "../../components/table.js";
import type { LossCount } from "../../../storage/ledger/loss-counts.js";

/** Kinds of losses that are named while a run is on; the report has all. */
const NAMED = 30;

/** What could not be carried so far, in numbers. */
export function LossCounts({ losses }: { readonly losses: readonly LossCount[] }): JSX.Element {
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
