import { XMLParser } from "fast-xml-parser";

/** The one setting of fast-xml-parser: everything in its order, as written, nothing guessed, nothing expanded. */
const SETTING = {
  preserveOrder: true,
  ignoreAttributes: true,
  cdataPropName: "#cdata",
  trimValues: false,
  parseTagValue: false,
  processEntities: false,
  htmlEntities: false,
  jPath: false,
  maxNestedTags: Number.MAX_SAFE_INTEGER,
  // Names that mean something to JavaScript are renamed or refused otherwise; no name begins with a slash. An empty
  // element's name comes here twice.
  transformTagName: (name: string) => (name.startsWith("/") ? name : `/${name}`),
} as const;

/**
 * fast-xml-parser's tree of a text that `scan` let pass, which has the attributes itself: an array of objects, each with one
 * field that is its content, named `#text`, `#cdata` or `/` and the element's name.
 */
export function parseTree(text: string): readonly ParsedNode[] {
  return PARSER.parse(text) as readonly ParsedNode[];
}

/** Nothing of a text stays in it. */
const PARSER = new XMLParser(SETTING);

export type ParsedNode = Readonly<Record<string, ParsedContent>>;
export type ParsedContent = string | readonly ParsedNode[];
