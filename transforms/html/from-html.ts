import { settleLine, settlePage } from "../settle/settle.js";
import type { Line, Page, TextIssue, Tree } from "../wiki/tree.js";
import { finishWords } from "./from/finish-words.js";
import { BLANK, flatten } from "./from/flatten.js";
import { gather } from "./from/gather.js";
import { deadGuideIssues, type IssueLog, issueLog, leftOutIssue } from "./from/issue-log.js";
import type { Item } from "./from/item.js";
import { parseHtml } from "./from/parse-html.js";
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
  const places = new Map<Item, Place>();
  const items: Item[] = [];
  for (const { root, placeOf } of trees) {
    const report: Reading["report"] = (code, level, message, element) =>
      log.tellAt(placeOf(element))(code, level, message);
    for (const item of readNode(root, { options, inLink: false, places, placeOf, report })) items.push(item);
  }
  const whole = { start: 0, end: html.length };
  const tree = options.context === "page" ? pageOf(items, places, whole, log) : lineOf(items, whole, log);
  return { tree, issues: log.issues };
}

function pageOf(items: readonly Item[], places: ReadonlyMap<Item, Place>, whole: Place, { tellAt }: IssueLog): Page {
  const drafts = gather(items).map((block) => ({ block, tell: tellAt(places.get(block) ?? whole) }));
  return settlePage(drafts, tellAt(whole));
}

function lineOf(items: readonly Item[], whole: Place, { tellAt }: IssueLog): Line {
  const words = flatten(items, BLANK, tellAt(whole));
  return settleLine(finishWords(words), tellAt(whole));
}
