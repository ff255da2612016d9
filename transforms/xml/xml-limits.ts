/** Bounds that keep any input below 2 s and 100 MB; generous for manuals and manifests. */
export interface XmlLimits {
  /** Of the file; for a text, its UTF-16 units. */
  readonly bytes: number;
  /** Elements open at once. */
  readonly depth: number;
  /** Elements and CDATA sections. */
  readonly nodes: number;
  /** In the whole document. */
  readonly attributes: number;
  readonly attributesOfElement: number;
  /** UTF-16 units. */
  readonly nameLength: number;
  /** UTF-16 units of one piece of text, CDATA section or attribute value. */
  readonly textLength: number;
}

/**
 * A guide of 60 steps is 60 KB, 700 elements, 1,500 attributes, 6 levels. fast-xml-parser collects text character by
 * character, at some 30 bytes each while it does, hence the bound of one piece of text.
 */
export const XML_LIMITS: XmlLimits = {
  bytes: 8 * 1024 * 1024,
  depth: 100,
  nodes: 100_000,
  attributes: 200_000,
  attributesOfElement: 100,
  nameLength: 200,
  textLength: 1_000_000,
};
