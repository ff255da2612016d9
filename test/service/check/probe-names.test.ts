import fc from "fast-check";
import { expect, it } from "vitest";
import { isProbeFile, isProbeTitle, probeNames } from "../../../src/service/check/probe-things.js";

it("names of probes are known again, whenever they were made, and differ by the millisecond", () => {
  const dates = fc.date({ min: new Date("2020-01-01"), max: new Date("2099-12-31"), noInvalidDate: true });
  fc.assert(
    fc.property(dates, dates, (one, other) => {
      const [first, second] = [probeNames(one), probeNames(other)];
      expect([isProbeTitle(first.title), isProbeFile(first.file)]).toEqual([true, true]);
      expect(first.title === second.title).toBe(one.getTime() === other.getTime());
      expect(first.file).toMatch(/^[\w-]+\.png$/);
    }),
  );
});

it("what only speaks of probes is none", () => {
  const { title, file } = probeNames(new Date());
  for (const one of [`${title} copy`, `About ${title}`, "guideferry probe, delete me, ", "guideferry probe", null, 7])
    expect(isProbeTitle(one)).toBe(false);
  for (const one of [`my-${file}`, "guideferry-probe-.png", "guideferry-probe-logo.png", undefined])
    expect(isProbeFile(one)).toBe(false);
});
