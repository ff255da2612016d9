/** An element on its way out. */
export interface WrittenElement {
  readonly name: string;
  /** In the order in which they are written; those without a value are left out. */
  readonly attributes: Readonly<Record<string, string | null | undefined>>;
  /** Elements stand on lines of their own; words and `markup` stay exactly as they are. */
  readonly content: readonly WrittenElement[] | string | Markup;
}

/** XML that is finished: simplified HTML. */
export interface Markup {
  readonly markup: string;
}

export type Attributes = WrittenElement["attributes"];

/** An element that holds words. Blanks around them mean nothing to readers. */
export function leaf(name: string, text: string, attributes: Attributes = {}): WrittenElement {
  return { name, attributes, content: text.trim() };
}

/** An element that holds elements; an empty list is an empty element. */
export function branch(name: string, content: readonly WrittenElement[], attributes: Attributes = {}): WrittenElement {
  return { name, attributes, content };
}

/** An element that holds words and elements among them. */
export function mixed(name: string, markup: string, attributes: Attributes = {}): WrittenElement {
  return { name, attributes, content: { markup } };
}

const STEP = "  ";

/** The element, indented by two blanks a level and with a line end behind it; the same bytes for equal elements. */
export function printElement({ name, attributes, content }: WrittenElement, indent = ""): string {
  const start = `${indent}<${name}${printAttributes(attributes)}`;
  const inner = typeof content === "string" ? escapeText(content) : "markup" in content ? content.markup : undefined;
  if (inner !== undefined) return inner === "" ? `${start}/>\n` : `${start}>${inner}</${name}>\n`;
  const children = (content as readonly WrittenElement[]).map((child) => printElement(child, indent + STEP));
  return children.length === 0 ? `${start}/>\n` : `${start}>\n${children.join("")}${indent}</${name}>\n`;
}

export function printAttributes(attributes: Attributes): string {
  let written = "";
  for (const [name, value] of Object.entries(attributes))
    if (value !== null && value !== undefined) written += ` ${name}="${escapeAttribute(value)}"`;
  return written;
}

const ESCAPED: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  // By number, since readers make line feeds of the first and blanks of all in attributes (XML 1.0, 2.11 and 3.3.3).
  "\r": "&#13;",
  "\n": "&#10;",
  "\t": "&#9;",
};

/** Words between tags. `>` too, so that `]]>` never stands there. */
export function escapeText(text: string): string {
  return text.replace(/[&<>\r]/g, escaped);
}

function escapeAttribute(value: string): string {
  return value.replace(/[&<>"\r\n\t]/g, escaped);
}

function escaped(character: string): string {
  return ESCAPED[character] ?? character;
}
