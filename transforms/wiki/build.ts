import { parameter } from "./build-inlines.js";
import type {
  Block,
  CodeBlock,
  Embed,
  Heading,
  HeadingLevel,
  Inline,
  Line,
  List,
  ListItem,
  Page,
  PageMacro,
  PageMacroName,
  Paragraph,
  Quote,
} from "./tree.js";

/** Nodes made by hand, with the markers and spacing that this project writes. Inlines are in `build-inlines.ts`. */

/** A page of blocks. */
export function page(children: readonly Block[]): Page {
  return { type: "page", children };
}

/** A step line. */
export function line(children: readonly Inline[]): Line {
  return { type: "line", children };
}

export function paragraph(children: readonly Inline[]): Paragraph {
  return { type: "paragraph", children };
}

export function heading(level: HeadingLevel, children: readonly Inline[]): Heading {
  const marks = "=".repeat(level);
  return { type: "heading", level, open: `${marks} `, children, close: ` ${marks}` };
}

export function list(ordered: boolean, children: readonly ListItem[]): List {
  return { type: "list", ordered, children };
}

/** An item; its marker is written by its depth in the tree. */
export function listItem(children: readonly Inline[], lists: readonly List[] = []): ListItem {
  return { type: "listItem", space: " ", children, lists };
}

/** A code block; `value` is without the line ends next to the tags. */
export function codeBlock(value: string): CodeBlock {
  return { type: "codeBlock", open: "[code]\n", value, close: "\n[/code]" };
}

export interface QuoteOptions {
  /** Who said it. Default: nobody is named. */
  readonly attribution?: readonly Inline[];
  /** `long` is the site's default and not written. */
  readonly format?: string;
}

export function quote(children: readonly Block[], options: QuoteOptions = {}): Quote {
  const { attribution = [], format = "long" } = options;
  return {
    type: "quote",
    open: "[quote",
    leading: [],
    bar: attribution.length > 0 ? "|" : "",
    attribution,
    parameters: format === "long" ? [] : [parameter("format", format)],
    openEnd: "]",
    children,
    close: "[/quote]",
  };
}

/** A macro on its own line. */
export function embed(child: Embed["child"]): Embed {
  return { type: "embed", child };
}

/** `values` are the parameters of `info` and `def_flag`, each written on its own line. */
export function pageMacro(
  name: PageMacroName,
  value: string,
  values: Readonly<Record<string, string>> = {},
): PageMacro {
  const parameters = Object.entries(values).map(([key, given]) => ({ ...parameter(key, given), before: "\n|" }));
  const common = { type: "pageMacro", name, value, parameters } as const;
  if (name === "summary") return { ...common, open: "[summary]", close: "[/summary]" };
  return { ...common, open: value === "" ? `[${name}` : `[${name}|`, close: parameters.length > 0 ? "\n]" : "]" };
}
