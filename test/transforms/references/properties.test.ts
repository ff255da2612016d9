import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Key } from "../../../src/core/model/key.js";
import { keysOf, type Reference, type Span } from "../../../transforms/references/reference.js";
import { placesOf, references } from "../../../transforms/references/references.js";
import type { RewriteOptions } from "../../../transforms/references/rewrite-options.js";
import { rewriteReferences } from "../../../transforms/references/rewrite-references.js";
import { parse } from "../../../transforms/wiki/parse.js";
import { markerSoup } from "../wiki/marker-soup.js";
import { NEW, OLD, optionsFor, PIECES, sameName } from "./sites.js";

const RUNS = { numRuns: 1000 };

/**
 * Texts of the dialect's pieces glued together, so that brackets open and close in all ways, and
 * quite arbitrary ones.
 */
const TEXT = fc.oneof(
  { weight: 9, arbitrary: gluedFrom(PIECES) },
  { weight: 3, arbitrary: markerSoup },
  { weight: 1, arbitrary: fc.string({ unit: "binary" }) },
);

function gluedFrom(pieces: readonly string[]): fc.Arbitrary<string> {
  return fc.array(fc.constantFrom(...pieces), { maxLength: 14 }).map((chosen) => chosen.join(""));
}

const CONTEXT = fc.constantFrom("page" as const, "line" as const);

/** Any mixture of answers, the same for the same key. */
const RESOLVE: fc.Arbitrary<RewriteOptions["resolve"]> = fc.func(
  fc.oneof(
    fc.record({ id: fc.integer({ min: 1000, max: 9999 }).map(String) }),
    fc.constant({ later: true as const }),
    fc.constant({ never: true as const }),
    fc.constant({ absent: true as const }),
  ),
);

const OPTIONS: fc.Arbitrary<RewriteOptions> = fc.record({
  source: fc.constant(OLD),
  target: fc.constant(NEW),
  context: CONTEXT,
  resolve: RESOLVE,
  dangling: fc.constantFrom("absolute" as const, "label" as const),
  later: fc.constantFrom("absolute" as const, "label" as const),
});

/** The parts of a text that lie in none of the spans. */
function outside(text: string, spans: readonly Span[]): readonly string[] {
  const parts: string[] = [];
  let at = 0;
  for (const { start, end } of spans) {
    if (start > at) parts.push(text.slice(at, start));
    at = Math.max(at, end);
  }
  return [...parts, text.slice(at)];
}

/** Does the reference hold a number that the target would look up in its own things? */
function holdsBareNumber(reference: Reference): boolean {
  return (reference.form === "macro" && reference.key !== null) || reference.form === "metadata";
}

