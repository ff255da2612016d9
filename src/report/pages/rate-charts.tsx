import type { JSX } from "hono/jsx/jsx-runtime";
import type { Timeline } from "../timeline.js";
import { RateChart } from "./rate-chart.js";

/** A chart for each site that was asked, and what is seen on it. */
export function RateCharts({ timeline }: { readonly timeline: Timeline | null }): JSX.Element {
  const origins = timeline?.origins.filter(({ buckets }) => buckets.some(({ starts }) => starts > 0)) ?? [];
  if (timeline === null || origins.length === 0) return <p>No request went out, or nothing was kept of them.</p>;
  const places = Math.max(...origins.map(({ buckets }) => buckets.length));
  return (
    <>
      <div class="card">
        {origins.map((origin) => (
          <RateChart origin={origin} length={timeline.length} places={places} />
        ))}
      </div>
      <p class="muted">
        Bars: requests a second. Line: the rate that held. Triangles: the site refused for being too many. Shaded: the
        run waited for the rate, or for a pause that the site asked for.
      </p>
    </>
  );
}
