import type { MediaUse } from "../../../src/core/model/item.js";
import { idIn, type Key } from "../../../src/core/model/key.js";
import { fromHtml } from "../../html/from-html.js";
import { createResolver, type Resolver } from "../../html/resolver.js";
import { toHtml } from "../../html/to-html.js";
import { toPlainHtml } from "../../html/to-plain-html.js";
import { parse } from "../../wiki/parse.js";
import { print } from "../../wiki/print.js";
import type { TextContext, Tree } from "../../wiki/tree.js";
import { idOf } from "../addresses.js";
import type { ManualGuide, ManualImage, ManualText } from "../manual.js";
import { escapeText, type ReportFinding } from "./print-element.js";
import { simplify } from "./simplify.js";

/** Facts of other items in a document. Without a bundle: `NO_CONTEXT`. */
export interface WriteContext {
  /** `media/loom.jpg`, relative to the document's folder; undefined: its address is written. */
  fileOf(key: Key): string | undefined;
  /** undefined: not in the bundle. */
  guide(key: Key): GuideCard | undefined;
  /** undefined: unknown. */
  place(title: string): CategoryPlace | undefined;
  /** Scheme and host of the site, for relative addresses. Default: they stay relative. */
  readonly origin?: string | undefined;
}

export interface GuideCard {
  readonly key: Key;
  readonly language: string;
  readonly title: string;
  readonly subject: string;
  readonly type: string;
  readonly url: string;
  /** The document, relative to the folder of the referring one. */
  readonly path: string;
  /** The main image, relative likewise, or an address; empty: none. */
  readonly image: string;
}

export interface CategoryPlace {
  readonly ancestors: readonly string[];
  readonly children: readonly string[];
  readonly guides: readonly GuideCard[];
}

export const NO_CONTEXT: WriteContext = {
  fileOf: () => undefined,
  guide: () => undefined,
  place: () => undefined,
};

export interface Writing {
  readonly context: WriteContext;
  readonly uses: ReadonlyMap<Key, MediaUse>;
  readonly report: ReportFinding;
}

/** Path or address of a medium; undefined: neither, which is reported. */
export function mediumOf(key: Key, path: string, { context, uses, report }: Writing): string | undefined {
  const found = context.fileOf(key) ?? uses.get(key)?.url ?? undefined;
  if (found === undefined) {
    const message = `The file of ${key} is missing and has no address. It is left out.`;
    report({ code: "media-missing", level: "loss", path, message });
  }
  return found;
}

/** Readers take it for doubly escaped text and decode it (omanual 8). */
const REFERENCE = /&(?:[A-Za-z][A-Za-z0-9]{1,30}|#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6});/;

export function reportReferences(value: string, path: string, { report }: Writing): void {
  const found = REFERENCE.exec(value)?.[0];
  if (found === undefined) return;
  const message = `The text has "${found}" as words. Readers that undo the double escaping of servers will decode it.`;
  report({ code: "reference-like", level: "loss", path, message });
}

export function attributeText(value: string, path: string, writing: Writing): string {
  reportReferences(value, path, writing);
  return value;
}

/** null: a derived id, which would differ the next time. */
export function siteId(id: number): string | null {
  return idOf(String(id)) === null ? null : String(id);
}

/** Readers take text that looks like tags only for the HTML text of older versions. */
export function reportTags(words: string, html: string, path: string, { report }: Writing): void {
  const found = html.includes("<") ? undefined : /<\/?[a-z][^<>]*>/i.exec(words)?.[0];
  if (found === undefined) return;
  const message = `The text has "${found.slice(0, 40)}" as words. Readers of older versions will read it as a tag.`;
  report({ code: "tag-like", level: "loss", path, message });
}

/** Wiki text as simplified HTML; reads it back and reports what readers can't restore. */
export function manualText(text: string, context: TextContext, path: string, writing: Writing): ManualText {
  if (isPlain(text)) return { html: plainHtml(text, context), raw: null };
  reportReferences(text, path, writing);
  const { tree } = parse(text, { context });
  const { origin } = writing.context;
  const plain = toPlainHtml(tree, { resolver: resolverOf(writing), ...(origin === undefined ? {} : { origin }) });
  const html = simplify(plain, { context, path }, writing.report);
  reportTags(text, html, path, writing);
  compare(text, tree, html, path, writing);
  return { html, raw: null };
}

/** Most lines have no markup in either language and need no parser. */
function isPlain(text: string): boolean {
  return /^(?:[A-Za-z0-9(][A-Za-z0-9 .,;:()%?!"'°×–—…/-]*)?$/.test(text) && !LIKE_MARKUP.test(text);
}

const LIKE_MARKUP = /''|,,|--|\/\/| {2}| $|:[^ ]|:$|www/i;

function plainHtml(text: string, context: TextContext): string {
  return context === "line" || text === "" ? escapeText(text) : `<p>${escapeText(text)}</p>`;
}

function compare(text: string, tree: Tree, html: string, path: string, { report }: Writing): void {
  const context: TextContext = tree.type;
  // Readers trim texts.
  const back = print(fromHtml(html, { context }).tree).trim();
  if (back === text) return;
  const hidden = tree.type === "page" && tree.children.some(({ type }) => type === "pageMacro");
  const looksAlike = !hidden && toHtml(parse(back, { context }).tree) === toHtml(parse(text.trim(), { context }).tree);
  if (looksAlike) {
    const message = "The text reads back with the same meaning and another spelling.";
    report({ code: "text-spelling", level: "note", path, message });
    return;
  }
  const message = hidden
    ? "Simplified HTML does not have macros that describe the page. They are left out."
    : "Simplified HTML cannot express all markup: links by id become addresses, media become links, and sizes and positions are left out.";
  report({ code: "text-markup", level: "loss", path, message });
}

function resolverOf({ context, uses }: Writing): Resolver {
  const fileOf = (kind: "image" | "video" | "document", id: string) => {
    const key: Key = `${kind}/${id}`;
    return context.fileOf(key) ?? uses.get(key)?.url ?? undefined;
  };
  return createResolver({
    guide: (id) => {
      const card = context.guide(`guide/${id}`);
      return card === undefined ? undefined : { folder: "Guide", title: card.title };
    },
    image: (id) => {
      const address = fileOf("image", id);
      return address === undefined ? undefined : { address };
    },
    video: (id) => {
      const address = fileOf("video", id);
      return address === undefined ? undefined : { address };
    },
    document: (id) => {
      const address = fileOf("document", id);
      const name = uses.get(`document/${id}`)?.fileName;
      return address === undefined ? undefined : { address, title: name ?? `document ${id}` };
    },
  });
}

export function imageOf(key: Key | null, path: string, writing: Writing): ManualImage | null {
  const file = key === null ? undefined : mediumOf(key, path, writing);
  return file === undefined ? null : { path: file, sizes: {}, order: null, id: null, guid: null };
}

/** Sites identify flags by id; title and notice are their own. */
export function flagsOf(flags: readonly string[], writing: Writing): ManualGuide["flags"] {
  return flags.map((id, index) => ({
    id: attributeText(id, `flags[${index}]`, writing),
    title: id,
    image: null,
    text: "",
  }));
}

export function documentsOf(keys: readonly Key[], writing: Writing): ManualGuide["documents"] {
  return keys.flatMap((key, index) => {
    const text = mediumOf(key, `documents[${index}]`, writing);
    return text === undefined
      ? []
      : [{ id: siteId(idIn(key)), text, url: null, downloadUrl: null, type: null, date: null }];
  });
}
