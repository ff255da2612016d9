import { expect, it } from "vitest";
import { createPause } from "../../../src/service/http/pause.js";
import type { ProgressEvent, Stage } from "../../../src/sync/control.js";
import { createPauseTimes } from "../../../src/web/report/course.js";
import { createStageTracker, isOver, runTimeLeft, stagesAhead, timeLeft } from "../../../src/web/report/stages.js";

const never = (): number => 0;

it("is told from the pace so far, without the time in which the run was paused", () => {
  expect(timeLeft({ started: 1000, done: 5, total: 20 }, 6000, never)).toBe(15_000);
  expect(timeLeft({ started: 1000, done: 5, total: 20 }, 66_000, () => 60_000)).toBe(15_000);
});

it("has a pace without what was passed over, and counts of what is ahead what something is to be done for", () => {
  const tracker = createStageTracker(0);
  const sign = (at: number, done: number, skipped: number, toDo: number) =>
    tracker.note({ stage: "load", done, total: 1000, skipped, toDo, failed: 0 }, at);
  sign(100, 500, 500, 500);
  const left = (now: number) => timeLeft(tracker.stages()[0] ?? { started: 0, done: 0, total: null }, now, never);
  expect(left(100)).toBe(null);
  sign(2100, 502, 500, 498);
  expect(left(2100)).toBe(498_000);
  // Nothing is to be done for any of the others.
  sign(3100, 503, 500, 0);
  expect(left(3100)).toBe(0);
});

/** What a run tells of itself, and its stages as they stand then. */
function running() {
  const [tracker, ahead] = [createStageTracker(0), stagesAhead("migrate")];
  return {
    sign: (at: number, stage: Stage, done: number, total: number | null, more: Partial<ProgressEvent> = {}) => {
      const event = ahead({ stage, done, total, failed: 0, ...more });
      if (event !== undefined) tracker.note(event, at);
    },
    left: (now: number) => runTimeLeft(tracker.stages(), now, never),
    over: () =>
      tracker
        .stages()
        .filter((stage) => isOver(stage, tracker.stages()))
        .map(({ stage }) => stage),
  };
}

it("of a run is that of all its stages, also of those that have not begun", () => {
  const run = running();
  run.sign(1000, "extract", 10, 100);
  run.sign(1000, "media", 5, null, { estimate: 50 });
  // 9 s to read, and 100 items at 2.4, 0.7 and 1.3 times of what reading one takes.
  expect(Math.round((run.left(1000) ?? 0) / 1000)).toBe(9 + 44);
  run.sign(10_000, "extract", 100, 100);
  run.sign(10_000, "media", 50, null);
  run.sign(10_100, "check", 100, 100);
  run.sign(30_100, "load", 50, 100, { skipped: 0, toDo: 50 });
  expect(run.over()).toEqual(["extract", "media", "check"]);
  // 20 s more, then 100 items at 0.7 and 1.3 of 2.4 times.
  expect(Math.round((run.left(30_100) ?? 0) / 1000)).toBe(20 + Math.round((40 * 2) / 2.4));
  run.sign(50_100, "load", 100, 100, { skipped: 0, toDo: 0 });
  run.sign(55_100, "publish", 50, 100);
  expect(Math.round((run.left(55_100) ?? 0) / 1000)).toBe(5 + Math.round((10 * 1.3) / 0.7));
  run.sign(60_100, "publish", 100, 100);
  run.sign(70_100, "verify", 100, 100);
  expect([run.left(70_100), run.over()]).toEqual([0, ["extract", "media", "check", "load", "publish", "verify"]]);
});

it("of a resumed run is unknown until it loads, and then close to the truth, whatever it skips", () => {
  const run = running();
  /** The end of the run, UNIX milliseconds: what is read is read, half is loaded, nothing is public. */
  const END = 177_000;
  const lefts: (readonly [at: number, left: number | null])[] = [];
  const look = (at: number): void => void lefts.push([at, run.left(at)]);
  for (let done = 1; done <= 84; done += 1) run.sign(done * 50, "list", done, null);
  look(4200);
  run.sign(5000, "extract", 1, 2, { unchanged: 82 });
  run.sign(6000, "extract", 2, 2, { unchanged: 82 });
  look(6000);
  for (let done = 1; done <= 80; done += 1) run.sign(6000 + done * 100, "check", done, 80);
  look(14_000);
  // 40 items need no work; 40 take 2 s each.
  for (let done = 1; done <= 40; done += 1)
    run.sign(14_000 + done, "load", done, 80, { skipped: done, toDo: 40, follows: { publish: done + 40 } });
  expect(lefts.map(([, left]) => left)).toEqual([null, null, null]);
  for (let done = 41; done <= 80; done += 1) {
    const at = 14_000 + (done - 40) * 2000;
    run.sign(at, "load", done, 80, { skipped: 40, toDo: 80 - done, follows: { publish: 80, verify: 80 } });
    look(at);
  }
  for (let done = 1; done <= 80; done += 1) {
    run.sign(94_000 + done * 400, "publish", done, 80);
    look(94_000 + done * 400);
  }
  for (let done = 1; done <= 80; done += 1) {
    const at = 126_000 + Math.round((done * (END - 126_000)) / 80);
    run.sign(at, "verify", done, 80);
    look(at);
  }
  const known = lefts.slice(3, -8);
  expect(known.length).toBeGreaterThan(150);
  for (const [at, left] of known) {
    expect((left ?? 0) / (END - at), `at ${at} ms`).toBeGreaterThan(0.5);
    expect((left ?? 0) / (END - at), `at ${at} ms`).toBeLessThan(2);
  }
});

it("a stage that prepares again is not shown again, since each stage has one place", () => {
  const ahead = stagesAhead("migrate");
  const check = (done: number) => ahead({ stage: "check", done, total: 2, failed: 0 });
  expect([check(1), check(2), check(1), check(2)].map((event) => event?.done)).toEqual([1, 2, undefined, undefined]);
});

it("a stage that did not come to its total is over when the next one begins, and those side by side are not", () => {
  const run = running();
  run.sign(1000, "extract", 10, 100);
  run.sign(1000, "media", 5, null);
  expect(run.over()).toEqual([]);
  run.sign(2000, "extract", 99, 100);
  run.sign(3000, "check", 1, 99);
  expect(run.over()).toEqual(["extract", "media"]);
});

it("is not told where it cannot be known", () => {
  expect(timeLeft({ started: 0, done: 5, total: null }, 6000, never)).toBe(null);
  expect(timeLeft({ started: 0, done: 0, total: 9 }, 6000, never)).toBe(null);
  expect(timeLeft({ started: 0, done: 0, total: 0 }, 6000, never)).toBe(0);
});

it("pauses are counted as far as they lie between two times, the one that is on too", () => {
  let now = 1000;
  const pause = createPause();
  const times = createPauseTimes(pause, () => now);
  pause.pause();
  now = 3000;
  expect([times.since(), times.within(0, now)]).toEqual([1000, 2000]);
  pause.resume();
  now = 5000;
  pause.pause();
  now = 9000;
  expect(times.within(0, now)).toBe(6000);
  expect(times.within(2000, 6000)).toBe(2000);
  expect(times.within(3000, 5000)).toBe(0);
  times.close();
});
