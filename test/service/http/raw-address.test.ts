import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { UsageError } from "../../../src/core/errors.js";
import { rawAddress } from "../../../src/service/http/raw-call.js";

const ROOT = "https://site.example/api/2.0";

describe("the address of a call that a person writes", () => {
  it.each([
    ["guides/12", "guides/12"],
    ["/guides/12", "guides/12"],
    ["/api/2.0/guides/12", "guides/12"],
    ["api/2.0/guides?limit=5", "guides?limit=5"],
    ["api/2.0x/guides", "api/2.0x/guides"],
    ["guides?limit=5&order=desc", "guides?limit=5&order=desc"],
    ["wikis/CATEGORY/Hand Looms", "wikis/CATEGORY/Hand%20Looms"],
    ["wikis/CATEGORY/A%2FB", "wikis/CATEGORY/A%2FB"],
    ["wikis/INFO/100%25 wool", "wikis/INFO/100%25%20wool"],
    ["search/x?filter=a?b://c/../d", "search/x?filter=a?b://c/../d"],
  ])("%s stays below the root", (written, address) => {
    expect(rawAddress(ROOT, written).href).toBe(`${ROOT}/${address}`);
  });

  it.each([
    "",
    "/",
    "https://evil.example/api/2.0/guides",
    "HTTPS:evil.example",
    "//evil.example/guides",
    "/\\evil.example",
    "\\\\evil.example/x",
    "../guides",
    "guides/..",
    "guides/./12",
    "guides/%2e%2e/12",
    "guides/%2E./%2e%2E/12",
    "guides/..%2f..%2fadmin",
    "guides/%252e%252e%252fadmin",
    "guides/x%5c..%5c..",
    "guides//12",
    "guides/12#top",
    "guides/%",
    "guides/%0d%0aHost:%20evil.example",
    "guides/1\r\nHost: evil.example",
    "javascript:alert(1)",
  ])("%j is refused", (written) => {
    expect(() => rawAddress(ROOT, written)).toThrow(UsageError);
  });

  it("never leads elsewhere, whatever is written", () => {
    const piece = fc.constantFrom(
      "..",
      ".",
      "/",
      "\\",
      "%2e",
      "%2f",
      "%5c",
      "%25",
      "@",
      ":",
      "?",
      "#",
      "evil.example",
      "https:",
      " ",
      "\t",
      "a",
      "é",
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, fc.string({ maxLength: 3 })), { maxLength: 8 }), (pieces) => {
        const written = pieces.join("");
        let url: URL;
        try {
          url = rawAddress(ROOT, written);
        } catch (error) {
          expect(error).toBeInstanceOf(UsageError);
          return;
        }
        expect(url.href.startsWith(`${ROOT}/`)).toBe(true);
        expect([url.username, url.password, url.hash]).toEqual(["", "", ""]);
        let decoded = url.pathname;
        for (let times = 0; times < 3; times += 1) {
          expect(decoded.split(/[/\\]/).filter((part) => /^\.\.?$/.test(part))).toEqual([]);
          decoded = decoded.replace(/%[0-9a-f]{2}/gi, (code) =>
            String.fromCharCode(Number.parseInt(code.slice(1), 16)),
          );
        }
      }),
      { numRuns: 1000 },
    );
  });
});