describe("for every text", () => {
  it("references lie in order, each in the text, apart or nested", () => {
    fc.assert(
      fc.property(TEXT, CONTEXT, (text, context) => {
        const found = references(text, OLD, context);
        for (const [index, reference] of found.entries()) {
          const next = found[index + 1];
          expect(reference.start).toBeLessThan(reference.end);
          expect(reference.end).toBeLessThanOrEqual(text.length);
          expect(next === undefined || next.start >= reference.body).toBe(true);
          if (next !== undefined && reference.close !== null) {
            expect(next.start >= reference.end || next.end <= reference.end).toBe(true);
          }
          expect(keysOf(reference).length > 0 || reference.key === null).toBe(true);
        }
      }),
      {
        ...RUNS,
        examples: [
          ["[product|http://guides.old.example:8080/c/My_Loom|new_window=true[[User:5]]", "page"],
          ["[product|http://guides.old.example:8080/c/My_Loom|stepid=5\n[/code]", "page"],
          ["[link|/c/https://old.example||[code]\n", "page"],
          ["[/c/https://old.example|x [code]\n", "page"],
          ["[[A https://old.example|x [code]] ]]\n", "page"],
          ["[[A https://old.example|x\n\n]]\n", "page"],
        ],
      },
    );
  });

  it("the same ids at the same site give back the very same string", () => {
    const options = optionsFor({}, { target: OLD, resolve: sameName });
    fc.assert(
      fc.property(TEXT, CONTEXT, (text, context) => {
        expect(rewriteReferences(text, { ...options, context })).toEqual({ text, missing: [], dangling: [] });
      }),
      RUNS,
    );
  });

  it("what is outside of references stays byte for byte, in order", () => {
    fc.assert(
      fc.property(TEXT, OPTIONS, (text, options) => {
        const rewritten = rewriteReferences(text, options).text;
        let at = 0;
        for (const part of outside(text, references(text, OLD, options.context))) {
          const found = rewritten.indexOf(part, at);
          expect(found).toBeGreaterThanOrEqual(at);
          at = found + part.length;
        }
      }),
      RUNS,
    );
  });

  it("no bare id of the old site remains when nothing has an id at the target", () => {
    const away: readonly RewriteOptions["resolve"][] = [
      () => ({ never: true }),
      () => ({ later: true }),
      () => ({ absent: true }),
    ];
    fc.assert(
      fc.property(TEXT, OPTIONS, fc.constantFrom(...away), (text, options, resolve) => {
        const rewritten = rewriteReferences(text, { ...options, resolve }).text;
        expect(references(rewritten, OLD, options.context).filter(holdsBareNumber)).toEqual([]);
        expect(BARE_GUIDE.test(withoutCode(rewritten, options))).toBe(false);
      }),
      RUNS,
    );
  });

  it("every number that remains in a macro is one that the target knows", () => {
    fc.assert(
      fc.property(TEXT, OPTIONS, (text, options) => {
        const rewritten = rewriteReferences(text, options).text;
        for (const reference of references(rewritten, NEW, options.context).filter(holdsBareNumber)) {
          expect(keysOf(reference).every((key) => /\/[1-9]\d{3}$/.test(key))).toBe(true);
        }
      }),
      RUNS,
    );
  });

  it("the tree of what was written holds no number but those that the target knows", () => {
    fc.assert(
      fc.property(TEXT, OPTIONS, (text, options) => {
        const rewritten = rewriteReferences(text, options).text;
        const numbers = placesOf(parse(rewritten, { context: options.context }).tree).flatMap(({ node }) =>
          "target" in node && /^(?:guide|image|video|document)/.test(node.type === "link" ? node.kind : node.type)
            ? [node.target]
            : [],
        );
        expect(numbers.filter((target) => /^\d+$/.test(target) && !/^[1-9]\d{3}$/.test(target))).toEqual([]);
      }),
      RUNS,
    );
  });

  it("what went home under other numbers comes back as the very same text", () => {
    const shifted = (by: bigint) => (key: Key) => {
      const { id } = sameName(key);
      return { id: /^(?:guide|step|image|video|document)\/\d{1,15}$/.test(key) ? String(BigInt(id) + by) : id };
    };
    fc.assert(
      fc.property(gluedFrom(PIECES.filter((piece) => piece !== "0012")), CONTEXT, (text, context) => {
        const options = { source: OLD, target: OLD, context };
        const away = rewriteReferences(text, { ...options, resolve: shifted(1000n) }).text;
        expect(rewriteReferences(away, { ...options, resolve: shifted(-1000n) }).text).toBe(text);
      }),
      RUNS,
    );
  });

  it("the label form is never longer than what the author wrote", () => {
    fc.assert(
      fc.property(TEXT, OPTIONS, (text, options) => {
        const resolve: RewriteOptions["resolve"] = () => ({ later: true });
        const labelled = rewriteReferences(text, { ...options, resolve, later: "label", dangling: "label" });
        expect(labelled.text.length).toBeLessThanOrEqual(text.length);
      }),
      RUNS,
    );
  });
});

/** A guide macro as a simpler reader would find it: up to the first closing bracket. */
const BARE_GUIDE = /\[guide\s*\|\s*\d+\s*(?:\]|\|[^\]]*\])/i;

/** Code blocks of pages hold no references. */
function withoutCode(text: string, { context }: RewriteOptions): string {
  return context === "line" ? text : text.replace(/(?<=^|\n)\[code\][ \t]*\r?\n[\s\S]*?\n?\[\/code\]/g, "");
}
