import { describe, expect, it } from "vitest";
import { checkTimeZone, nextRun, readCron } from "../../src/fleet/cron.js";

/** The next times after an instant, in UTC. */
function times(cron: string, zone: string, after: string, wanted = 3): readonly string[] {
  const schedule = readCron(cron);
  const found: string[] = [];
  let at = Date.parse(after);
  while (found.length < wanted) {
    at = nextRun(schedule, zone, at) ?? Number.NaN;
    found.push(new Date(at).toISOString().slice(0, 16));
  }
  return found;
}

describe("schedules", () => {
  it.each([
    // The clocks of Berlin jump from 02:00 to 03:00: 02:30 comes as 03:30, once.
    ["30 2 * * *", "Europe/Berlin", "2027-03-27T00:00Z", ["2027-03-27T01:30", "2027-03-28T01:30", "2027-03-29T00:30"]],
    // They go back from 03:00 to 02:00: the first 02:30 counts.
    ["30 2 * * *", "Europe/Berlin", "2026-10-24T00:00Z", ["2026-10-24T00:30", "2026-10-25T00:30", "2026-10-26T01:30"]],
    ["30 2 * * *", "Europe/Berlin", "2026-10-25T00:30Z", ["2026-10-26T01:30"]],
    ["30 1 * * *", "America/New_York", "2026-10-31T06:00Z", ["2026-11-01T05:30", "2026-11-02T06:30"]],
    ["30 2 * * *", "America/New_York", "2027-03-13T08:00Z", ["2027-03-14T07:30", "2027-03-15T06:30"]],
    // Half an hour of daylight saving, and midnight that is missing.
    ["15 2 * * *", "Australia/Lord_Howe", "2026-10-03T00:00Z", ["2026-10-03T15:45", "2026-10-04T15:15"]],
    ["0 0 * * *", "America/Santiago", "2026-09-05T05:00Z", ["2026-09-06T04:00", "2026-09-07T03:00"]],
    // Each real half-hour, also of the hour that is repeated or missing.
    [
      "*/30 * * * *",
      "Europe/Berlin",
      "2026-10-25T00:15Z",
      ["2026-10-25T00:30", "2026-10-25T01:00", "2026-10-25T01:30", "2026-10-25T02:00"],
    ],
    [
      "*/30 * * * *",
      "Europe/Berlin",
      "2027-03-28T00:15Z",
      ["2027-03-28T00:30", "2027-03-28T01:00", "2027-03-28T01:30"],
    ],
    // The missing 02:30 and the 03:30 of the same schedule are one time.
    ["30 2,3 * * *", "Europe/Berlin", "2027-03-27T12:00Z", ["2027-03-28T01:30", "2027-03-29T00:30"]],
    ["0 6 29 2 *", "UTC", "2025-01-01T00:00Z", ["2028-02-29T06:00"]],
    ["0 6 13 * fri", "UTC", "2026-11-01T00:00Z", ["2026-11-06T06:00", "2026-11-13T06:00", "2026-11-20T06:00"]],
    ["0 0 * * 7", "UTC", "2026-11-23T00:00Z", ["2026-11-29T00:00"]],
    ["@monthly", "Asia/Kolkata", "2026-11-23T00:00Z", ["2026-11-30T18:30"]],
  ])("%s in %s after %s", (cron, zone, after, expected) => {
    expect(times(cron, zone, after, expected.length)).toEqual(expected);
  });

  it("comes once in each of 400 local days, in zones with and without daylight saving", () => {
    for (const zone of ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Tokyo"]) {
      const schedule = readCron("30 2 * * *");
      const day = new Intl.DateTimeFormat("sv", { timeZone: zone });
      let at = Date.parse("2026-01-01T12:00Z");
      for (let days = 0; days < 400; days += 1) {
        const next = nextRun(schedule, zone, at) ?? Number.NaN;
        expect(day.format(next)).toBe(day.format(at + 86_400_000));
        at = next;
      }
    }
  });

  it.each([
    "30 2 * *",
    "60 2 * * *",
    "* 24 * * *",
    "5-1 * * * *",
    "*/0 * * * *",
    "x * * * *",
    "0 0 30 2 *",
    "0 0 * * 8",
    "1-2-3 * * * *",
  ])("refuses %s", (cron) => {
    expect(() => readCron(cron)).toThrow(/The schedule "/);
  });

  it("refuses an unknown zone", () => {
    expect(() => checkTimeZone("Europe/Berln")).toThrow(/Europe\/Berln/);
    checkTimeZone("Europe/Berlin");
  });
});
