import type { JSX } from "hono/jsx/jsx-runtime";
import {
  type ComparedText as Compared,
  readerComparison,
} from "../../../../transforms/html/reader/reader-comparison.js";
import { keySchema } from "../../../core/model/identity.js";
import { type Item, lineSchema, type Part, stepSchema } from "../../../core/model/item.js";
import { isMediaKey, type Key } from "../../../core/model/key.js";
import { withCommas } from "../../../core/util/printable-text.js";
import { Marked, Nothing, Sides, TypedWords, WordsDiff } from "../../components/two-columns.js";
import { SafeText, UntrustedText } from "../../components/untrusted-text.js";
import { dayWords } from "../../components/words.js";
import { MarkChip, markOf, type Pair, paired } from "./compared-sides.js";
import { languageTag } from "./texts.js";

interface ChangedFieldProps {
  readonly words: FieldWords;
  readonly children: JSX.Element;
}

export function ChangedField({ words, children }: ChangedFieldProps): JSX.Element {
  return (
    <section class="changed-field">
      <h2>
        {words.part !== "" && <span class="muted">{`${words.part} · `}</span>}
        <UntrustedText text={words.field} />
      </h2>
      {children}
    </section>
  );
}

interface ComparedTextProps {
  readonly before: Compared;
  readonly after: Compared;
  readonly language: string;
}

/** The rendered text, old and new, and below it the source text, folded. */
export function ComparedText({ before, after, language }: ComparedTextProps): JSX.Element {
  const { before: old, after: now, isSame } = readerComparison(before, after);
  const lang = languageTag(language);
  return (
    <>
      {isSame ? (
        <p class="muted">The rendered text is unchanged. Only the source text differs.</p>
      ) : (
        <Sides
          old={old === "" ? <Nothing /> : <SafeText html={old} lang={lang} />}
          now={now === "" ? <Nothing /> : <SafeText html={now} lang={lang} />}
        />
      )}
      <details class="typed" open={isSame}>
        <summary>Source text</summary>
        <TypedWords before={before.text} after={after.text} />
      </details>
    </>
  );
}

