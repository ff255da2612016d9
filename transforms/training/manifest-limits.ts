import type { XmlLimits } from "../xml/xml-fault.js";

/** Limits of a manifest, far above real ones (training modules, 3.3). */
export const MANIFEST_LIMITS = {
  bytes: 16 * 1024 * 1024,
  /** Open elements; 189 manifests of ADL have at most 12. */
  depth: 64,
  /** Items, units or rows of one package. */
  items: 5000,
  titleLength: 4096,
  /** Characters of any other text or attribute. */
  textLength: 65_536,
  /** Longer titles get a finding, since database columns are limited to this length. */
  longTitle: 255,
} as const;

export const MANIFEST_XML_LIMITS: Partial<XmlLimits> = {
  bytes: MANIFEST_LIMITS.bytes,
  depth: MANIFEST_LIMITS.depth,
  textLength: MANIFEST_LIMITS.textLength,
};
