import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { expiryWarning, linkExpiry } from "../../../src/training/fetch-package.js";

const NOW = Date.parse("2026-11-20T23:15:00Z");

describe("the end of a link", () => {
  it.each([
    ["X-Amz-Date=20261120T230000Z&X-Amz-Expires=3600&X-Amz-Signature=x", "2026-11-21T00:00:00Z"],
    ["x-goog-date=20261120T230000Z&x-goog-expires=60", "2026-11-20T23:01:00Z"],
    ["sv=2024-01-01&se=2026-11-20T23%3A30%3A00Z&sig=x", "2026-11-20T23:30:00Z"],
    ["se=2026-11-21&sig=x", "2026-11-21T00:00:00Z"],
    ["se=2026-11-21T10:05Z&sig=x", "2026-11-21T10:05:00Z"],
    ["Expires=1795216500&Signature=x&Key-Pair-Id=K", "2026-11-20T23:15:00Z"],
    ["expires=1795216500&x-amz-date=20261120T230000Z&x-amz-expires=60", "2026-11-20T23:01:00Z"],
  ])("of ?%s", (query, expected) => {
    const expires = Date.parse(expected);
    expect(linkExpiry(`https://files.example/x.zip?${query}`, NOW)).toEqual({ expires, isExpired: expires <= NOW });
  });

  it.each([
    "",
    "X-Amz-Expires=3600",
    "X-Amz-Date=20261120T230000Z",
    "X-Amz-Date=20269920T230000Z&X-Amz-Expires=60",
    "X-Amz-Date=yesterday&X-Amz-Expires=60",
    "X-Amz-Date=20261120T230000Z&X-Amz-Expires=1e9",
    "se=2026-11-21",
    "se=never&sig=x",
    "expires=3600",
    "expires=99999999999999999999",
    "expires=",
  ])("is not known of ?%s", (query) => {
    expect(linkExpiry(`https://files.example/x.zip?${query}`, NOW)).toBeNull();
  });

  it("is never an error, whatever the address", () => {
    const name = fc.constantFrom("X-Amz-Date", "x-amz-expires", "se", "sig", "Expires");
    fc.assert(
      fc.property(fc.array(fc.tuple(name, fc.string())), fc.string(), (parameters, noise) => {
        const query = new URLSearchParams(parameters).toString();
        const expiry = linkExpiry(`https://files.example/x?${query}`, NOW);
        if (expiry !== null) expect(Number.isFinite(expiry.expires)).toBe(true);
        expect(linkExpiry(noise, NOW)).toBeNull();
      }),
    );
  });
});

describe("the warning about a link", () => {
  const ending = (minutes: number) =>
    expiryWarning(
      `https://files.example/x.zip?Expires=${NOW / 1000 + minutes * 60}&Signature=s3cret`,
      "the package",
      NOW,
    );

  it("comes when it has expired, or will within the hour, and has nothing of its query", () => {
    expect(ending(-1)).toBe("The link to the package expired at 2026-11-20T23:14:00Z. Get a new one if it is refused.");
    expect(ending(0)).toContain("expired at");
    expect(ending(30)).toMatch(/^The link to the package expires at 2026-11-20T23:45:00Z, in 30 min\. /);
    expect(ending(60)).toContain("in 60 min");
    expect(ending(61)).toBeNull();
    expect(expiryWarning("https://files.example/x.zip", "the package", NOW)).toBeNull();
  });
});
