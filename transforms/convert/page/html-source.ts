import type { Element, ElementContent, Root, RootContent } from "hast";
import type { Item } from "../../html/from/conversion.js";
import { type Conversion, classesOf, type FromHtmlOptions, type Place, property } from "../../html/from/conversion.js";
import { type HtmlTree, parseHtml } from "../../html/from/parse-html.js";
import { gather } from "../../html/from/words.js";
import { deadGuideIssues, type IssueLog, issueLog, readNode, skippedTagIssue } from "../../html/from-html.js";
import type { Draft } from "../../wiki/draft.js";
import { BULLETS, carriedMark, readFileTitle, TEXT_FIELDS, type TextField } from "./labels.js";
import type { PagePiece, PageSource } from "./page-source.js";
import { ImageTable } from "./page-source.js";

/** Accepts a whole document or the content of its body. */
export function htmlSource(html: string, site: Pick<FromHtmlOptions, "site">): PageSource {
  const { trees, skippedTags } = parseHtml(html);
  const log = issueLog([...skippedTags.map(skippedTagIssue), ...deadGuideIssues(html)]);
  const table = new ImageTable();
  const whole = { start: 0, end: html.length };
  const pieces: PagePiece[] = [];
  for (const tree of trees) {
    prepare(tree.root, table);
    for (const piece of new PieceReader(tree, site, log, whole).pieces()) pieces.push(piece);
  }
  return { pieces, images: table.images, issues: log.issues };
}

/** Replaces addresses of images by derived ids, and moves the marks of lines before their words. */
function prepare(node: Root | Element, table: ImageTable): void {
  if (node.type === "element" && node.tagName === "img" && property(node, "dataImageid") === "") {
    const id = table.take(property(node, "src"), property(node, "alt"));
    if (id !== undefined) node.properties["dataImageid"] = id;
  }
  if (node.type === "element" && node.tagName === "li") markItem(node);
  for (const child of node.children) if (child.type === "element") prepare(child, table);
}

function markItem(item: Element): void {
  const bullet = classesOf(item).find((name) => BULLETS.has(name));
  if (bullet === undefined) return;
  const first = item.children.find((child) => child.type === "element" || child.value?.trim() !== "");
  const holder = first?.type === "element" && first.tagName === "p" ? first : item;
  holder.children.unshift({ type: "text", value: carriedMark({ bullet }) });
}

class PieceReader {
  readonly #tree: HtmlTree;
  readonly #conversion: Conversion;
  readonly #log: IssueLog;
  readonly #whole: Place;
  readonly #pieces: PagePiece[] = [];
  #items: Item[] = [];

  constructor(tree: HtmlTree, site: Pick<FromHtmlOptions, "site">, log: IssueLog, whole: Place) {
    const { placeOf } = tree;
    const report: Conversion["report"] = (code, level, message, element) =>
      log.tellAt(placeOf(element))(code, level, message);
    this.#tree = tree;
    this.#log = log;
    this.#whole = whole;
    this.#conversion = { options: { context: "page", ...site }, inLink: false, places: new Map(), placeOf, report };
  }

  pieces(): readonly PagePiece[] {
    this.#readAll(this.#tree.root.children);
    this.#end();
    return this.#pieces;
  }

  #readAll(nodes: readonly (RootContent | ElementContent)[]): void {
    for (const node of nodes) this.#read(node);
  }

  #read(node: RootContent | ElementContent): void {
    const field = node.type === "element" ? fieldOf(node) : undefined;
    const file = node.type === "element" ? this.#fileOf(node) : undefined;
    if (node.type === "element" && field !== undefined) {
      this.#end();
      this.#pieces.push({ type: "text", field, drafts: this.#draftsOf(this.#itemsOf(node.children)) });
    } else if (file !== undefined) {
      this.#end();
      this.#pieces.push(file);
    } else if (node.type === "element" && holdsPieces(node)) {
      this.#end();
      this.#readAll(node.children);
      this.#end();
    } else for (const item of readNode(node, this.#conversion)) this.#items.push(item);
  }

  #fileOf(element: Element): PagePiece | undefined {
    const file = fileOf(element);
    return file && { type: "file", ...file, tell: this.#log.tellAt(this.#tree.placeOf(element)) };
  }

  #end(): void {
    for (const draft of this.#draftsOf(this.#items)) this.#pieces.push({ type: "block", draft });
    this.#items = [];
  }

  #itemsOf(nodes: readonly ElementContent[]): readonly Item[] {
    return nodes.flatMap((node) => readNode(node, this.#conversion));
  }

  #draftsOf(items: readonly Item[]): readonly Draft[] {
    const { places } = this.#conversion;
    return gather(items).map((block) => ({ block, tell: this.#log.tellAt(places.get(block) ?? this.#whole) }));
  }
}

function fieldOf(element: Element): TextField | undefined {
  return element.tagName === "div" ? TEXT_FIELDS.find((field) => classesOf(element).includes(field)) : undefined;
}

function fileOf(element: Element): Omit<Extract<PagePiece, { type: "file" }>, "type" | "tell"> | undefined {
  const only = element.tagName === "p" && element.children.length === 1 ? element.children[0] : undefined;
  if (only?.type !== "element" || only.tagName !== "a") return undefined;
  const readTitle = readFileTitle(property(only, "title"));
  return readTitle && { ...readTitle, name: wordsOf(only), address: property(only, "href") };
}

function wordsOf(node: ElementContent): string {
  if (node.type === "text") return node.value;
  return "children" in node ? node.children.map(wordsOf).join("") : "";
}

const HOLDERS: ReadonlySet<string> = new Set(["article", "body", "div", "main", "section"]);

/** Whether an element only wraps pieces of a page. */
function holdsPieces(element: Element): boolean {
  return HOLDERS.has(element.tagName) && element.children.some((child) => child.type === "element" && isPiece(child));
}

function isPiece(element: Element): boolean {
  return fieldOf(element) !== undefined || fileOf(element) !== undefined || holdsPieces(element);
}
