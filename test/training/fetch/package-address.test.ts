import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { looksLikeAddress, packageAddress, sourceOf } from "../../../src/training/fetch-package.js";

const source = (query: string) => sourceOf(new URL(`https://files.example/get${query}`));

describe("what a package of the web is called", () => {
  it.each([
    "",
    "?",
    "?X-Amz-Algorithm=a&X-Amz-Credential=b&X-Amz-Signature=s3cret",
    "?sv=1&se=2026-11-21&sr=b&sp=r&sig=s3cret",
    "?Expires=1&Signature=s3cret&Key-Pair-Id=K",
    "?token=s3cret",
  ])("is the address without the query that signs it (%s)", (query) => {
    expect(source(query)).toBe("https://files.example/get");
  });

  it("tells packages apart that differ in the query only, in the same words every day", () => {
    const [one, two] = [source("?id=1"), source("?id=2")];
    expect(one).toMatch(/^https:\/\/files\.example\/get \(query [0-9a-f]{8}\)$/);
    expect(one).not.toBe(two);
    expect(source("?X-Amz-Signature=today&id=1")).toBe(one);
    expect(source("?id=1&X-Amz-Signature=tomorrow")).toBe(one);
    expect(source("?se=7")).not.toBe(source(""));
  });

  it("never has anything of a query or fragment in it", () => {
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true, withFragments: true }), (text) => {
        const { url, source: name } = packageAddress(text.replace(/^http:/, "https:"));
        expect(name).toMatch(/^https:\/\/[^?#]*$/);
        expect(url).not.toContain("#");
      }),
    );
  });
});

describe("an address", () => {
  it.each([
    ["https://files.example/x", true],
    [" HTTP://files.example", true],
    ["s3://bucket/x", true],
    ["C:\\courses\\x.zip", false],
    ["c://x", false],
    ["courses/x.zip", false],
  ])("is told from a path: %j", (text, expected) => {
    expect(looksLikeAddress(text)).toBe(expected);
  });
});
