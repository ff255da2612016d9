import type { Element, ElementContent, Root, RootContent } from "hast";
import { UsageError } from "../../../src/core/errors.js";
import type { GuideItem, Wiki, WikiItem } from "../../../src/core/model/item.js";
import { type Key, NAMESPACES, type Namespace, wikiKey } from "../../../src/core/model/key.js";
import { digest } from "../../../src/core/util/json.js";
import {
  type Conversion,
  classesOf,
  type FromHtmlOptions,
  type Item,
  type Place,
  property,
} from "../../html/from/conversion.js";
import { type HtmlTree, parseHtml } from "../../html/from/parse-html.js";
import { gather } from "../../html/from/words.js";
import { deadGuideIssues, type IssueLog, issueLog, readNode, skippedTagIssue } from "../../html/from-html.js";
import { emptyCategory } from "../../omanual/items/to-wiki.js";
import { embed, image } from "../../wiki/build.js";
import type { Draft, Tell } from "../../wiki/draft.js";
import { parse } from "../../wiki/parse.js";
import { plainText } from "../../wiki/read-tree.js";
import type { Block } from "../../wiki/tree.js";
import { siteOf } from "../convert.js";
import type { ConvertIssue, PageFormat } from "../formats.js";
import {
  BULLETS,
  CATEGORY,
  carriedMark,
  HEADINGS,
  IMAGE_LINK_TEXT,
  readFileTitle,
  TEXT_FIELDS,
  type TextField,
  USUAL_LANGUAGE,
  WIKI_LABELS,
} from "./labels.js";
import { markdownSource } from "./markdown-source.js";
import {
  firstValue,
  frontOf,
  headingOf,
  isHeading,
  outlineOf,
  type ReadFact,
  valuesOf,
  wikiText,
  wordsOfParagraph,
} from "./outline.js";
import { asText, documentsOf, draftsOf, imagesAlone, linkAlone } from "./page-blocks.js";
import { ImageTable, type PagePiece, PageReading, type PageSource } from "./page-source.js";
import { toGuide } from "./to-guide.js";

export interface ReadPageOptions {
  readonly name: string;
  /** Pages do not contain the key of their guide. */
  readonly guideKey: Key;
  /** Default: what the page states, else a guide. */
  readonly as?: "guide" | "category" | undefined;
  /** The page, kept in the item so that nothing is lost. */
  readonly text: string;
}

export interface ReadPage {
  readonly item: GuideItem | WikiItem;
  readonly issues: readonly ConvertIssue[];
}

/** Every loss of a page from elsewhere is an issue. Throws UsageError without a heading. */
export function readPage(source: PageSource, options: ReadPageOptions): ReadPage {
  const { item } = readItem(source, options);
  // Headings of the page are not headings of a text; writing reports those of texts.
  return { item, issues: source.issues.filter(({ code }) => code !== "top-heading") };
}

function readItem({ pieces, images }: PageSource, options: ReadPageOptions): Pick<ReadPage, "item"> {
  const namespace = options.as === "guide" ? undefined : (namespaceOf(pieces) ?? (options.as && CATEGORY));
  const { text } = options;
  const common = (reading: PageReading) => ({
    revision: digest(text),
    raw: { page: text },
    media: reading.media,
    translations: [],
    issues: [],
  });
  if (namespace === undefined) {
    const outline = outlineOf(pieces) ?? refuse(options.name);
    const reading = new PageReading(options.guideKey, images);
    const body = toGuide(outline, reading);
    return { item: { key: options.guideKey, kind: "guide", body, ...common(reading) } };
  }
  const page = wikiPageOf(pieces) ?? refuse(options.name);
  const key = wikiKey(namespace, page.title);
  const reading = new PageReading(key, images);
  const body = { ...page.body(reading), namespace };
  const kind = namespace === CATEGORY ? "category" : "wiki";
  return { item: { key, kind, body, ...common(reading) } };
}

function refuse(name: string): never {
  throw new UsageError(
    `${name} has no heading, and the first heading is the title of the guide. Begin the page with a heading, such as "# Oil the wheel" in Markdown.`,
  );
}

/** undefined: a guide. The first fact of other pages is their namespace. */
function namespaceOf(pieces: readonly PagePiece[]): Namespace | undefined {
  return namespaceIn(frontOf(pieces, areWikiFacts).facts);
}

function areWikiFacts(facts: readonly ReadFact[]): boolean {
  return facts[0]?.label === WIKI_LABELS.namespace && namespaceIn(facts) !== undefined;
}

function namespaceIn(facts: readonly ReadFact[]): Namespace | undefined {
  return NAMESPACES.find((namespace) => namespace === facts[0]?.value);
}

interface WikiPage {
  /** The canonical title, which identifies the page. */
  readonly title: string;
  readonly body: (reading: PageReading) => Wiki;
}

