/** Elements that the reader knows; the tags of all others are left out, what is between them stays. */
export const KNOWN: ReadonlySet<string> = new Set([
  ...["a", "abbr", "b", "big", "br", "cite", "code", "del", "dfn", "em", "font", "i", "ins", "kbd", "mark", "q", "s"],
  ...["samp", "small", "span", "strike", "strong", "sub", "sup", "tt", "u", "var", "wbr"],
  ...["address", "article", "aside", "blockquote", "center", "details", "div", "footer", "header", "hr", "main", "nav"],
  ...["h1", "h2", "h3", "h4", "h5", "h6", "p", "pre", "section", "summary"],
  ...["dir", "dl", "dt", "dd", "li", "menu", "ol", "ul"],
  ...["caption", "col", "colgroup", "table", "tbody", "td", "tfoot", "th", "thead", "tr"],
  ...["figcaption", "figure", "iframe", "img", "lite-youtube", "source", "video"],
]);

/**
 * Elements whose content is no text of the page. `true`: no tag but their own end is one in them, and without it they go on to
 * the end (HTML standard 13.2.5); `false`: without an end they are as good as not there.
 */
export const SKIPPED: ReadonlyMap<string, boolean> = new Map([
  ...["iframe", "noembed", "noframes", "plaintext", "script", "style", "textarea", "title", "xmp"].map(goesOn),
  ["noscript", false],
  ["select", false],
  ["template", false],
]);

/** Elements that carry nothing to lose: the frame of a document. */
export const FRAME: ReadonlySet<string> = new Set(["body", "head", "html", "link", "meta", "title", "style", "base"]);

/** Lists of items. */
export const LISTS: ReadonlySet<string> = new Set(["dir", "menu", "ol", "ul"]);

/** Elements without content. */
export const VOID: ReadonlySet<string> = new Set(["br", "col", "hr", "img", "source", "wbr"]);

/** Elements that go on behind the end of what holds them (HTML standard 13.2.4.3). */
export const FORMATTING: ReadonlySet<string> = new Set([
  ...["a", "b", "big", "code", "em", "font", "i", "s", "small", "strike", "strong", "tt", "u"],
]);

/** What may stand right inside of a table, and inside of its rows. */
export const TABLE_PARTS: ReadonlySet<string> = new Set([
  ...["caption", "col", "colgroup", "tbody", "td", "tfoot", "th", "thead", "tr"],
]);

/** Elements that hold only table parts. */
export const TABLE_FRAMES: ReadonlySet<string> = new Set(["colgroup", "table", "tbody", "tfoot", "thead", "tr"]);

interface Ending {
  /** The open elements that end. */
  readonly ends: readonly string[];
  /** How far out they are looked for. */
  readonly within: readonly string[];
}

const CELLS = ["td", "th", "caption"];
const PARAGRAPH: Ending = { ends: ["p"], within: ["table", ...CELLS] };
const ROW_PARTS: Ending = { ends: ["tr", ...CELLS], within: ["table"] };
const SECTIONS: Ending = { ends: ["tbody", "thead", "tfoot", "colgroup", "tr", ...CELLS], within: ["table"] };

/** What the start of an element ends before it (HTML standard 13.2.6.4.7 and the table modes after it). */
export const ENDINGS: ReadonlyMap<string, readonly Ending[]> = new Map<string, readonly Ending[]>([
  ...["address", "article", "aside", "blockquote", "center", "details", "div", "dir", "dl", "figure", "footer"].map(
    ends,
  ),
  ...["header", "hr", "main", "menu", "nav", "ol", "p", "pre", "section", "summary", "ul", "table"].map(ends),
  ...["h1", "h2", "h3", "h4", "h5", "h6"].map(ends),
  ["li", [PARAGRAPH, { ends: ["li"], within: ["ul", "ol", "menu", "dir", "table", ...CELLS] }]],
  ["dt", [PARAGRAPH, { ends: ["dt", "dd"], within: ["dl", "table", ...CELLS] }]],
  ["dd", [PARAGRAPH, { ends: ["dt", "dd"], within: ["dl", "table", ...CELLS] }]],
  ["a", [{ ends: ["a"], within: ["table", ...CELLS] }]],
  ["td", [{ ends: CELLS, within: ["table"] }]],
  ["th", [{ ends: CELLS, within: ["table"] }]],
  ["tr", [ROW_PARTS]],
  ["tbody", [SECTIONS]],
  ["thead", [SECTIONS]],
  ["tfoot", [SECTIONS]],
  ["colgroup", [SECTIONS]],
  ["caption", [SECTIONS]],
]);

function goesOn(name: string): [string, boolean] {
  return [name, true];
}

function ends(name: string): [string, readonly Ending[]] {
  return [name, [PARAGRAPH]];
}
