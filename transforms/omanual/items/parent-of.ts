import type { ManualCategory } from "../manual.js";
import { type Converting, remark } from "./converting.js";

const ROOT = /^root$/i;

/** The category's parent; null at the top. */
export function parentOf(manual: ManualCategory, converting: Converting): string | null {
  const [parent = null] = ancestorsOf(manual);
  const names = manual.ancestors.filter((name) => !ROOT.test(name.trim()));
  if (names.length > 1 && names.length === manual.ancestors.length) {
    const what = `the ancestors ${names.join(", ")} do not say which end is the top, as "Root" would; the first one is taken as the nearest`;
    remark(converting, { code: "ancestors-order", level: "note", path: "parent", what }, manual.at);
  }
  return parent;
}

/**
 * Nearest first, without `Root`. Real files begin with the nearest and end with `Root`, the documentation has it the other
 * way round (omanual 3): where `Root` comes first, the list is turned.
 */
export function ancestorsOf({ ancestors }: Pick<ManualCategory, "ancestors">): readonly string[] {
  const names = ancestors.map((name) => name.trim()).filter((name) => name !== "");
  const turned = ROOT.test(names[0] ?? "") ? names.toReversed() : names;
  return turned.filter((name) => !ROOT.test(name));
}
