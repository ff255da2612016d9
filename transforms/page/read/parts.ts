import type { Part } from "../../../src/core/model/guide.js";
import type { Key } from "../../../src/core/model/key.js";
import { plainText } from "../../html/plain-text.js";
import type { Tell } from "../../settle/draft.js";
import type { Link, List, ListItem } from "../../wiki/tree.js";
import { COUNTED } from "../facts.js";
import { PART_LABELS, YES } from "../labels.js";
import { onOneLine } from "../on-one-line.js";
import { plainWords } from "./words.js";

/** The parts or tools of a list: what stands below an item is said of it, its notes where nothing else fits. */
export function partsOf(list: List, tell: Tell): readonly Part[] {
  return list.children.map((item) => partOf(item, tell));
}

function partOf({ children, lists }: ListItem, tell: Tell): Part {
  const linked = children.find((inline): inline is Link => inline.type === "link" && inline.kind === "url");
  const words = plainWords(
    children.map((inline) => (inline === linked ? { type: "text", value: plainText([inline]) } : inline)),
    "The name of a part",
    tell,
  );
  const below = lists.flatMap((list) => wordsBelow(list, tell));
  const said = new Map(below.flatMap(({ label, value }) => (label === undefined ? [] : [[label, value] as const])));
  const notes = [said.get("notes") ?? "", ...below.flatMap(({ label, value }) => (label === undefined ? [value] : []))];
  const [counted, count] = COUNTED.exec(words) ?? [];
  return {
    name: counted === undefined ? words : words.slice(counted.length),
    quantity: count === undefined ? 1 : Number(count),
    type: said.get("type") ?? "",
    notes: notes.filter((note) => note !== "").join("; "),
    url: said.get("url") ?? linked?.target ?? null,
    optional: flagOf(said.get("optional")),
    featured: flagOf(said.get("featured")),
  };
}

interface Said {
  readonly label: keyof typeof PART_LABELS | undefined;
  readonly value: string;
}

function wordsBelow({ children }: List, tell: Tell): readonly Said[] {
  return children.flatMap((item) => [
    saidIn(plainWords(item.children, "What is said of a part", tell)),
    ...item.lists.flatMap((list) => wordsBelow(list, tell)),
  ]);
}

function saidIn(words: string): Said {
  for (const [label, name] of Object.entries(PART_LABELS)) {
    if (words.startsWith(`${name}: `))
      return { label: label as keyof typeof PART_LABELS, value: words.slice(name.length + 2) };
  }
  return { label: undefined, value: words };
}

function flagOf(value: string | undefined): boolean | null {
  return value === undefined ? null : value.toLowerCase() === YES;
}

/** The guides that a list names; undefined where any item says anything else. */
export function prerequisitesOf({ children }: List): readonly Key[] | undefined {
  const keys = children.map(prerequisiteOf);
  return keys.every((key) => key !== undefined) ? keys : undefined;
}

function prerequisiteOf({ children, lists }: ListItem): Key | undefined {
  const [only, ...more] = children;
  if (lists.length > 0 || more.length > 0) return undefined;
  if (only?.type === "link" && only.kind === "guide") return `guide/${only.target.trim()}`;
  const [, rest] = /^Guide (\d{1,16}(?:@[\w-]{1,20})?)$/.exec(onOneLine(plainText(children))) ?? [];
  return rest === undefined ? undefined : `guide/${rest}`;
}
