import type { Draft, Tell } from "../settle/draft.js";
import { settleLine, settlePage } from "../settle/settle.js";
import type { Inline, TextIssue, Tree } from "../wiki/tree.js";
import { finishWords } from "./from/finish-words.js";
import { BLANK, flatten } from "./from/flatten.js";
import { gather } from "./from/gather.js";
import { deadGuideIssues, type IssueLog, issueLog, leftOutIssue } from "./from/issue-log.js";
import type { Item } from "./from/item.js";
import { type HtmlTree, parseHtml } from "./from/parse-html.js";
import { readNode } from "./from/read-nodes.js";
import type { FromHtmlOptions, Place, Reading } from "./from/reading.js";

export type { FromHtmlOptions } from "./from/reading.js";

export interface FromHtml {
  readonly tree: Tree;
  /** What the syntax cannot say, and what had to be changed so that words stay words; places are those of the HTML. */
  readonly issues: readonly TextIssue[];
}

/**
 * Reads HTML as wiki text: the site's own of all its eras (wiki-syntax 3), and anyone else's as far as the syntax goes. Any
 * string is read, none is thrown about, and time is in proportion to its length.
 */
export function fromHtml(html: string, options: FromHtmlOptions): FromHtml {
  const { trees, leftOut } = parseHtml(html);
  const log = issueLog([...leftOut.map(leftOutIssue), ...deadGuideIssues(html)]);
  const whole = { start: 0, end: html.length };
  const tell = log.tellAt(whole);
  const tree =
    options.context === "page"
      ? settlePage(readDrafts(trees, options, log, whole), tell)
      : settleLine(readWords(trees, options, log, tell), tell);
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
    const report: Reading["report"] = (code, level, message, element) =>
      log.tellAt(placeOf(element))(code, level, message);
    for (const item of readNode(root, { options, inLink: false, places, placeOf, report })) items.push(item);
  }
  return { items, places };
}

/** Behind this function nothing holds the items of the HTML any more. */
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
