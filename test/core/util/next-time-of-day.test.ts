import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nextTimeOfDay } from "../../../src/core/util/clock.js";

/** What the clocks of a zone show, in minutes after midnight. */
function clockOf(timeZone: string): (instant: number) => number {
  const format = new Intl.DateTimeFormat("en-GB", { timeZone, hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  return (instant) => minuteOf(format.format(instant));
}

function minuteOf(text: string): number {
  const [hours = 0, minutes = 0] = text.split(":").map(Number);
  return hours * 60 + minutes;
}

function next(zone: string, now: string, wanted: string): string {
  return new Date(nextTimeOfDay(minuteOf(wanted), Date.parse(now), clockOf(zone))).toISOString();
}

describe("the next time of day", () => {
  it.each([
    ["later today", "Europe/Berlin", "2026-11-20T22:15:30Z", "23:30", "2026-11-20T22:30:00.000Z"],
    ["tomorrow, when it is over today", "Europe/Berlin", "2026-11-20T22:15:30Z", "06:00", "2026-11-21T05:00:00.000Z"],
    [
      "tomorrow, when it is that minute now",
      "Europe/Berlin",
      "2026-11-20T05:00:20Z",
      "06:00",
      "2026-11-21T05:00:00.000Z",
    ],
    ["midnight", "Asia/Kolkata", "2026-11-20T10:00:00Z", "00:00", "2026-11-20T18:30:00.000Z"],
    [
      "an hour sooner across a night of 23 hours",
      "Europe/Berlin",
      "2026-03-28T22:00:00Z",
      "06:00",
      "2026-03-29T04:00:00.000Z",
    ],
    [
      "an hour later across a night of 25 hours",
      "Europe/Berlin",
      "2026-10-24T21:00:00Z",
      "06:00",
      "2026-10-25T05:00:00.000Z",
    ],
    ["where the clocks jump over it", "Europe/Berlin", "2026-03-28T22:00:00Z", "02:30", "2026-03-29T01:00:00.000Z"],
    ["the first of two", "Europe/Berlin", "2026-10-24T22:00:00Z", "02:30", "2026-10-25T00:30:00.000Z"],
    ["the second of two", "Europe/Berlin", "2026-10-25T00:45:00Z", "02:30", "2026-10-25T01:30:00.000Z"],
    ["after both of two", "Europe/Berlin", "2026-10-25T01:45:00Z", "02:30", "2026-10-26T01:30:00.000Z"],
    [
      "where clocks are put on at midnight",
      "America/Santiago",
      "2026-09-06T02:00:00Z",
      "00:15",
      "2026-09-06T04:00:00.000Z",
    ],
    [
      "where they are put on by half an hour",
      "Australia/Lord_Howe",
      "2026-10-03T14:00:00Z",
      "02:15",
      "2026-10-03T15:30:00.000Z",
    ],
    ["where a whole day is left out", "Pacific/Apia", "2011-12-30T09:00:00Z", "06:00", "2011-12-30T16:00:00.000Z"],
  ])("is %s (%s)", (_what, zone, now, wanted, expected) => {
    expect(next(zone, now, wanted)).toBe(expected);
  });

  it("is later than now, at most a long day away, and shown by the clock or jumped over, in every zone", () => {
    const zones = [
      "Europe/Berlin",
      "America/Santiago",
      "Australia/Lord_Howe",
      "America/New_York",
      "Asia/Kathmandu",
      "UTC",
    ];
    const clocks = new Map(zones.map((zone) => [zone, clockOf(zone)]));
    const year = { min: Date.parse("2026-01-01T00:00:00Z"), max: Date.parse("2027-01-01T00:00:00Z") };
    fc.assert(
      fc.property(fc.constantFrom(...zones), fc.integer(year), fc.nat(1439), (zone, now, minute) => {
        const clock = clocks.get(zone) ?? clockOf(zone);
        const found = nextTimeOfDay(minute, now, clock);
        expect(found).toBeGreaterThan(now);
        expect(found - now).toBeLessThanOrEqual(25 * 3_600_000);
        const [before, after] = [clock(found - 60_000), clock(found)];
        const jump = (after - before + 1440) % 1440;
        expect(after === minute || (jump > 1 && (minute - before + 1440) % 1440 < jump)).toBe(true);
      }),
      { numRuns: 40 },
    );
  });

  it("goes by the clock of the machine", () => {
    const program =
      'import { nextTimeOfDay } from "./dist/src/core/util/clock.js";' +
      'console.log(new Date(nextTimeOfDay(360, Date.parse("2026-10-24T21:30:00Z"))).toISOString());';
    const inZone = (zone: string): string =>
      execFileSync(process.execPath, ["--input-type=module", "--eval", program], {
        env: { ...process.env, TZ: zone },
        encoding: "utf8",
      }).trim();
    expect([inZone("Europe/Berlin"), inZone("Asia/Tokyo")]).toEqual([
      "2026-10-25T05:00:00.000Z",
      "2026-10-25T21:00:00.000Z",
    ]);
  });
});
