import type { JSX } from "hono/jsx/jsx-runtime";
import type { Timeline } from "../timeline.js";
import { ChartLegend } from "./chart-legend.js";
import { RateChart } from "./rate-chart.js";

/** A chart for each site that was asked, and what is seen on it. */
export function RateCharts({ timeline }: { readonly timeline: Timeline | null }): JSX.Element {
  const origins = timeline?.origins.filter(({ buckets }) => buckets.some(({ starts }) => starts > 0)) ?? [];
  if (timeline === null || origins.length === 0) return <p>No request went out, or nothing was kept of them.</p>;
  const places = Math.max(...origins.map(({ buckets }) => buckets.length));
  const all = origins.flatMap(({ buckets }) => buckets);
  return (
    <>
      <div class="card">
        {origins.map((origin, at) => (
          <RateChart origin={origin} from={timeline.from} length={timeline.length} places={places} number={at + 1} />
        ))}
      </div>
      <ChartLegend
        hasRefusals={all.some(({ refusals }) => refusals > 0)}
        hasPauses={all.some(({ paused }) => paused > 0)}
        hasPausesByHand={all.some(({ byHand }) => byHand > 0)}
      />
    </>
  );
}
