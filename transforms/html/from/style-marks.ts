import type { MarkType } from "../../wiki/tree.js";

/**
 * What a `style` attribute says of words: true where they have a mark, false where they have not. Editors that people copy from
 * write little else: `<span style="font-weight:700">` is bold there, and `<b style="font-weight:normal">` is not.
 */
export function styleMarks(style: string): ReadonlyMap<MarkType, boolean> {
  const marks = new Map<MarkType, boolean>();
  if (style === "") return marks;
  for (const declaration of style.toLowerCase().split(";")) {
    const colon = declaration.indexOf(":");
    const rules = RULES.get(declaration.slice(0, Math.max(colon, 0)).trim()) ?? [];
    const value = declaration.slice(colon + 1).trim();
    for (const { pattern, types, says } of rules) {
      if (pattern.test(value)) for (const type of types) marks.set(type, says);
    }
  }
  return marks;
}

interface Rule {
  readonly pattern: RegExp;
  readonly types: readonly MarkType[];
  /** Whether words have these marks. */
  readonly says: boolean;
}

const LINES: readonly Rule[] = [
  { pattern: /\bunderline\b/, types: ["underline"], says: true },
  { pattern: /\bline-through\b/, types: ["strike"], says: true },
  { pattern: /^none\b/, types: ["underline", "strike"], says: false },
];

/** By property. Weights from 600 are bold (CSS Fonts 4, 2.2). */
const RULES: ReadonlyMap<string, readonly Rule[]> = new Map([
  [
    "font-weight",
    [
      { pattern: /^(?:bold|[6-9]\d\d\b)/, types: ["strong"], says: true },
      { pattern: /^(?:normal|lighter|[1-5]\d\d\b)/, types: ["strong"], says: false },
    ],
  ],
  [
    "font-style",
    [
      { pattern: /^(?:italic|oblique)/, types: ["emphasis"], says: true },
      { pattern: /^normal/, types: ["emphasis"], says: false },
    ],
  ],
  ["text-decoration", LINES],
  ["text-decoration-line", LINES],
  [
    "vertical-align",
    [
      { pattern: /^super\b/, types: ["superscript"], says: true },
      { pattern: /^sub\b/, types: ["subscript"], says: true },
      { pattern: /^baseline\b/, types: ["superscript", "subscript"], says: false },
    ],
  ],
]);
