import { XMLParser } from "fast-xml-parser";

/** The one setting of fast-xml-parser: everything in its order, as written, nothing guessed, nothing expanded. */
const SETTING = {
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: "",
  cdataPropName: "#cdata",
  trimValues: false,
  parseTagValue: false,
  parseAttributeValue: false,
  processEntities: false,
  htmlEntities: false,
  jPath: false,
  maxNestedTags: Number.MAX_SAFE_INTEGER,
  // Names that mean something to JavaScript are renamed or refused otherwise; no name begins with a slash. An empty
  // element's name comes here twice.
  transformTagName: (name: string) => (name.startsWith("/") ? name : `/${name}`),
  transformAttributeName: (name: string) => `/${name}`,
} as const;

/**
 * fast-xml-parser's tree of a text that `scan` let pass: an array of objects, each with one field that is its content,
 * named `#text`, `#cdata` or `/` and the element's name, and `:@` for attributes, whose names have the slash too.
 */
export function parseTree(text: string): readonly ParsedNode[] {
  return new XMLParser(SETTING).parse(text) as readonly ParsedNode[];
}

export type ParsedNode = Readonly<Record<string, ParsedContent>>;
export type ParsedContent = string | readonly ParsedNode[] | Readonly<Record<string, string>>;
