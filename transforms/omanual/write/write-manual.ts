import type { ManualCategory, ManualGuide } from "../manual.js";
import type { Tell } from "./finding.js";
import { printElement } from "./print-element.js";
import { writeCategory } from "./write-category.js";
import { writeGuide } from "./write-guide.js";
import { holdableIn } from "./xml-characters.js";

/** With the slash: 1.0's own (omanual 1). */
const NAMESPACE = "http://omanual.com/";

/**
 * A document of oManual 1.0, canonical: equal documents give equal bytes (UTF-8, `\n`, two blanks a level, attributes and
 * elements in the order of the schema). It is valid by both 1.0 schemas, by the older one that wants five more elements, and
 * by the vendor's patch (omanual 13). What 1.0 has no place for is told of and left out. Never throws.
 */
export function writeManual(manual: ManualGuide | ManualCategory, tell: Tell = () => undefined): string {
  const { at: _, extra: __, ...content } = manual;
  const clean = holdableIn(content, "", tell) as typeof manual;
  const root = clean.kind === "guide" ? writeGuide(clean, tell) : writeCategory(clean, tell);
  const attributes = { xmlns: NAMESPACE, ...root.attributes };
  return `<?xml version="1.0" encoding="UTF-8"?>\n${printElement({ ...root, attributes })}`;
}
