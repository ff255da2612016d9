import { createContext, runInContext } from "node:vm";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import "../../../helpers/seed.js";
import { searchScript } from "../../../../src/web/reader/search/search-index.js";
import { browserSearch } from "./helpers/browser-search.js";

const text = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.constantFrom("it's", "\\", "\\u0041", "'\\'", "</script>", "\u2028"),
);

describe("a file of the index", () => {
  const { receive, read } = browserSearch();

  it("hands the same over to a page from a disk and to one that fetches it", () => {
    fc.assert(
      fc.property(fc.array(text), (texts) => {
        const script = searchScript("0-text-1", JSON.stringify(texts));
        const { name, json } = receive(script);
        expect(name).toBe("0-text-1");
        expect(JSON.parse(json)).toEqual(texts);
        expect(read(script)).toBe(json);
      }),
    );
  });

  it("tells nothing to a page of a web server that runs it", () => {
    const script = searchScript("index", '"secret"');
    const told = (protocol: string): unknown =>
      runInContext(
        `told = []; searchFile = (...all) => told.push(...all); ${script}; told.length`,
        createContext({ location: { protocol } }),
      );
    expect(told("https:")).toBe(0);
    expect(told("http:")).toBe(0);
    expect(told("file:")).toBe(2);
  });
});
