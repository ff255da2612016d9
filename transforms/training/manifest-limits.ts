import type { XmlLimits } from "../xml/xml-fault.js";

/** Bounds of a manifest (training modules, 3.3); far beyond real ones. */
export const MANIFEST_LIMITS = {
  /** Of a manifest or a course file. */
  bytes: 16 * 1024 * 1024,
  /** Elements open at once; of 189 manifests of ADL none has more than 12. */
  depth: 64,
  /** Items, units or rows of one package. */
  items: 5000,
  /** Characters of a title. */
  titleLength: 4096,
  /**
   * Characters of any other text, or of an attribute: addresses, descriptions, what a unit is
   * started with.
   */
  textLength: 65_536,
  /** From here on a title is told of: columns of databases end here. */
  longTitle: 255,
} as const;

/** Those that the gate keeps. */
export const MANIFEST_XML_LIMITS: Partial<XmlLimits> = {
  bytes: MANIFEST_LIMITS.bytes,
  depth: MANIFEST_LIMITS.depth,
  textLength: MANIFEST_LIMITS.textLength,
};
