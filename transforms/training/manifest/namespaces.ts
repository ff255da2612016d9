/** The two families of SCORM; their namespaces say which (training modules, 2.2). */
export type Family = "1.2" | "2004";

/** Content packaging, by the end of its name: tools write the address before it in several ways. */
const PACKAGING: readonly (readonly [RegExp, Family])[] = [
  [/\/imscp_rootv1p1p2(?:\.xsd)?$/i, "1.2"],
  [/\/imscp_v1p1(?:\.xsd)?$/i, "2004"],
];

/** The family of a manifest's namespace; undefined: it is not SCORM's. */
export function familyOf(namespace: string | null): Family | undefined {
  if (namespace === null || isOtherStandard(namespace)) return undefined;
  return PACKAGING.find(([pattern]) => pattern.test(namespace))?.[1];
}

/** Common Cartridge, later content packaging, QTI, and SCORM 1.1: known, and not taken. */
const OTHER =
  /\/imscc|\/imsccv|imscp_v1p2|imscp_rootv1p1(?:\.xsd)?$|imsproject\.org\/content|imsqti|imsbasiclti|imslti|imslticc/i;

export function isOtherStandard(namespace: string): boolean {
  return OTHER.test(namespace);
}

const ADL = /\/adl(?:cp|seq|nav|ssp|cmi)[a-z]*_/i;
const ADL_FAMILIES: readonly (readonly [RegExp, Family])[] = [
  [/\/adlcp_rootv1p2/i, "1.2"],
  [/\/adl(?:cp|seq|nav)_v1p3/i, "2004"],
];

export function isAdl(namespace: string | null): boolean {
  return namespace !== null && ADL.test(namespace);
}

export function adlFamilyOf(namespace: string): Family | undefined {
  return ADL_FAMILIES.find(([pattern]) => pattern.test(namespace))?.[1];
}

export function isScorm11(namespace: string): boolean {
  return /\/adlcp_rootv1p1(?:\.xsd)?$/i.test(namespace);
}

export function isSequencing(namespace: string | null): boolean {
  return namespace !== null && /\/imsss(?:_v1p0)?$/i.test(namespace);
}

export function isSchemaInstance(namespace: string | null): boolean {
  return namespace === "http://www.w3.org/2001/XMLSchema-instance";
}

export const XML_NAMESPACE = "http://www.w3.org/XML/1998/namespace";

/** Those whose elements make a processor fetch or change something. */
const ACTIVE = /^http:\/\/www\.w3\.org\/(?:2001\/XInclude|1999\/XSL\/Transform)/;
/** Those of pages; descriptions in metadata may have them. */
const PAGES = /^http:\/\/www\.w3\.org\/(?:1999\/xhtml|2000\/svg)/;

/** Has it no business in a manifest? Elements of vendors have: content packaging lets them stand nearly anywhere. */
export function isForeign(namespace: string | null, inMetadata: boolean): boolean {
  return namespace !== null && (ACTIVE.test(namespace) || (!inMetadata && PAGES.test(namespace)));
}