/** The first heading is the title; other content belongs to the contents. */
function wikiPageOf(pieces: readonly PagePiece[]): WikiPage | undefined {
  const at = pieces.findIndex(isHeading);
  const shown = headingOf(pieces[at])?.title;
  if (shown === undefined) return undefined;
  const { before, facts, after } = frontOf([...pieces.slice(0, at), ...pieces.slice(at + 1)], areWikiFacts);
  const title = firstValue(facts, WIKI_LABELS.title) ?? shown;
  return {
    title,
    body: (reading) => {
      const wiki = emptyCategory(title, firstValue(facts, WIKI_LABELS.language) || USUAL_LANGUAGE);
      return {
        ...wiki,
        namespace: namespaceIn(facts) ?? CATEGORY,
        displayTitle: shown === title ? null : shown,
        parent: firstValue(facts, WIKI_LABELS.parent) ?? null,
        flags: valuesOf(facts, WIKI_LABELS.flag),
        tags: valuesOf(facts, WIKI_LABELS.tag),
        info: facts.filter(isInfo).map(({ label, value }) => ({ name: label, value })),
        ...contentOf(before, after, reading),
      };
    },
  };
}

const LABELS: ReadonlySet<string> = new Set(Object.values(WIKI_LABELS));

/** Only the first fact is the namespace of the page. */
function isInfo({ label }: ReadFact, at: number): boolean {
  return !LABELS.has(label) || (label === WIKI_LABELS.namespace && at > 0);
}

function contentOf(
  before: readonly PagePiece[],
  after: readonly PagePiece[],
  reading: PageReading,
): Pick<Wiki, "description" | "image" | "documents" | "contents"> {
  const words = before.filter((piece) => !isOwnImage(piece, reading));
  const [only, ...more] = words;
  const description = only?.type === "block" && more.length === 0 ? wordsOfParagraph(only.draft.block) : undefined;
  const rest = [...before, ...after].filter((piece) => piece !== only || description === undefined);
  const shown = rest.find((piece) => isOwnImage(piece, reading));
  const documents: Key[] = [];
  const others = rest.filter((piece, at) => {
    if (piece === shown || isHeadingOfDocuments(piece, rest[at + 1])) return false;
    const keys = piece.type === "file" ? documentsOf(piece, reading, documents.length) : undefined;
    for (const key of keys ?? []) documents.push(key);
    return keys === undefined;
  });
  return {
    description: description ?? "",
    image: shown === undefined ? null : imageOf(shown, reading),
    documents: [...new Set(documents)],
    contents: wikiText(others.flatMap(draftsOf).map((draft) => asText(draft, reading))),
  };
}

function isOwnImage(piece: PagePiece, reading: PageReading): boolean {
  const images = piece.type === "block" ? imagesAlone(piece.draft.block) : [];
  return images.length === 1 && images.every(({ target }) => reading.imageAt(target) !== undefined);
}

function imageOf(piece: PagePiece, reading: PageReading): Key | null {
  const [image] = piece.type === "block" ? imagesAlone(piece.draft.block) : [];
  return image === undefined || piece.type !== "block"
    ? null
    : reading.useImage(image.target, "image", piece.draft.tell);
}

/** A heading that only documents follow is ignored. */
function isHeadingOfDocuments(piece: PagePiece, next: PagePiece | undefined): boolean {
  if (piece.type !== "block" || piece.draft.block.type !== "heading") return false;
  const words = plainText(piece.draft.block.children).trim();
  return words === HEADINGS.documents && next?.type === "file" && next.role === "document";
}

/** A picture or video link alone in a paragraph is that medium. */
function wikiSource(wiki: string): PageSource {
  const { tree, issues: noted } = parse(wiki, { context: "page" });
  const issues: ConvertIssue[] = [...noted];
  const table = new ImageTable();
  const blocks = tree.type === "page" ? tree.children : [];
  const pieces = blocks.map((block): PagePiece => {
    const { start, end } = block.position ?? { start: 0, end: 0 };
    const tell: Tell = (code, level, message) => void issues.push({ code, level, message, start, end });
    const shown = mediumOf(block, table) ?? block;
    if (shown.type === "file") return { ...shown, tell };
    return { type: "block", draft: { block: shown, tell } };
  });
  return { pieces, images: table.images, issues };
}

const PICTURE = /\.(?:jpe?g|png|gif|webp|avif|svg|bmp|tiff?|heic)(?:[?#].*)?$/i;
const FILM = /\.(?:mp4|m4v|webm|ogv|mov)(?:[?#].*)?$/i;

type File = Omit<Extract<PagePiece, { type: "file" }>, "tell">;

function mediumOf(block: Block, table: ImageTable): Block | File | undefined {
  const found = linkAlone(block);
  if (found === undefined) return undefined;
  const address = found.target.trim();
  const label = plainText(found.children);
  const name = label === address || label === IMAGE_LINK_TEXT ? "" : label;
  if (FILM.test(address) || FILM.test(name)) return { type: "file", role: "video", id: null, name, address };
  if (label !== IMAGE_LINK_TEXT && !PICTURE.test(address) && !PICTURE.test(name)) return undefined;
  const id = table.take(address, name);
  return id === undefined ? undefined : embed(image(id));
}

/** `origin`: the site of the page. */
export const PAGE_SOURCES: Readonly<Record<PageFormat, (text: string, origin: string | undefined) => PageSource>> = {
  markdown: markdownSource,
  html: (text, origin) => htmlSource(text, siteOf(origin)),
  wiki: wikiSource,
};

/** Accepts a whole document or the content of its body. */
function htmlSource(html: string, site: Pick<FromHtmlOptions, "site">): PageSource {
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
