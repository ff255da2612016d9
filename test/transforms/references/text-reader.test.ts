import fc from "fast-check";
import { expect, it, vi } from "vitest";
import type { Key } from "../../../src/core/model/key.js";
import { SiteTexts } from "../../../src/service/target/texts.js";
import { references } from "../../../transforms/references/references.js";
import { rewriteReferences } from "../../../transforms/references/rewrite-references.js";
import { readerOf, TextReader } from "../../../transforms/references/text-reader.js";
import { parse } from "../../../transforms/wiki/parse.js";
import { markerSoup } from "../wiki/marker-soup.js";
import { NEW, OLD, PIECES, sameName } from "./sites.js";

const { parsed } = vi.hoisted(() => ({ parsed: [] as string[] }));
vi.mock(import("../../../transforms/wiki/parse.js"), async (original) => {
  const module = await original();
  const counted = (text: string, options: { readonly context: "page" | "line" }) => {
    parsed.push(text);
    return module.parse(text, options);
  };
  return { ...module, parse: counted as typeof module.parse };
});

const TEXT = fc.oneof(
  fc.array(fc.constantFrom(...PIECES), { maxLength: 14 }).map((chosen) => chosen.join("")),
  markerSoup,
);
const CONTEXT = fc.constantFrom("page" as const, "line" as const);

it("gives what parse and references give, the first time and from memory", () => {
  const reader = new TextReader(OLD);
  fc.assert(
    fc.property(TEXT, CONTEXT, (text, context) => {
      for (const _ of [1, 2]) {
        expect(reader.references(text, context)).toEqual(references(text, OLD, context));
        expect(reader.tree(text, context)).toEqual(parse(text, { context }).tree);
      }
    }),
    { numRuns: 500 },
  );
});

it("parses a text once for its tree and its references, in whatever order", () => {
  const reader = new TextReader(OLD);
  for (const context of ["page", "line"] as const) {
    parsed.length = 0;
    reader.references("See [guide|12|the loom].", context);
    reader.tree("See [guide|12|the loom].", context);
    reader.tree("See [guide|13|the reed].", context);
    reader.references("See [guide|13|the reed].", context);
    expect(parsed).toEqual(["See [guide|12|the loom].", "See [guide|13|the reed]."]);
  }
});

it("is one for each site", () => {
  expect(readerOf(OLD)).toBe(readerOf(OLD));
  expect(readerOf(NEW)).not.toBe(readerOf(OLD));
});

it("forgets what was asked for longest ago, so that a whole site takes no more memory than a few guides", () => {
  const reader = new TextReader(OLD);
  const text = (number: number) => `[guide|${number}|x] ${"words ".repeat(10_000)}`;
  for (let number = 1; number <= 100; number += 1) {
    reader.references(text(number), "page");
    reader.references(text(1), "page");
  }
  parsed.length = 0;
  reader.references(text(100), "page");
  reader.references(text(1), "page");
  expect(parsed).toEqual([]);
  reader.references(text(2), "page");
  reader.tree(text(90), "page");
  expect(parsed).toEqual([text(2), text(90)]);
});

it("forgets short texts too, each of which takes more memory than its characters", () => {
  const reader = new TextReader(OLD);
  for (let number = 1; number <= 12_000; number += 1) reader.references(`[${number}]`, "line");
  parsed.length = 0;
  reader.references("[12000]", "line");
  expect(parsed).toEqual([]);
  reader.references("[1]", "line");
  expect(parsed).toEqual(["[1]"]);
});

const site = (addresses: typeof OLD) => ({
  root: `${addresses.origin}/api/2.0`,
  siteId: "1",
  name: "site",
  dialect: "dozuki" as const,
  language: "en",
  languages: ["en"],
  account: null,
  ...addresses,
});

it("a text that no pass changes goes out as the very same string", async () => {
  const old = site(OLD);
  const texts = new SiteTexts({ source: () => old, target: () => old, dangling: "absolute", toOrigin: true });
  const context = { idOf: async (key: Key) => sameId(key), moves: () => true, addressOf: () => undefined };
  await fc.assert(
    fc.asyncProperty(TEXT, CONTEXT, async (text, where) => {
      const sent = await texts.rewrite(text, where, context, null);
      expect(Object.is(sent.text, text)).toBe(true);
      expect(sent).toMatchObject({ missing: [], dangling: [] });
    }),
    { numRuns: 500 },
  );
});

/** Of a wiki with its namespace, as the ledger knows it. */
function sameId(key: Key): string {
  return key.slice(key.indexOf("/") + 1);
}

it("what is sent is what the references of the text are rewritten to", async () => {
  const [old, target] = [site(OLD), site(NEW)];
  const texts = new SiteTexts({ source: () => old, target: () => target, dangling: "absolute" });
  const known = (key: Key): boolean => key.length % 2 === 0;
  const context = {
    idOf: async (key: Key) => (known(key) ? sameId(key) : undefined),
    moves: (key: Key) => key.length % 3 === 0,
    addressOf: () => undefined,
  };
  const resolve = (key: Key) =>
    known(key) ? sameName(key) : context.moves(key) ? ({ later: true } as const) : ({ never: true } as const);
  await fc.assert(
    fc.asyncProperty(TEXT, CONTEXT, fc.constantFrom(null, 20), async (text, where, limit) => {
      const options = { source: old, target, context: where, resolve };
      const linked = rewriteReferences(text, options);
      const fits = limit === null || linked.text.length <= limit;
      const wanted = fits ? linked : rewriteReferences(text, { ...options, later: "label" });
      expect(await texts.rewrite(text, where, context, limit)).toEqual(wanted);
    }),
    { numRuns: 500 },
  );
});
