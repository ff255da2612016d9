/** `page`: introductions, conclusions, wikis, comments; `line`: a step line (wiki-syntax 1). */
export type TextContext = "page" | "line";

/*
 * The concrete syntax tree of the wiki syntax. Every character of the source is in exactly one
 * string field of one node, in written order, so printing joins the fields. No copy of the source
 * is kept: only an edited node prints differently.
 * Optional strings (`before`, `after`, `marker`) are spacing: the parser sets them, a builder omits
 * them, and `print` uses defaults by the neighbours. `build.ts` has the defaults of all others.
 */

export type Tree = Page | Line;

export interface Page {
  readonly type: "page";
  readonly children: readonly Block[];
  /** Blank lines and blanks at the end of the text. */
  readonly after?: string;
  readonly position?: Position;
}

export interface Line {
  readonly type: "line";
  readonly children: readonly Inline[];
  readonly position?: Position;
}

export type Block = Paragraph | Heading | List | CodeBlock | Quote | Embed | PageMacro;

interface Spaced {
  /**
   * Blanks and line ends before this block, from its sibling or the parent's beginning. Default: a
   * blank line between blocks, one line end between items.
   */
  readonly before?: string;
  readonly position?: Position;
}

/** Lines up to a blank line or another block. A single line end inside is text. */
export interface Paragraph extends Spaced {
  readonly type: "paragraph";
  readonly children: readonly Inline[];
}

/** Only the vendor's serializer writes 1; pages use 2 to 6. */
export type HeadingLevel = 1 | 2 | 3 | 4 | 5 | 6;

/**
 * A heading.
 *
 * ```text
 * == Tools ==
 * ^^^          open
 *    ^^^^^     children
 *         ^^^  close
 * ```
 */
export interface Heading extends Spaced {
  readonly type: "heading";
  readonly level: HeadingLevel;
  readonly open: string;
  readonly children: readonly Inline[];
  readonly close: string;
}

export interface List extends Spaced {
  readonly type: "list";
  readonly ordered: boolean;
  readonly children: readonly ListItem[];
}

/**
 * One line of a list, with the lists that are nested in it. The number of marks is the depth, the
 * last one the kind.
 *
 * ```text
 * * one
 * ** nested
 * ^^         marker; absent: `print` writes the list's mark as often as the item is deep
 *   ^        space
 *    ^^^^^^  children
 * ```
 */
export interface ListItem extends Spaced {
  readonly type: "listItem";
  readonly marker?: string;
  readonly space: string;
  readonly children: readonly Inline[];
  readonly lists: readonly List[];
}

/**
 * Preformatted text.
 *
 * ```text
 * [code]⏎x = 1⏎[/code]
 * ^^^^^^^               open
 *        ^^^^^          value
 *             ^^^^^^^^  close
 * ```
 */
export interface CodeBlock extends Spaced {
  readonly type: "codeBlock";
  readonly open: string;
  readonly value: string;
  readonly close: string;
}

/**
 * A quotation of blocks; quotations do not nest.
 *
 * ```text
 * [quote|Ann|format=featured]⏎text⏎⏎[/quote]
 * ^^^^^^                                      open
 *       ^                                     bar: "" when nobody is named
 *        ^^^                                  attribution
 *           ^^^^^^^^^^^^^^^^                  parameters
 *                           ^                 openEnd
 *                            ^^^^^            children; the line end is the first one's `before`
 *                                 ^^          after
 *                                   ^^^^^^^^  close
 * ```
 */
export interface Quote extends Spaced {
  readonly type: "quote";
  readonly open: string;
  /** Parameters before the name. */
  readonly leading: readonly Parameter[];
  readonly bar: string;
  readonly attribution: readonly Inline[];
  readonly parameters: readonly Parameter[];
  readonly openEnd: string;
  readonly children: readonly Block[];
  readonly after?: string;
  readonly close: string;
}

/** A macro as a block: media, a list of guides, or a guide's card (a guide link without label). */
export interface Embed extends Spaced {
  readonly type: "embed";
  readonly child: Image | Video | GuideList | Link;
}

export type PageMacroName = "title" | "summary" | "summary_image" | "info" | "flag" | "def_flag";

/**
 * Data about the page inside of its text; not shown (wiki-syntax 2.5).
 *
 * ```text
 * [summary]short text[/summary]     [info | device⏎|introduced = 1998⏎]
 * ^^^^^^^^^                         ^^^^^^^^                             open
 *          ^^^^^^^^^^                       ^^^^^^                       value
 *                                                 ^^^^^^^^^^^^^^^^^^^    parameters
 *                    ^^^^^^^^^^                                      ^^  close
 * ```
 */
export interface PageMacro extends Spaced {
  readonly type: "pageMacro";
  readonly name: PageMacroName;
  readonly open: string;
  readonly value: string;
  readonly parameters: readonly Parameter[];
  readonly close: string;
}

