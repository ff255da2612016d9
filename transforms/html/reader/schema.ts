import type { Schema } from "hast-util-sanitize";

/** Below the page or beside it, never from a root, and without anything that could be a scheme or a host. */
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
 * What foreign words may hold on a page of ours. The handlers of this folder write nothing else; what one wrote by mistake, or was made to write, is taken out
 * here. Addresses are told by their form as a whole and not by their scheme alone: a path from the root of a disk or a server is none, nor is a host without a
 * scheme, and what is loaded when a page opens (`src`) lies beside it.
 */
export const READER_SCHEMA: Schema = {
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
  // Ids are told by their form, which a prefix would break links to.
  clobber: [],
  required: {},
  strip: ["script", "style"],
};