interface ComparedNamesProps {
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** Tags and flags; those of one side only are marked. */
export function ComparedNames({ before, after }: ComparedNamesProps): JSX.Element {
  const pairs = paired(before, after, (name) => name, false);
  return <Sides old={<Names pairs={pairs} side="old" />} now={<Names pairs={pairs} side="new" />} />;
}

interface NamesProps {
  readonly pairs: readonly Pair<string>[];
  readonly side: "old" | "new";
}

function Names({ pairs, side }: NamesProps): JSX.Element {
  const own = pairs.flatMap(({ before, after }) => {
    const name = side === "old" ? before : after;
    return name === undefined ? [] : [{ name, isSame: before !== undefined && after !== undefined }];
  });
  if (own.length === 0) return <Nothing />;
  return (
    <ul class="chips">
      {own.map(({ name, isSame }) => (
        <li class="chip">
          <Marked kind={isSame ? "same" : markOf(side)}>
            <UntrustedText text={name} />
          </Marked>
        </li>
      ))}
    </ul>
  );
}

interface ComparedPartsProps {
  readonly before: readonly Part[];
  readonly after: readonly Part[];
}

export function ComparedParts({ before, after }: ComparedPartsProps): JSX.Element {
  const pairs = paired(before, after, ({ name }) => name, true);
  return <Sides old={<Parts pairs={pairs} side="old" />} now={<Parts pairs={pairs} side="new" />} />;
}

interface PartsProps {
  readonly pairs: readonly Pair<Part>[];
  readonly side: "old" | "new";
}

function Parts({ pairs, side }: PartsProps): JSX.Element {
  if (pairs.every((pair) => (side === "old" ? pair.before : pair.after) === undefined)) return <Nothing />;
  return (
    <ul class="names">
      {pairs.map(({ before, after }) => {
        if ((side === "old" ? before : after) === undefined) return null;
        const isSingle = before === undefined || after === undefined;
        return (
          <li>
            <WordsDiff before={partWords(before)} after={partWords(after)} side={side} />
            {isSingle && <MarkChip kind={markOf(side)} />}
          </li>
        );
      })}
    </ul>
  );
}

/** `2 × Cotton yarn (hank), optional: Two colours.` */
function partWords(part: Part | undefined): string {
  if (part === undefined) return "";
  const { name, quantity, type, notes, url, optional } = part;
  const count = quantity === null || quantity === 1 ? "" : `${withCommas(quantity)} × `;
  const words = `${count}${name}${type === "" ? "" : ` (${type})`}${optional === true ? ", optional" : ""}`;
  return `${words}${notes === "" ? "" : `: ${notes}`}${url === null || url === "" ? "" : ` ${url}`}`;
}

export interface FieldWords {
  /** `Step 3`; empty: the item itself. */
  readonly part: string;
  /** `Line 2: text` */
  readonly field: string;
  /** It follows from other fields, or only the site needs it. */
  readonly isSmall: boolean;
}

const WORDS: Readonly<Record<string, string>> = {
  timeRequired: "time required (seconds)",
  featuredDocument: "featured document",
  introductionVideo: "introduction video",
  displayTitle: "display title",
  html: "HTML rendered by the site",
  tree: "document tree",
  raw: "API response",
  modifiedDate: "date modified",
  publishedDate: "date published",
  createdDate: "date created",
  info: "fact",
  media: "",
  images: "pictures",
};

/** Lists whose elements have a number. */
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

/** Words for a path of `FieldChange`. */
export function fieldWords(path: string, items: readonly Item[]): FieldWords {
  const tokens = tokensOf(path);
  const [first, second] = tokens;
  const isSmall = first !== undefined && SMALL.has(first.text);
  if (first?.text !== "steps" || second?.isElement !== true) return { part: "", field: wordsOf(tokens), isSmall };
  const rest = wordsOf(tokens.slice(2));
  return { part: stepWords(second.text, items), field: rest === "" ? "Complete step" : rest, isSmall: false };
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

/** By the new number of the step, else by the old one. */
function stepWords(key: string, items: readonly Item[]): string {
  for (const item of items) {
    const at = item.kind === "guide" ? item.body.steps.findIndex((step) => step.key === key) : -1;
    if (at >= 0) return `Step ${at + 1}`;
  }
  return key;
}

interface ShownValue {
  readonly text: string;
  readonly media: readonly Key[];
}

const NOTHING: ShownValue = { text: "", media: [] };

/** `path`: a field named `…Date` is a date. */
export function shownValue(value: unknown, path: string): ShownValue {
  if (value === undefined || value === null) return NOTHING;
  if (typeof value === "number" && /Date$/.test(path)) return { text: dayWords(value), media: [] };
  if (typeof value === "string") return shownText(value);
  if (typeof value !== "object") return { text: String(value), media: [] };
  if (Array.isArray(value)) return together(value.map((each) => shownValue(each, path)));
  return shownObject(value);
}

function shownText(text: string): ShownValue {
  const key = keySchema.safeParse(text);
  return key.success && isMediaKey(key.data) && /^\w+\/\d+$/.test(text)
    ? { text: "", media: [key.data] }
    : { text, media: [] };
}

function together(values: readonly ShownValue[]): ShownValue {
  const texts = values.map(({ text }) => text).filter((text) => text !== "");
  return { text: texts.join("\n"), media: values.flatMap(({ media }) => media) };
}

function shownObject(value: object): ShownValue {
  const step = stepSchema.safeParse(value);
  if (step.success) {
    const { title, lines, media } = step.data;
    const shown = shownValue(media.type === "images" ? media.images : media.type === "video" ? media.video : null, "");
    return together([{ text: title, media: [] }, ...lines.map((line) => shownObject(line)), shown]);
  }
  const line = lineSchema.safeParse(value);
  if (line.success) return { text: `${"  ".repeat(line.data.level)}• ${line.data.text}`, media: [] };
  if ("type" in value && value.type === "images" && "images" in value) return shownValue(value.images, "");
  if ("type" in value && value.type === "none") return NOTHING;
  return { text: JSON.stringify(value, null, 2), media: [] };
}
