import { expect, it } from "vitest";
import { Cooldown } from "../../../src/web/reader/open-library.js";

it("does what is wanted all the time in a tenth of the time", () => {
  let now = 0;
  let done = 0;
  const seldom = new Cooldown(() => now);
  for (; now < 10_000; now += 1)
    seldom.do(() => {
      done += 1;
      now += 20;
    });
  expect(done).toBe(50);
  expect(seldom.do(() => "work")).toBe("work");
});

it("does at once what costs nothing, and rests after an error too", () => {
  let now = 0;
  const seldom = new Cooldown(() => now);
  expect([seldom.do(() => 1), seldom.do(() => 2)]).toEqual([1, 2]);
  const failing = (): never => {
    now += 5;
    throw new Error("it fails");
  };
  expect(() => seldom.do(failing)).toThrow("it fails");
  expect(seldom.do(() => 3)).toBeUndefined();
  now += 45;
  expect(seldom.do(() => 3)).toBe(3);
});
