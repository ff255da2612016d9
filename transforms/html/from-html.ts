import type { Element, Nodes, Parents } from "hast";
import type { TextIssue } from "../../src/core/model/text-codes.js";
import { text } from "../wiki/build.js";
import type { Draft, Tell } from "../wiki/draft.js";
import { normaliseLine, normalisePage } from "../wiki/normalise.js";
import type { Inline, Tree } from "../wiki/tree.js";
import { BLOCK_CLASSES, BLOCK_HANDLERS, DECORATION, LIST_HANDLERS, TABLE_HANDLERS } from "./from/blocks.js";
import {
  type Conversion,
  classesOf,
  type FromHtmlOptions,
  type Handler,
  type Item,
  isInline,
  type Place,
} from "./from/conversion.js";
import { readAbbreviation, readLink } from "./from/links.js";
import { MEDIA_CLASSES, MEDIA_HANDLERS } from "./from/media.js";
import { type HtmlTree, parseHtml, type SkippedTag } from "./from/parse-html.js";
import { BLANK, finishWords, flatten, gather, MARK_HANDLERS } from "./from/words.js";
import { DEAD_GUIDE } from "./to-html.js";

export type { FromHtmlOptions } from "./from/conversion.js";

export interface FromHtml {
  readonly tree: Tree;
  /** Losses and changes, with offsets in the HTML. */
  readonly issues: readonly TextIssue[];
}

/**
 * Converts HTML to wiki text: that of sites of all eras (wiki-syntax 3), and other HTML as far as
 * the syntax allows. Accepts any string, never throws, and takes linear time.
 */
export function fromHtml(html: string, options: FromHtmlOptions): FromHtml {
  const { trees, skippedTags } = parseHtml(html);
  const log = issueLog([...skippedTags.map(skippedTagIssue), ...deadGuideIssues(html)]);
  const whole = { start: 0, end: html.length };
  const tell = log.tellAt(whole);
  const tree =
    options.context === "page"
      ? normalisePage(readDrafts(trees, options, log, whole), tell)
      : normaliseLine(readWords(trees, options, log, tell), tell);
  return { tree, issues: log.issues };
}

interface Items {
  readonly items: readonly Item[];
  readonly places: ReadonlyMap<Item, Place>;
}

function readItems(trees: Iterable<HtmlTree>, options: FromHtmlOptions, log: IssueLog): Items {
  const places = new Map<Item, Place>();
  const items: Item[] = [];
  for (const { root, placeOf } of trees) {
    const report: Conversion["report"] = (code, level, message, element) =>
      log.tellAt(placeOf(element))(code, level, message);
    for (const item of readNode(root, { options, inLink: false, places, placeOf, report })) items.push(item);
  }
  return { items, places };
}

/** A separate function, so that nothing keeps the items of the HTML after it. */
function readDrafts(
  trees: Iterable<HtmlTree>,
  options: FromHtmlOptions,
  log: IssueLog,
  whole: Place,
): readonly Draft[] {
  const { items, places } = readItems(trees, options, log);
  return gather(items).map((block) => ({ block, tell: log.tellAt(places.get(block) ?? whole) }));
}

function readWords(trees: Iterable<HtmlTree>, options: FromHtmlOptions, log: IssueLog, tell: Tell): readonly Inline[] {
  return finishWords(flatten(readItems(trees, options, log).items, BLANK, tell));
}

/** Converts children first, so that a handler gets their results. */
export function readNode(node: Nodes, conversion: Conversion): readonly Item[] {
  if (node.type === "text") return [text(withLineFeeds(node.value))];
  if (!("children" in node) || isDecoration(node)) return [];
  const inner = node.type === "element" && node.tagName === "a" ? { ...conversion, inLink: true } : conversion;
  const content = node.children.flatMap((child) => readNode(child, inner));
  if (node.type !== "element") return content;
  const items = handlerOf(node)(node, content, conversion);
  // Items that an element passes on keep their places.
  return items === content ? items : placed(items, node, conversion);
}

/** The parser normalises line ends except character references; searching first is faster. */
function withLineFeeds(value: string): string {
  return value.includes("\r") || value.includes("\f") ? value.replace(/\r\n?|\f/g, "\n") : value;
}

/** The innermost element of a block determines its place. */
function placed(items: readonly Item[], element: Element, { places, placeOf }: Conversion): readonly Item[] {
  for (const item of items) if (!isInline(item) && !places.has(item)) places.set(item, placeOf(element));
  return items;
}

function isDecoration(node: Parents): boolean {
  return node.type === "element" && classesOf(node).some((name) => DECORATION.has(name));
}

const HANDLERS: ReadonlyMap<string, Handler> = new Map([
  ...Object.entries(BLOCK_HANDLERS),
  ...Object.entries(LIST_HANDLERS),
  ...Object.entries(MARK_HANDLERS),
  ...Object.entries(MEDIA_HANDLERS),
  ...Object.entries(TABLE_HANDLERS),
  ["a", readLink],
  ["abbr", readAbbreviation],
]);

const CLASS_HANDLERS: ReadonlyMap<string, Handler> = new Map(Object.entries({ ...BLOCK_CLASSES, ...MEDIA_CLASSES }));

/** An element without a handler becomes its content. */
const transparent: Handler = (_, content) => content;

function handlerOf(element: Element): Handler {
  const special = classesOf(element).find((name) => CLASS_HANDLERS.has(name));
  return CLASS_HANDLERS.get(special ?? "") ?? HANDLERS.get(element.tagName) ?? transparent;
}

export interface IssueLog {
  readonly issues: readonly TextIssue[];
  /** Reports each issue of a place once: normalisation can process a block twice. */
  readonly tellAt: (place: Place) => Tell;
}

/** `known`: issues from before the text is read. */
export function issueLog(known: readonly TextIssue[]): IssueLog {
  const issues = [...known];
  const reported = new Set<string>();
  const tellAt: IssueLog["tellAt"] =
    ({ start, end }) =>
    (code, level, message) => {
      const issue = { code, level, message, start, end };
      const key = JSON.stringify(issue);
      if (!reported.has(key)) issues.push(issue);
      reported.add(key);
    };
  return { issues, tellAt };
}

const REASONS: Readonly<Record<SkippedTag["reason"], string>> = {
  unknown: "has no form in wiki text. Its visible words are kept",
  "too-deep": "is nested too deep. Only its words are kept",
};

export function skippedTagIssue({ name, reason, start, end }: SkippedTag): TextIssue {
  return { code: `element-${reason}`, level: "loss", message: `<${name}> ${REASONS[reason]}.`, start, end };
}

/** The site replaces the id and label of a dead link by fixed words (wiki-syntax 2.3). */
export function deadGuideIssues(html: string): readonly TextIssue[] {
  const message = "The site replaced a link to a guide that does not exist. Only the raw text has its id and label.";
  const issues: TextIssue[] = [];
  for (let start = html.indexOf(DEAD_GUIDE); start >= 0; start = html.indexOf(DEAD_GUIDE, start + 1)) {
    issues.push({ code: "dead-guide", level: "loss", message, start, end: start + DEAD_GUIDE.length });
  }
  return issues;
}
