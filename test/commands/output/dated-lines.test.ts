import { expect, it } from "vitest";
import type { Output } from "../../../src/commands/output/output.js";
import { localTime } from "../../../src/commands/output/writer.js";
import { EVENT, printed } from "./helpers/printed.js";

it("begins lines with the time where a log is written, and nowhere else", () => {
  const use = (output: Output) => {
    output.say("a result");
    output.warn("a warning\nof two lines");
    output.progress(EVENT);
    output.fail("a failure", 3);
  };
  const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:Z|[+-]\d\d:\d\d) /gm;
  const { out, error } = printed({ dated: true }, use);
  expect([out, error.match(time)?.length, error.replace(time, "")]).toEqual([
    "a result\n",
    3,
    "warning: a warning\nof two lines\nextract: 1 of 3\nerror: a failure\n",
  ]);
  expect(printed({ dated: true }, use, { terminal: true }).error).not.toMatch(time);
  expect(printed({ dated: true, json: true }, use).error).toBe("error: a failure\n");
});

it.each([
  [0, "2026-11-21T23:30:00Z"],
  [-60, "2026-11-22T00:30:00+01:00"],
  [-345, "2026-11-22T05:15:00+05:45"],
  [210, "2026-11-21T20:00:00-03:30"],
])("tells the time of the wall where UTC is %d minutes ahead of it", (ahead, text) => {
  const date = new Date("2026-11-21T23:30:00.900Z");
  expect(localTime(Object.assign(date, { getTimezoneOffset: () => ahead }))).toBe(text);
});
