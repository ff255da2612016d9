import { text } from "../../wiki/build-inlines.js";
import type { Inline } from "../../wiki/tree.js";
import { GUARD } from "../../wiki/unsafe.js";

/** Words of a bold or italic stretch, whose first or last apostrophe would be read as part of its marker. */
export function guardEdges(words: readonly Inline[]): readonly Inline[] {
  const [first] = words;
  const last = words.at(-1);
  return [
    ...(first?.type === "text" && first.value.startsWith("'") ? [text(GUARD)] : []),
    ...words,
    ...(last?.type === "text" && last.value.endsWith("'") ? [text(GUARD)] : []),
  ];
}
