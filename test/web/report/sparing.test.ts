import { expect, it } from "vitest";
import { sparing } from "../../../src/web/report/live-view.js";

it("asks a question that takes long seldom, and one that takes nothing always", () => {
  let [now, asked, takes] = [0, 0, 100];
  const ask = sparing(
    () => {
      now += takes;
      asked += 1;
      return asked;
    },
    () => now,
  );
  expect(ask()).toBe(1);
  now = 4999;
  expect(ask()).toBe(1);
  now = 5000;
  takes = 0;
  expect([ask(), ask(), ask()]).toEqual([2, 3, 4]);
});
