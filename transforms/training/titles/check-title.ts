import type { FindingCollector } from "../finding-collector.js";
import { MANIFEST_LIMITS } from "../manifest-limits.js";
import { shown } from "../shown.js";

/** A title as it stands in a manifest. */
export interface WrittenTitle {
  /** null: there is none. */
  readonly text: string | null;
  /** Elements stand in it. */
  readonly hasElements?: boolean;
  readonly place: string;
  /** Whose it is: `the organization`, `item "I1"`. */
  readonly owner: string;
}

/** Tells what is odd about a title (training modules, 3.1); gives it on one line, empty where there is none. */
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

/** Control characters, marks that turn the direction of writing, and such as nobody sees; not those that languages and emoji need. */
const CONTROL = /[\p{Cc}\u202a-\u202e\u2066-\u2069\u200b\u2060\ufeff]/u;

/** A tag, or one that is never closed and has attributes: browsers make the best of it. */
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
  { code: "W_MAN_TITLE_FORMULA", what: "begins as a formula does", isFound: (title) => /^[=+\-@]/.test(title) },
  {
    code: "W_MAN_TITLE_CONTROL",
    what: "has characters that nobody sees",
    isFound: (title) => CONTROL.test(title),
  },
];
