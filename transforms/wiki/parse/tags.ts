import type { Scope } from "./scope.js";
import { report } from "./source.js";

const TAG = /\[\/?(code|quote|summary)\]/iy;

/** Reads the tag of a block inside of text, where it means nothing; undefined when there is none at `at`. */
export function readTag({ source, text, end: scopeEnd, tokens }: Scope, at: number): number | undefined {
  TAG.lastIndex = at;
  const found = TAG.exec(text);
  if (found === null || TAG.lastIndex > scopeEnd) return undefined;
  const [value, keyword = ""] = found;
  const end = at + value.length;
  report(source, source.context === "line" ? "block-in-line" : "block-in-text", at, end);
  tokens.push({
    start: at,
    end,
    node: { type: "opaque", keyword: keyword.toLowerCase(), value, position: { start: at, end } },
  });
  return end;
}
