import { describe, expect, it } from "vitest";
import { type Bucket, EMPTY_BUCKET } from "../../../src/web/report/course.js";
import { RateCharts } from "../../../src/web/report/rate-charts.js";

const MINUTE = 60_000;

function chartOf(buckets: readonly Partial<Bucket>[], length = 1000): string {
  const origins = [
    { origin: "https://site.example", given: 5, buckets: buckets.map((bucket) => ({ ...EMPTY_BUCKET, ...bucket })) },
  ];
  return String(RateCharts({ timeline: { from: 0, length, origins } }));
}

/** What is drawn under a name, of the chart and not of the legend. */
function drawn(page: string, name: string): string {
  const [chart = ""] = page.split("<ul");
  return new RegExp(`class="${name}"[^>]* d="([^"]*)"`).exec(chart)?.[1] ?? "";
}

describe("the chart of a run's requests", () => {
  const work: Partial<Bucket> = { starts: 5, rate: 5, held: 900 };

  it("shows a pause that the site asked for, and none where the rate was waited for", () => {
    const page = chartOf([work, { refusals: 1, paused: 1000 }, work]);
    expect(drawn(page, "chart-paused").match(/M/g)).toHaveLength(1);
    expect(page).toContain("rate-limited 1 time, paused by the site for 1 s");
    expect(page).toContain("Paused by the site");
    const calm = chartOf([work, work]);
    expect([drawn(calm, "chart-paused"), drawn(calm, "chart-by-hand")]).toEqual(["", ""]);
    expect(calm).not.toMatch(/pauses? that|paused by hand/);
  });

  it("tells a person's pause from that of a site, in the drawing, in words, and for who cannot see it", () => {
    const page = chartOf([work, { byHand: 1000 }, { byHand: 500 }]);
    expect(drawn(page, "chart-paused")).toBe("");
    expect(drawn(page, "chart-by-hand").match(/M/g)).toHaveLength(2);
    expect(page).toMatch(/<svg[^>]*aria-label="[^"]*paused manually for 1\.5 s"/);
    expect(page).toContain("Paused manually in the live view");
    expect(page).not.toContain("Paused by the site");
  });

  it("shows a pause of some seconds in a chart of hours", () => {
    const page = chartOf([...Array(299).fill({ starts: 320, rate: 5 }), { starts: 300, paused: 2000 }], 2 * MINUTE);
    const [, width, height] = /h([\d.]+)v([\d.]+)/.exec(drawn(page, "chart-paused")) ?? [];
    expect([Number(width) >= 3, Number(height) >= 10]).toEqual([true, true]);
  });
});
