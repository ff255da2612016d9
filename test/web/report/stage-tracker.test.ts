import { expect, it } from "vitest";
import { EMPTY_BUCKET, pausedByHand, type Timeline } from "../../../src/web/report/course.js";
import { StageTable } from "../../../src/web/report/report-page.js";
import { createStageTracker } from "../../../src/web/report/stages.js";

const sign = (stage: "check" | "load" | "extract" | "media", done: number, total: number | null) =>
  ({ stage, done, total, failed: 0 }) as const;

it("a stage that comes again has a time for each, none of which lies over what came between", () => {
  const tracker = createStageTracker(0);
  tracker.note(sign("check", 2, 2), 100);
  tracker.note(sign("load", 1, 2), 5000);
  tracker.note(sign("load", 2, 2), 9000);
  tracker.note(sign("check", 1, 2), 9100);
  tracker.note(sign("check", 2, 2), 9200);
  expect(tracker.stages()).toMatchObject([
    { stage: "check", started: 9000, ended: 9200, earlier: [{ started: 0, ended: 100, done: 2 }] },
    { stage: "load", started: 100, ended: 9000, earlier: [] },
  ]);
  const table = String(StageTable({ stages: tracker.stages(), timeline: null }));
  expect(table).toContain("prepare (2 times)");
  expect(table.match(/<rect/g)).toHaveLength(3);
  expect(table).toMatch(/prepare \(2 times\).*?0\.3 s.*?>4</s);
});

it("a stage of one item that comes again after others has two times", () => {
  const tracker = createStageTracker(0);
  tracker.note(sign("check", 1, 1), 100);
  tracker.note(sign("load", 1, 1), 5000);
  tracker.note(sign("check", 1, 1), 5100);
  expect(tracker.stages()[0]).toMatchObject({ started: 5000, ended: 5100, earlier: [{ started: 0, ended: 100 }] });
});

it("stages that are at work together have one time each, however they speak in turns", () => {
  const tracker = createStageTracker(0);
  for (let done = 1; done <= 50; done += 1) {
    tracker.note(sign("extract", done, 50), done * 100);
    tracker.note(sign("media", done, null), done * 100 + 50);
  }
  expect(tracker.stages().map(({ earlier, ended, started }) => [earlier.length, started, ended])).toEqual([
    [0, 0, 5000],
    [0, 100, 5050],
  ]);
});

it("stays small however often a stage comes", () => {
  const tracker = createStageTracker(0);
  for (let time = 1; time <= 200; time += 1) tracker.note(sign("check", time % 2, 5), time);
  const [check] = tracker.stages();
  expect(check?.earlier.length).toBe(20);
  expect([check?.earlier[0]?.started, check?.earlier.reduce((sum, { done }) => sum + done, check.done)]).toEqual([
    0, 100,
  ]);
});

it("says how much of a stage's time a person had paused the run", () => {
  const buckets = [0, 1000, 500, 0].map((byHand) => ({ ...EMPTY_BUCKET, byHand }));
  const timeline: Timeline = {
    from: 1000,
    length: 1000,
    origins: [{ origin: "https://a.example", given: null, buckets }],
  };
  expect(pausedByHand(timeline, 0, 9000)).toBe(1500);
  expect(pausedByHand(timeline, 2500, 4000)).toBe(1000);
  const tracker = createStageTracker(1000);
  tracker.note(sign("load", 1, 1), 5000);
  expect(String(StageTable({ stages: tracker.stages(), timeline }))).toContain("1.5 s paused manually");
});
