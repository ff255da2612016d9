import type { Item } from "../../../core/model/item.js";

/** Where a field stands, in words for people. */
export interface FieldWords {
  /** `Step 3`; empty: the item itself. */
  readonly part: string;
  /** `Line 2: text` */
  readonly field: string;
  /** It only follows from others, or is of no interest to who reads. */
  readonly isSmall: boolean;
}

const WORDS: Readonly<Record<string, string>> = {
  timeRequired: "time (seconds)",
  featuredDocument: "first document",
  introductionVideo: "video of the introduction",
  displayTitle: "title that is shown",
  html: "what the site made of the contents",
  tree: "contents as a tree",
  raw: "what the site answered",
  modifiedDate: "date of the change",
  publishedDate: "date of publishing",
  createdDate: "date of making",
  info: "fact",
  media: "",
  images: "pictures",
};

/** Lists whose elements are told by number. */
const ELEMENTS: Readonly<Record<string, string>> = {
  lines: "line",
  parts: "part",
  tools: "tool",
  images: "picture",
  documents: "document",
  prerequisites: "prerequisite",
  tags: "tag",
  flags: "flag",
  comments: "comment",
  info: "fact",
  suppliers: "supplier",
  translations: "translation",
};

const SMALL: ReadonlySet<string> = new Set([
  "html",
  "tree",
  "raw",
  "revision",
  "issues",
  "modifiedDate",
  "url",
  "media",
  "authors",
]);

interface Token {
  readonly text: string;
  readonly isElement: boolean;
}

/** A path of `FieldChange` in words. */
export function fieldWords(path: string, items: readonly Item[]): FieldWords {
  const tokens = tokensOf(path);
  const [first, second] = tokens;
  const isSmall = first !== undefined && SMALL.has(first.text);
  if (first?.text !== "steps" || second?.isElement !== true) return { part: "", field: wordsOf(tokens), isSmall };
  const rest = wordsOf(tokens.slice(2));
  return { part: stepWords(second.text, items), field: rest === "" ? "The whole step" : rest, isSmall: false };
}

function tokensOf(path: string): readonly Token[] {
  return [...path.matchAll(/\[([^\]]*)\]|([^.[\]]+)/g)].map(([, element, name]) => ({
    text: element ?? name ?? "",
    isElement: element !== undefined,
  }));
}

function wordsOf(tokens: readonly Token[]): string {
  const words = tokens.flatMap((token, at) => {
    const next = tokens[at + 1];
    if (token.isElement) return elementWords(tokens[at - 1]?.text ?? "", token.text);
    return next?.isElement === true ? [] : [WORDS[token.text] ?? nameWords(token.text)];
  });
  const text = words.filter((word) => word !== "").join(": ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function elementWords(list: string, element: string): string {
  const name = ELEMENTS[list] ?? nameWords(list);
  return /^\d+$/.test(element) && list !== "comments" ? `${name} ${Number(element) + 1}` : `${name} ${element}`;
}

/** `workLogEnabled` as `work log enabled`. */
function nameWords(name: string): string {
  return name.replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();
}

/** By the number that the step has now, else by the one it had. */
function stepWords(key: string, items: readonly Item[]): string {
  for (const item of items) {
    const at = item.kind === "guide" ? item.body.steps.findIndex((step) => step.key === key) : -1;
    if (at >= 0) return `Step ${at + 1}`;
  }
  return key;
}
