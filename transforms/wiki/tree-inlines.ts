/** Where a node stood in the parsed text, in UTF-16 units; absent on a node that was built. */
export type Position = Readonly<{ start: number; end: number }>;

export type Inline = Text | Mark | Break | Link | Image | Video | GuideList | Opaque;

/** Plain text, written as it stands: markup in it becomes markup when it is read again, see `neutralise`. */
export interface Text {
  readonly type: "text";
  readonly value: string;
  readonly position?: Position;
}

/** `strong` is bold, `emphasis` italic; bold and italic is one in the other. */
export type MarkType = "strong" | "emphasis" | "underline" | "strike" | "superscript" | "subscript" | "code";

/**
 * A stretch between two markers of one kind.
 *
 * ```text
 * '''x'''    ''x''      ++x++       ~~x~~    ^^x^^         ,,x,,       ``x``
 * strong     emphasis   underline   strike   superscript   subscript   code
 * ```
 *
 * Crossing marks (`''a '''b'' c'''`) are cut where they cross. The inner halves lack a marker, which is then `""`:
 *
 * ```text
 * ''a '''b'' c'''
 * ^^^^^^^^^^        emphasis: text, strong with close ""
 *           ^^^^^   strong with open ""
 * ```
 *
 * A mark without children and with one marker of `""` is such a half around nothing; it shows nothing.
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

/** `url` also holds the form with keyword, `[link|…]`, and site-relative addresses; `bare` is an address in running text. */
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
 * | wiki | `[[Topic:X#Section_A|l]]` | namespace word, title and section, as written; see `readWikiTarget` |
 * | mailto | `[mailto|a@e.org|l]` | address |
 * | bare | `https://e.org/x` | address; `open`, `bar` and `close` are "" |
 */
export interface Link {
  readonly type: "link";
  readonly kind: LinkKind;
  readonly open: string;
  readonly target: string;
  /** Parameters that stand before the label: nobody writes them there, but they are read. */
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

/** `[image|66427|size=medium]`: the target is the image's id. Unknown fields (a caption) are parameters too. */
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
 * A macro that the parser does not know, or that means nothing where it stands: shown and printed verbatim.
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
