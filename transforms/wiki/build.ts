import type {
  Block,
  Break,
  CodeBlock,
  Embed,
  GuideList,
  Heading,
  HeadingLevel,
  Image,
  Inline,
  Line,
  Link,
  LinkKind,
  List,
  ListItem,
  Mark,
  MarkType,
  Opaque,
  Page,
  PageMacro,
  PageMacroName,
  Paragraph,
  Parameter,
  Quote,
  Text,
  Video,
} from "./tree.js";

/* Builders of nodes, with the markers and spacing that guideferry writes. */

export function page(children: readonly Block[]): Page {
  return { type: "page", children };
}

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

/** The depth in the tree determines the marker. */
export function listItem(children: readonly Inline[], lists: readonly List[] = []): ListItem {
  return { type: "listItem", space: " ", children, lists };
}

/** `value` has no line ends next to the tags. */
export function codeBlock(value: string): CodeBlock {
  return { type: "codeBlock", open: "[code]\n", value, close: "\n[/code]" };
}

interface QuoteOptions {
  /** The author. Default: none. */
  readonly attribution?: readonly Inline[];
  /** `long` is the site's default and is not written. */
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

export function embed(child: Embed["child"]): Embed {
  return { type: "embed", child };
}

/** `values`: the parameters of `info` and `def_flag`, each on its own line. */
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

/** The markers of each mark (wiki-syntax 2.2). */
export const MARKERS = {
  strong: "'''",
  emphasis: "''",
  underline: "++",
  strike: "~~",
  superscript: "^^",
  subscript: ",,",
  code: "``",
} as const satisfies Record<MarkType, string>;

/** Writes plain text unchanged; other text goes through `neutralise` first. */
export function text(value: string): Text {
  return { type: "text", value };
}

export function mark(type: MarkType, children: readonly Inline[]): Mark {
  return { type, open: MARKERS[type], children, close: MARKERS[type] };
}

export function lineBreak(): Break {
  return { type: "break", open: "[br]" };
}

export interface LinkOptions {
  /** Default: none; the site then shows the title or the address. */
  readonly label?: readonly Inline[];
  /** Guides only: the step that the link opens. */
  readonly stepId?: string;
  /** Default: false. */
  readonly newWindow?: boolean;
}

/** `target` depends on the kind, see the table at `Link`. */
export function link(kind: LinkKind, target: string, options: LinkOptions = {}): Link {
  const { label = [], stepId, newWindow = false } = options;
  const [open, close] = BRACKETS[kind];
  const step = stepId === undefined ? [] : [parameter("stepid", stepId)];
  const parameters = newWindow ? [...step, parameter("new_window", "true")] : step;
  const bar = label.length > 0 ? "|" : "";
  return { type: "link", kind, open, target, leading: [], bar, children: label, parameters, close };
}

/** What each kind of link begins and ends with, in the current spelling (wiki-syntax 2.3). */
export const BRACKETS = {
  url: ["[", "]"],
  guide: ["[guide|", "]"],
  product: ["[product|", "]"],
  document: ["[document|", "]"],
  wiki: ["[[", "]]"],
  mailto: ["[mailto|", "]"],
  bare: ["", ""],
} as const satisfies Record<LinkKind, readonly [string, string]>;

/** `values` are written in their order; the vendor's is `align`, `size`. */
export function image(id: string, values: Readonly<Record<string, string>> = {}): Image {
  return { type: "image", open: "[image|", target: id, parameters: parametersOf(values), close: "]" };
}

/** `target`: an address or a video's id. */
export function video(target: string, values: Readonly<Record<string, string>> = {}): Video {
  return { type: "video", open: "[video|", target, parameters: parametersOf(values), close: "]" };
}

export function guideList(values: Readonly<Record<string, string>>): GuideList {
  return { type: "guideList", open: "[guidelist", target: "", parameters: parametersOf(values), close: "]" };
}

/** A macro kept verbatim, such as `opaque("soldering", "[soldering|label]")`. */
export function opaque(keyword: string, value: string): Opaque {
  return { type: "opaque", keyword, value };
}

export function parameter(name: string, value: string): Parameter {
  return { before: "|", name, equals: "=", value };
}

function parametersOf(values: Readonly<Record<string, string>>): readonly Parameter[] {
  return Object.entries(values).map(([name, value]) => parameter(name, value));
}
