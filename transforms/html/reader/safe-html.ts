import type { Element, ElementContent, Properties } from "hast";
import { type Schema, sanitize } from "hast-util-sanitize";
import { toHtml } from "hast-util-to-html";

declare const safe: unique symbol;

/** HTML that is safe on a page; only `safeHtml` makes it. */
export type SafeHtml = string & { readonly [safe]: true };

/** Removes everything that `READER_SCHEMA` does not list. */
export function safeHtml(content: readonly ElementContent[]): SafeHtml {
  return toHtml(sanitize({ type: "root", children: [...content] }, READER_SCHEMA)) as SafeHtml;
}

const SCHEMES: ReadonlySet<string> = new Set(["http:", "https:", "mailto:", "tel:"]);

/**
 * Returns the address as the URL standard writes it, so that a browser reads exactly the checked
 * value. undefined: invalid, or more than a page, a mail or a call. `origin` resolves site-relative
 * addresses; empty: they are invalid.
 */
export function safeAddress(address: string, origin: string): string | undefined {
  const whole = absolute(showable(address).trim(), origin);
  if (whole === undefined || !URL.canParse(whole)) return undefined;
  const { protocol, href } = new URL(whole);
  // The standard leaves some characters of a mail or call address unencoded.
  return SCHEMES.has(protocol) ? href.replace(/[\s"<>`]/gu, encodeURIComponent) : undefined;
}

function absolute(address: string, origin: string): string | undefined {
  if (address.startsWith("//")) return `https:${address}`;
  if (!address.startsWith("/")) return address;
  return origin === "" ? undefined : origin.replace(/\/$/, "") + address;
}

/** A relative path without a root, scheme or host. */
const PATH = String.raw`(?:\.\./)*[a-z0-9][\w.-]*(?:/[a-z0-9][\w.-]*)*`;
const LOCAL_FILE = new RegExp(`^${PATH}$`, "i");
const LOCAL_LINK = new RegExp(String.raw`^(?:${PATH})?(?:#[^\s#]+)?$`, "i");

/** As `safeAddress` writes them. */
const OUTSIDE = /^(?:https?:\/\/[^\s/?#]|mailto:[^\s:]|tel:[\d+])/;

/** A name that no script and no form of a page uses. */
const ANCHOR = /^(?:[a-z-]+-)?Section_\S*$/;

const SPAN = /^[1-9]\d{0,2}$/;

/** The only class names; the stylesheet of the pages has a rule for each. */
export const READER_CLASSES = {
  a: ["zoom", "document", "outside", "absent"],
  figure: ["picture", "film", "left", "right", "center", "mini", "thumbnail", "standard", "medium", "large"],
  img: ["inline"],
  p: ["embed", "as-before"],
  div: ["wide"],
  span: ["absent", "absent-note", "unseen"],
  ins: ["came"],
  del: ["went"],
  blockquote: ["featured"],
  pre: ["long"],
} as const satisfies Readonly<Record<string, readonly string[]>>;

function classNames(element: keyof typeof READER_CLASSES): ["className", ...string[]] {
  return ["className", ...READER_CLASSES[element]];
}

/**
 * The content that untrusted text can have on a page, and all that the handlers write; the rest is
 * removed, as a second defence. The whole form of an address decides, not its scheme: paths from
 * the root of a disk or server and hosts without a scheme are removed, and `src`, which loads with
 * the page, is a relative path.
 */
const READER_SCHEMA: Schema = {
  tagNames: [
    ...["h1", "h2", "h3", "h4", "h5", "h6", "p", "div", "ul", "ol", "li", "dl", "dt", "dd", "pre", "blockquote", "hr"],
    ...["figure", "figcaption", "footer", "img", "video", "audio", "a", "br", "wbr", "span"],
    ...["strong", "em", "u", "s", "ins", "del", "sup", "sub", "code", "kbd", "samp", "small", "mark", "q", "abbr"],
    ...["table", "caption", "thead", "tbody", "tfoot", "tr", "th", "td"],
  ],
  attributes: {
    a: [["href", LOCAL_LINK, OUTSIDE], ["rel", "noopener", "noreferrer", "nofollow"], "download", classNames("a")],
    img: [["src", LOCAL_FILE], "alt", "width", "height", ["loading", "lazy"], ["decoding", "async"], classNames("img")],
    video: [
      ["src", LOCAL_FILE],
      ["poster", LOCAL_FILE],
      ["controls", true],
      ["preload", "none"],
      "width",
      "height",
      "ariaLabel",
    ],
    audio: [["src", LOCAL_FILE], ["controls", true], ["preload", "none"], "ariaLabel"],
    figure: [classNames("figure")],
    p: [classNames("p")],
    div: [classNames("div"), ["role", "group"], ["tabIndex", 0], ["ariaLabel", "Table"]],
    span: [classNames("span")],
    ins: [classNames("ins")],
    del: [classNames("del")],
    pre: [classNames("pre")],
    blockquote: [classNames("blockquote")],
    ol: ["start"],
    abbr: ["title"],
    td: [
      ["colSpan", SPAN],
      ["rowSpan", SPAN],
    ],
    th: [
      ["colSpan", SPAN],
      ["rowSpan", SPAN],
    ],
    ...Object.fromEntries([1, 2, 3, 4, 5, 6].map((level) => [`h${level}`, [["id", ANCHOR]]])),
    "*": [
      ["dir", "ltr", "rtl", "auto"],
      ["lang", /^[a-z]{2,3}(?:-[a-z\d]{2,8})*$/i],
    ],
  },
  protocols: { href: ["http", "https", "mailto", "tel"] },
  // The form of ids is checked; a prefix would break links to them.
  clobber: [],
  required: {},
  strip: ["script", "style"],
};

/** Control characters except tab and line end, and lone surrogates: meaningless or harmful. */
const UNSHOWABLE = /(?![\t\n])\p{Cc}|\p{Surrogate}/gu;

/** Replaces what a page cannot show by U+FFFD, so that the loss is visible. */
export function showable(text: string): string {
  return text.replaceAll("\r\n", "\n").replaceAll("\r", "\n").replace(UNSHOWABLE, "\uFFFD");
}

/** An element of the reader's HTML; texts in its attributes become showable. */
export function node(name: string, children: readonly ElementContent[], properties: Properties = {}): Element {
  const shown = Object.entries(properties).map(([key, value]): [string, Properties[string]] => [
    key,
    typeof value === "string" ? showable(value) : value,
  ]);
  return { type: "element", tagName: name, properties: Object.fromEntries(shown), children: [...children] };
}

export function words(text: string): ElementContent {
  return { type: "text", value: showable(text) };
}

export function wordsIn(content: readonly ElementContent[]): string {
  return content
    .map((each) => (each.type === "text" ? each.value : each.type === "element" ? wordsIn(each.children) : ""))
    .join("");
}

/** Whether content has anything for a reader who sees no pictures. */
export function saysSomething(content: readonly ElementContent[]): boolean {
  return content.some((each) => {
    if (each.type === "text") return /[^\s\u200B-\u200F\u2028-\u202E\u2060-\u2069\uFEFF]/.test(each.value);
    return each.type === "element" && (isDescribedImage(each) || saysSomething(each.children));
  });
}

function isDescribedImage({ tagName, properties }: Element): boolean {
  return tagName === "img" && properties["alt"] !== "";
}

export function codeNode(value: string): Element {
  return node("pre", [node("code", [words(value)])]);
}

/** Shows text unchanged. HTML drops a line end right after the tag, so one more is written. */
export function writtenNode(text: string): Element {
  return node("pre", [words(text.startsWith("\n") ? `\n${text}` : text)], { className: ["long"] });
}
