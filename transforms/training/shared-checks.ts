import { type FindingCollector, shown } from "./findings.js";
import { MANIFEST_LIMITS } from "./manifest-limits.js";
import { type ManifestXml, placeOf } from "./read-manifest-xml.js";
import type { Validation } from "./validation.js";

interface WrittenTitle {
  /** null: none. */
  readonly text: string | null;
  readonly hasElements?: boolean;
  readonly place: string;
  /** `the organization`, `item "I1"` */
  readonly owner: string;
}

/** Reports problems of a title (training modules, 3.1) and returns it on one line; empty: none. */
export function checkTitle(
  { text, hasElements = false, place, owner }: WrittenTitle,
  findings: FindingCollector,
): string {
  const title = (text ?? "").replace(/\s+/g, " ").trim();
  if (title === "") {
    findings.add("W_MAN_TITLE_MISSING", place, `${owner} has no title`);
    return "";
  }
  for (const { code, isFound, what } of ODDITIES)
    if (isFound(title, hasElements)) findings.add(code, place, `the title of ${owner} ${what}: "${shown(title)}"`);
  return title;
}

/** Control, direction and invisible characters, except those that languages and emoji need. */
const CONTROL = /[\p{Cc}\u202a-\u202e\u2066-\u2069\u200b\u2060\ufeff]/u;

/** A tag, also an unclosed one with attributes: browsers render it. */
const MARKUP = /<\/?[a-z!][^<>]*>|<[a-z][a-z0-9]*[\s/]+[a-z-]+\s*=/i;

interface Oddity {
  readonly code:
    | "E_XML_TEXT_TOO_LONG"
    | "W_MAN_TITLE_LONG"
    | "W_MAN_TITLE_MARKUP"
    | "W_MAN_TITLE_FORMULA"
    | "W_MAN_TITLE_CONTROL";
  readonly what: string;
  isFound(title: string, hasElements: boolean): boolean;
}

const { titleLength, longTitle } = MANIFEST_LIMITS;

const ODDITIES: readonly Oddity[] = [
  {
    code: "E_XML_TEXT_TOO_LONG",
    what: `has more than ${titleLength} characters`,
    isFound: (title) => title.length > titleLength,
  },
  {
    code: "W_MAN_TITLE_LONG",
    what: `has more than ${longTitle} characters`,
    isFound: (title) => title.length > longTitle && title.length <= titleLength,
  },
  {
    code: "W_MAN_TITLE_MARKUP",
    what: "has markup",
    isFound: (title, hasElements) => hasElements || MARKUP.test(title.slice(0, titleLength)),
  },
  { code: "W_MAN_TITLE_FORMULA", what: "begins like a formula", isFound: (title) => /^[=+\-@]/.test(title) },
  {
    code: "W_MAN_TITLE_CONTROL",
    what: "has invisible characters",
    isFound: (title) => CONTROL.test(title),
  },
];

export interface RootRule {
  readonly name: string;
  readonly namespace: string;
}

/** Training modules, 2.1. */
export function hasRoot(
  { path, root }: ManifestXml,
  { name, namespace }: RootRule,
  { findings }: Pick<Validation, "findings">,
): boolean {
  if (root.name === name && root.namespace === namespace) return true;
  const what = `<${shown(root.name)}> of ${shown(root.namespace ?? "no namespace")}`;
  findings.add(
    "E_MAN_ROOT_ELEMENT",
    placeOf(path, root),
    `its first element is ${what}, and not <${name}> of ${namespace}`,
  );
  return false;
}

const ABSOLUTE = /^[a-z][a-z0-9+.-]*:[^\s<>"{}|\\^`\p{Cc}]+$/iu;
const BAD_ESCAPE = /%(?![0-9a-f]{2})/i;

/** RFC 3987, 2.2; web schemes need a host. */
export function isAbsoluteIri(text: string): boolean {
  if (!ABSOLUTE.test(text) || BAD_ESCAPE.test(text)) return false;
  return !/^https?:/i.test(text) || /^https?:\/\/[^/?#]/i.test(text);
}
