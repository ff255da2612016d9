import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { startService } from "./service.js";

const SPECIFICATION = fileURLToPath(new URL("../../../shared/spec/service-api.md", import.meta.url));

/** Method and path as the specification writes them, and why the sandbox does not serve them. */
const UNSERVED: Readonly<Record<string, string>> = {};

const METHODS = "GET|POST|PUT|PATCH|DELETE";

/**
 * `METHOD /path` of every endpoint that the page names, parameters as they stand there, queries
 * left out.
 */
function endpointsOf(page: string): readonly string[] {
  const endpoints = page.slice(page.indexOf("\n## Endpoints"), page.indexOf("\n## Authentication"));
  const found = endpoints.matchAll(new RegExp(`\\b(${METHODS}) (/[^\\s;|*,]*)`, "g"));
  const names = [...found].map(
    ([, method, path = ""]) => `${method} ${path.replace(/\?.*$/, "").replace(/[.)]+$/, "")}`,
  );
  return [...new Set(names)];
}

/** A value for every kind of parameter, so that the path fits the router. */
const VALUES: Readonly<Record<string, string>> = {
  namespace: "CATEGORY",
  title: "Frames",
  langid: "en",
  doc_type: "guide",
  doctype: "guide",
  documentType: "guide",
  search: "a",
  search_phrase: "a",
  searchTerm: "a",
  email: "a@b.example",
};

function addressOf(path: string): string {
  return path
    .replaceAll(/\{([^}]+)\}/g, (_all, name: string) => VALUES[name] ?? "1")
    .replaceAll(/:([a-z]+)/gi, (_all, name: string) => VALUES[name] ?? "1");
}

const isMissing = !existsSync(SPECIFICATION);
const served = isMissing ? [] : endpointsOf(readFileSync(SPECIFICATION, "utf8"));

describe("the specification", () => {
  it("has 147 endpoints", { tags: ["shared"] }, () => {
    expect(served.length).toBe(147);
    expect(Object.keys(UNSERVED).filter((name) => !served.includes(name))).toEqual([]);
  });

  it("is served method by method, but for what is declared unserved", { tags: ["shared"] }, async () => {
    const { send } = await startService();
    const refused: string[] = [];
    for (const endpoint of served) {
      const [method = "", path = ""] = endpoint.split(" ");
      const { status, body } = await send(method, addressOf(path));
      if (status === 405 || status >= 500 || body?.message === "Endpoint not found") refused.push(endpoint);
    }
    expect(refused.toSorted()).toEqual(Object.keys(UNSERVED).toSorted());
  });
});
