import type { Guide, Part, Step } from "../../src/core/model/guide.js";
import type { Item } from "../../src/core/model/item.js";
import type { Wiki } from "../../src/core/model/wiki.js";
import type { TextContext } from "../wiki/tree.js";
import { mapSame, withFields } from "./same.js";

/** Gives another wiki text for one, or the same. `path`: where it stands in the item, in the model's words. */
export type ChangeText = (text: string, context: TextContext, path: string) => string;

/**
 * An item with all its wiki texts changed: introduction, conclusion, step lines, notes of parts and tools, the contents of
 * pages and of their translations. Titles, summaries and descriptions are plain text (wiki-syntax 1). The very same item when no text changes.
 */
export function mapTexts(item: Item, change: ChangeText): Item {
  if (item.kind === "guide") return withFields(item, { body: inGuide(item.body, change) });
  if (item.kind === "category" || item.kind === "wiki") return withFields(item, { body: inWiki(item.body, change) });
  return item;
}

function inGuide(guide: Guide, change: ChangeText): Guide {
  const parts = (list: "parts" | "tools"): readonly Part[] =>
    mapSame(guide[list], (part, index) =>
      withFields(part, { notes: change(part.notes, "line", `${list}[${index}].notes`) }),
    );
  return withFields(guide, {
    introduction: change(guide.introduction, "page", "introduction"),
    conclusion: change(guide.conclusion, "page", "conclusion"),
    steps: mapSame(guide.steps, (step, index) => inStep(step, `steps[${index}]`, change)),
    parts: parts("parts"),
    tools: parts("tools"),
  });
}

function inStep(step: Step, path: string, change: ChangeText): Step {
  const lines = mapSame(step.lines, (line, index) =>
    withFields(line, { text: change(line.text, "line", `${path}.lines[${index}].text`) }),
  );
  return withFields(step, { lines });
}

function inWiki(wiki: Wiki, change: ChangeText): Wiki {
  const contents = change(wiki.contents, "page", "contents");
  if (wiki.translations === undefined) return withFields(wiki, { contents });
  const translations = mapSame(wiki.translations, (one) =>
    withFields(one, { contents: change(one.contents, "page", `translations.${one.language}.contents`) }),
  );
  return withFields(wiki, { contents, translations });
}
