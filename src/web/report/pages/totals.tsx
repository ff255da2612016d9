import type { JSX } from "hono/jsx/jsx-runtime";
import { numberWords } from "../../components/numbers.js";
import type { Timeline } from "../timeline.js";

export interface Total {
  readonly name: string;
  readonly value: number;
  readonly isBad?: boolean;
  readonly isWarning?: boolean;
}

/** The numbers that are looked for first. */
export function Totals({ totals }: { readonly totals: readonly Total[] }): JSX.Element {
  return (
    <ul class="totals">
      {totals.map(({ name, value, isBad = false, isWarning = false }) => (
        <li class={isBad ? "bad" : isWarning ? "warn" : undefined}>
          <strong>{numberWords(value)}</strong> {name}
        </li>
      ))}
    </ul>
  );
}

/** What went out so far. */
export function requestTotals(timeline: Timeline | null): readonly Total[] {
  const buckets = timeline?.origins.flatMap((origin) => origin.buckets) ?? [];
  return [
    { name: "Requests", value: buckets.reduce((total, { starts }) => total + starts, 0) },
    { name: "Refused for being too many", value: buckets.reduce((total, { refusals }) => total + refusals, 0) },
  ];
}
