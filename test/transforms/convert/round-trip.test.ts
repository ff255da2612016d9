import fc from "fast-check";
import { describe, expect, it } from "vitest";
import "../../helpers/seed.js";
import type { GuideItem, WikiItem } from "../../../src/core/model/item.js";
import type { Key } from "../../../src/core/model/key.js";
import { convertDocument, DOCUMENT_READERS } from "../../../transforms/convert/convert-document.js";
import type { ConvertIssue, PageFormat } from "../../../transforms/convert/formats.js";
import { anyCategory, anyGuide } from "../omanual/write/arbitrary-items.js";
import { differences, untold } from "../omanual/write/read-back.js";
import { pageGuide, pageWiki } from "./page-items.js";

type Item = GuideItem | WikiItem;

const TARGETS = [
  ["markdown", "markdown"],
  ["html", "html"],
  ["plain-html", "html"],
  ["wiki", "wiki"],
] as const;

interface Trip {
  readonly page: string;
  readonly issues: readonly ConvertIssue[];
  readonly read: Item;
}

function trip(item: Item, to: (typeof TARGETS)[number][0], from: PageFormat): Trip {
  const { text, issues } = convertDocument(JSON.stringify(item), { from: "json", to, name: "guide-1.json" });
  const { item: read } = DOCUMENT_READERS[from](text, { from, to: "json", name: "guide-1.page" });
  return { page: text, issues, read };
}

/** What an item says, by keys that do not hang on how it was read. */
function said({ body, media }: Item): unknown {
  const keys = new Map<string, string | null>(media.map(({ key, url }) => [key, url]));
  const named = (value: unknown): unknown => {
    if (typeof value === "string") return keys.get(value as Key) ?? value;
    if (Array.isArray(value)) return value.map(named);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [name, name === "key" || name === "id" ? null : named(inner)]),
    );
  };
  return named(body);
}

describe("a page of a guide or category that a page can say all of", () => {
  it.each(TARGETS.slice(0, 2))("is read from %s as the same again", (to, from) => {
    fc.assert(
      fc.property(fc.oneof({ arbitrary: pageGuide, weight: 3 }, { arbitrary: pageWiki, weight: 1 }), (item) => {
        const { read, page, issues } = trip(item, to, from);
        const missed = differences(said(item), said(read));
        const spelled = issues.filter(({ code }) => code === "text-spelling").map(({ path }) => path);
        expect([page, missed.filter((path) => !spelled.includes(path))]).toEqual([page, []]);
      }),
      { numRuns: Number(process.env["RUNS"] ?? 40) },
    );
  });
});

describe("a page of any guide or category", () => {
  it.each(TARGETS)("in %s is read as the same again, but for what is told of", (to, from) => {
    fc.assert(
      fc.property(fc.oneof({ arbitrary: anyGuide, weight: 3 }, { arbitrary: anyCategory, weight: 1 }), (item) => {
        const { issues, read } = trip(item, to, from);
        const told = issues.map((issue) => ({ ...issue, path: issue.path ?? "", key: item.key }));
        expect(untold(differences(said(item), said(read)), told)).toEqual([]);
      }),
      { numRuns: Number(process.env["RUNS"] ?? 30) },
    );
  });
});