/** The place in the parsed text, in UTF-16 units; absent on a built node. */
export type Position = Readonly<{ start: number; end: number }>;

export type Inline = Text | Mark | Break | Link | Image | Video | GuideList | Opaque;

/** Plain text, printed unchanged: markup in it takes effect when it is parsed, see `neutralise`. */
export interface Text {
  readonly type: "text";
  readonly value: string;
  readonly position?: Position;
}

/** `strong` is bold, `emphasis` italic; bold italic is one in the other. */
export type MarkType = "strong" | "emphasis" | "underline" | "strike" | "superscript" | "subscript" | "code";

/**
 * A stretch between two markers of one kind.
 *
 * ```text
 * '''x'''    ''x''      ++x++       ~~x~~    ^^x^^         ,,x,,       ``x``
 * strong     emphasis   underline   strike   superscript   subscript   code
 * ```
 *
 * Crossing marks (`''a '''b'' c'''`) are cut where they cross. The inner halves lack a marker,
 * which is then `""`:
 *
 * ```text
 * ''a '''b'' c'''
 * ^^^^^^^^^^        emphasis: text, strong with close ""
 *           ^^^^^   strong with open ""
 * ```
 *
 * A mark without children and with one marker of `""` is such a half around nothing; it shows
 * nothing.
 */
export interface Mark {
  readonly type: MarkType;
  readonly open: string;
  readonly children: readonly Inline[];
  readonly close: string;
  readonly position?: Position;
}

/**
 * A forced line break; the line end behind it belongs to it.
 *
 * ```text
 * one[br]⏎two
 *    ^^^^      open
 *        ^     after; absent: a line end in a paragraph, nothing elsewhere
 * ```
 */
export interface Break {
  readonly type: "break";
  readonly open: string;
  readonly after?: string;
  readonly position?: Position;
}

/** `url` includes `[link|…]` and site-relative addresses; `bare` is an address in running text. */
export type LinkKind = "url" | "guide" | "product" | "document" | "wiki" | "mailto" | "bare";

/**
 * A link of any kind.
 *
 * ```text
 * [guide|757|the label|stepid=38|new_window=true]
 * ^^^^^^^                                          open
 *        ^^^                                       target
 *           ^                                      bar: "" when there is no label
 *            ^^^^^^^^^                             children
 *                     ^^^^^^^^^^^^^^^^^^^^^^^^^^   parameters
 *                                               ^  close
 * ```
 *
 * | kind | written | target |
 * |---|---|---|
 * | url | `[https://e.org/x|l]`, `[link|/info/x|l]`, `[/info/x|l]` | address |
 * | guide | `[guide|757|l|stepid=38]` | guide id |
 * | product | `[product|IF145-002|l]` | product code |
 * | document | `[document|9|manual.pdf]` | document id; the label is the file name |
 * | wiki | `[[Topic:X#Section_A|l]]` | namespace word, title and section, as written; see
 * `readWikiTarget` |
 * | mailto | `[mailto|a@e.org|l]` | address |
 * | bare | `https://e.org/x` | address; `open`, `bar` and `close` are "" |
 */
export interface Link {
  readonly type: "link";
  readonly kind: LinkKind;
  readonly open: string;
  readonly target: string;
  /** Parameters before the label: read, but not written by sites. */
  readonly leading: readonly Parameter[];
  readonly bar: string;
  readonly children: readonly Inline[];
  readonly parameters: readonly Parameter[];
  readonly close: string;
  readonly position?: Position;
}

/**
 * A field of a macro. Without an equals sign `name` and `equals` are "".
 *
 * ```text
 * [image|66427|size=medium]
 *             ^              before
 *              ^^^^          name
 *                  ^         equals
 *                   ^^^^^^   value
 * ```
 */
export interface Parameter {
  readonly before: string;
  readonly name: string;
  readonly equals: string;
  readonly value: string;
}

interface Media {
  readonly open: string;
  readonly target: string;
  readonly parameters: readonly Parameter[];
  readonly close: string;
  readonly position?: Position;
}

/** `[image|66427|size=medium]`: the target is the id. Unknown fields (a caption) are parameters. */
export interface Image extends Media {
  readonly type: "image";
}

/** `[video|https://www.youtube.com/watch?v=x]`: the target is an address or a video's id. */
export interface Video extends Media {
  readonly type: "video";
}

/** `[guidelist|tags=a|type=howto]`: the target is "" and `tags`, `type` are parameters. */
export interface GuideList extends Media {
  readonly type: "guideList";
}

/**
 * A macro that the parser does not know, or that means nothing where it stands: shown and printed
 * verbatim.
 *
 * ```text
 * [soldering|label]
 *  ^^^^^^^^^         keyword, lower case
 * ^^^^^^^^^^^^^^^^^  value
 * ```
 */
export interface Opaque {
  readonly type: "opaque";
  readonly keyword: string;
  readonly value: string;
  readonly position?: Position;
}
