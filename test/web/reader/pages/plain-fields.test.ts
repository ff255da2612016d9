import fc from "fast-check";
import { expect, it } from "vitest";
import { guideItem, step, wikiItem } from "../../../helpers/items.js";
import { madePage } from "./helpers/made-page.js";

const part = (text: string) => ({
  name: text,
  type: text,
  quantity: 2,
  notes: text,
  url: text,
  optional: null,
  featured: null,
});

async function tagsOf(text: string, path: string): Promise<readonly string[]> {
  const author = { id: 1, name: text, uniqueName: text };
  const embed = { type: "embed", url: text, title: text } as const;
  const steps = [step(1, [], { title: text }), step(2, [], { media: embed })];
  const plain = {
    title: text,
    summary: text,
    subject: text,
    difficulty: text,
    type: text,
    flags: [text],
    tags: [text],
  };
  const items = [
    guideItem(1, { ...plain, category: text, author, parts: [part(text)], tools: [part(text)], steps }),
    wikiItem("CATEGORY", text, { displayTitle: text, description: text, info: [{ name: text, value: text }], author }),
  ];
  const { all } = await madePage([{ items }], path);
  return all().map(({ tagName }) => tagName);
}

it.each(["guide/1.html", "index.html"])(
  "makes no element of what stands in a field without markup: %s",
  async (path) => {
    const expected = await tagsOf("words", path);
    const markup = fc.constantFrom(
      "<b>",
      "</p>",
      '"><img src=x onerror=harm()>',
      "&lt;",
      "<!--",
      "]]>",
      "<script>",
      "'",
      "a",
      " ",
      "/",
      "é",
    );
    const text = fc.array(markup, { minLength: 1, maxLength: 6 }).map((pieces) => `w${pieces.join("")}`);
    await fc.assert(
      fc.asyncProperty(text, async (words) => {
        expect(await tagsOf(words, path)).toEqual(expected);
      }),
      { numRuns: 60 },
    );
  },
);
