import { Writable } from "node:stream";
import fc from "fast-check";
import { expect, it, onTestFinished, vi } from "vitest";
import { createLiveLines } from "../../../src/commands/output/progress.js";
import { createScreen } from "../../helpers/screen.js";

/** A terminal with a size that changes, and what was written to it. */
function terminal(columns: number, rows = 24) {
  let text = "";
  const stream = Object.assign(
    new Writable({
      write: (chunk, _encoding, done) => {
        text += String(chunk);
        done();
      },
    }),
    { columns, rows },
  );
  return { stream, text: () => text };
}

function frozen(): void {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] });
  onTestFinished(() => void vi.useRealTimers());
}

it("keeps text above the lines, draws them in place and leaves the last ones", () => {
  frozen();
  const { stream, text } = terminal(40);
  let lines = ["load 1", "total 0:01"];
  const live = createLiveLines(stream, () => lines);
  live.update();
  live.above("warning: slow\n");
  lines = ["load 2", "verify 1", "total 0:02"];
  vi.advanceTimersByTime(500);
  live.above("warning: slower\n");
  lines = ["load 2", "verify 2", "total ended"];
  live.end();
  const screen = createScreen(40);
  screen.write(text());
  expect(screen.rows()).toEqual(["warning: slow", "warning: slower", "load 2", "verify 2", "total ended", ""]);
  expect(live.isDrawn()).toBe(false);
});

it("leaves nothing behind where a narrower terminal breaks the lines that no longer fit", () => {
  frozen();
  fc.assert(
    fc.property(fc.integer({ min: 8, max: 100 }), fc.integer({ min: 8, max: 100 }), (before, after) => {
      const { stream, text } = terminal(before);
      const live = createLiveLines(stream, (columns) => ["a".repeat(columns - 1), "b", "c".repeat(columns - 1)]);
      live.update();
      const screen = createScreen(after);
      screen.write("above\n");
      // The terminal breaks what it shows, when its width changes.
      screen.write(text().replaceAll("\u001b[?7l", "").replaceAll("\u001b[?7h", ""));
      const drawn = text().length;
      stream.columns = after;
      live.end();
      screen.write(text().slice(drawn));
      expect(screen.rows()).toEqual(["above", "a".repeat(after - 1), "b", "c".repeat(after - 1), ""]);
    }),
  );
});

it("draws no more lines than the terminal has rows above its cursor", () => {
  frozen();
  const { stream } = terminal(80, 6);
  const asked: number[] = [];
  createLiveLines(stream, (_columns, rows) => {
    asked.push(rows);
    return [];
  }).update();
  expect(asked).toEqual([5]);
});
