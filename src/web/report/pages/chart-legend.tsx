import type { Child } from "hono/jsx";
import type { JSX } from "hono/jsx/jsx-runtime";
import { Hatch } from "./hatch.js";

export interface ChartLegendProps {
  readonly hasRefusals: boolean;
  readonly hasPauses: boolean;
  readonly hasPausesByHand: boolean;
}

/** What is seen on the charts of a page: what does not occur is not explained. */
export function ChartLegend({ hasRefusals, hasPauses, hasPausesByHand }: ChartLegendProps): JSX.Element {
  return (
    <ul class="legend muted">
      <Sign words="requests a second">
        <path class="chart-bars" d="M2 14V6h5v8zM8 14V2h5v12zM14 14V9h5v5z" />
      </Sign>
      <Sign words="the rate that held; bars that reach it waited for it">
        <path class="chart-rate" d="M1 8H20" />
      </Sign>
      {hasRefusals && (
        <Sign words="the site refused for being too many">
          <path class="chart-refusals" d="M5 3h10l-5 9z" />
        </Sign>
      )}
      {hasPauses && (
        <Sign words="a pause that the site asked for; the longer it hangs down, the more of that time it took">
          <path class="chart-paused" d="M2 1h17v14h-17z" />
        </Sign>
      )}
      {hasPausesByHand && (
        <Sign words="paused by hand, in the live view; drawn likewise">
          <Hatch id="by-hand-legend" />
          <path class="chart-by-hand" fill="url(#by-hand-legend)" d="M2 1h17v14h-17z" />
        </Sign>
      )}
    </ul>
  );
}

function Sign({ words, children }: { readonly words: string; readonly children?: Child }): JSX.Element {
  return (
    <li>
      <svg class="legend-sign" viewBox="0 0 21 16" aria-hidden="true">
        {children}
      </svg>
      {words}
    </li>
  );
}
