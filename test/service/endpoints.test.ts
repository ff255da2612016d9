import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { ENDPOINTS } from "../../src/service/endpoints/endpoints.js";
import { addressOf, pathWith, recordEndpoint } from "../../src/service/endpoints/record-endpoints.js";
import { segment } from "../../src/service/http/client.js";

const SPECIFICATION = new URL("../../../shared/spec/service-api.md", import.meta.url);
const FACTS = new URL("../../../shared/spec/api-facts.md", import.meta.url);

/** Every method and path that stands in the chapter "Endpoints". */
function specified(): readonly string[] {
  const text = readFileSync(SPECIFICATION, "utf8");
  const chapter = text.slice(text.indexOf("\n## Endpoints"), text.indexOf("\n## Authentication"));
  return [...chapter.matchAll(/\b(GET|POST|PUT|PATCH|DELETE) (\/[\w{}:/?=]+)/g)].map(([, ...words]) => words.join(" "));
}

const named = ({ method, path }: { readonly method: string; readonly path: string }): string => `${method} ${path}`;

describe("the table of endpoints", () => {
  it("has no endpoint twice", () => {
    expect(new Set(ENDPOINTS.map(named)).size).toBe(ENDPOINTS.length);
  });

  it("has every method and path of the specification, and no other", { tags: ["shared"] }, () => {
    const paths = specified();
    expect(paths.length).toBeGreaterThan(140);
    expect(new Set(paths).size).toBe(paths.length);
    const ours = ENDPOINTS.filter(({ beyond }) => beyond !== true).map(named);
    expect(ours.toSorted()).toEqual(paths.toSorted());
  });

  it("has beyond the specification only what the collected facts know", { tags: ["shared"] }, () => {
    const facts = readFileSync(FACTS, "utf8").replaceAll(/\{[^}]*\}/g, "{}");
    const beyond = ENDPOINTS.filter((one) => one.beyond === true);
    expect(beyond.length).toBeGreaterThan(0);
    // One line there lists several paths by what follows their first word:
    // `/step_forms/stepid/{id}`, `/guideid/{id}`.
    const isKnown = (path: string): boolean =>
      facts.includes(path) ||
      (facts.includes(`/${path.split("/")[1]}/`) && facts.includes(`\`${path.replace(/^\/\w+/, "")}\``));
    expect(beyond.map(({ path }) => path.replaceAll(/\{[^}]*\}/g, "{}")).filter((path) => !isKnown(path))).toEqual([]);
  });

  it("says why nothing is done with those that are never used", () => {
    for (const { use } of ENDPOINTS) if (use.by === "never") expect(use.why.length).toBeGreaterThan(10);
  });

  it("walks only reads, and rows of lists that are read", () => {
    for (const { method, path, use } of ENDPOINTS) {
      if (use.by !== "backup") continue;
      expect(method === "GET" || path === "/quizzes/getQuizzes").toBe(true);
      for (const walk of use.walks) {
        const of = walk.per === "row" ? walk.of : walk.per === "site" ? undefined : walk.ifAny;
        if (of === undefined) continue;
        const list = ENDPOINTS.find((one) => one.method === "GET" && one.path === of);
        expect(["extract", "backup"]).toContain(list?.use.by);
      }
    }
  });
});

describe("a path of a record", () => {
  const kept = ENDPOINTS.filter(({ use }) => use.by === "backup");

  it.each(kept.map(({ path }) => path))("%s is found again from a path with values", (path) => {
    const values: Readonly<Record<string, string>> = { doc_type: "guide", doctype: "guide", documentType: "guide" };
    expect(recordEndpoint(pathWith(path, (part) => values[part] ?? "7"))?.path).toBe(path);
  });

  it("keeps a title with slashes and blanks together, and escapes it for the address", () => {
    const path = "wikis/CATEGORY/Looms / Hand/identification";
    const endpoint = recordEndpoint(path);
    expect(endpoint?.path).toBe("/wikis/CATEGORY/{title}/identification");
    expect(endpoint === undefined ? "" : addressOf(endpoint, path, segment)).toBe(
      "wikis/CATEGORY/Looms%20%2F%20Hand/identification",
    );
  });

  it("is no other one", () => {
    expect(recordEndpoint("guides/12")).toBeUndefined();
    expect(recordEndpoint("guides/12/releases/3")).toBeUndefined();
  });
});
