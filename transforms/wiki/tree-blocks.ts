import type { GuideList, Image, Inline, Link, Parameter, Position, Video } from "./tree-inlines.js";

export type Block = Paragraph | Heading | List | CodeBlock | Quote | Embed | PageMacro;

interface Spaced {
  /**
   * Blanks and line ends between the sibling before (or the beginning of the parent) and this block. Absent: `print` writes a
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

/** 1 is only ever written by the vendor's serializer; pages use 2 to 6. */
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

/** Neighbouring items of one kind and depth. */
export interface List extends Spaced {
  readonly type: "list";
  readonly ordered: boolean;
  readonly children: readonly ListItem[];
}

/**
 * One line of a list, with the lists that are nested in it. The number of marks is the depth, the last one the kind.
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
  /** Parameters that stand before the name. */
  readonly leading: readonly Parameter[];
  readonly bar: string;
  readonly attribution: readonly Inline[];
  readonly parameters: readonly Parameter[];
  readonly openEnd: string;
  readonly children: readonly Block[];
  readonly after?: string;
  readonly close: string;
}

/** A macro that is a block of its own: media, a list of guides, or a guide's card (a guide link without a label). */
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
