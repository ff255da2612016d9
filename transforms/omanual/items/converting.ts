import type { Issue } from "../../../src/core/model/issue.js";
import type { MediaUse } from "../../../src/core/model/item.js";
import type { Key } from "../../../src/core/model/key.js";
import type { FromHtmlOptions } from "../../html/from-html.js";
import type { Bundle } from "../bundle.js";
import type { ManualCategory, ManualFlag, ManualPlace } from "../manual.js";

/** What making items of documents needs to know, beside the documents. */
export interface ItemOptions {
  /**
   * Guides become public ones; a manual does not say whether it is. Default: false, so that a
   * person looks first.
   */
  readonly public?: boolean;
  /** The site that the documents are of: links to it in their texts become links by id or title. */
  readonly site?: NonNullable<FromHtmlOptions["site"]>;
}

/** The making of one item. */
export interface Converting extends ItemOptions {
  readonly key: Key;
  /** The document's path in its package. */
  readonly path: string;
  /** How messages name it. */
  readonly file: string;
  readonly bundle: Bundle;
  readonly issues: Issue[];
  /** The media that it needs, each once. */
  readonly uses: Map<Key, MediaUse>;
}

interface Remark {
  readonly code: string;
  readonly level: Issue["level"];
  /** In the model's words. */
  readonly path: string;
  /** A clause: what, and what became of it. */
  readonly what: string;
  readonly remedy?: string;
}

/** Beyond it nobody reads them, and a hostile document has a hundred thousand. */
const MOST_ISSUES = 1000;

export function remark(converting: Converting, { what, ...issue }: Remark, at?: ManualPlace): void {
  const { issues, key, file } = converting;
  if (issues.length > MOST_ISSUES) return;
  if (issues.length === MOST_ISSUES) {
    const message = `${file}: this document has more issues, which are not listed.`;
    issues.push({ code: "more-issues", level: "loss", key, path: "", message });
    return;
  }
  const place = at === undefined ? "" : `:${at.line}:${at.column}`;
  issues.push({ ...issue, key, message: `${file}${place}: ${what}.` });
}

/** The keys that entries of a list give, each once. */
export function keysOf<T>(list: readonly T[], keyOf: (entry: T, index: number) => Key | null): readonly Key[] {
  return [...new Set(list.map(keyOf))].filter((key) => key !== null);
}

/** Sites know flags by their ids; title, picture and notice are their own. */
export function flagIds(flags: readonly ManualFlag[], converting: Converting): readonly string[] {
  return [
    ...new Set(
      flags.flatMap(({ id, title, text }, index) => {
        if (id !== null && id.trim() !== "") return [id.trim()];
        const what = `the flag "${title ?? text}" has no id; it is left out`;
        remark(converting, { code: "flag-without-id", level: "loss", path: `flags[${index}]`, what });
        return [];
      }),
    ),
  ];
}

const ROOT = /^root$/i;

/** The category's parent; null at the top. */
export function parentOf(manual: ManualCategory, converting: Converting): string | null {
  const [parent = null] = ancestorsOf(manual);
  const names = manual.ancestors.filter((name) => !ROOT.test(name.trim()));
  if (names.length > 1 && names.length === manual.ancestors.length) {
    const what = `the ancestors ${names.join(", ")} do not say which end is the top, as "Root" would; the first one is taken as the nearest`;
    remark(converting, { code: "ancestors-order", level: "note", path: "parent", what }, manual.at);
  }
  return parent;
}

/**
 * Nearest first, without `Root`. Real files begin with the nearest and end with `Root`, the
 * documentation has it the other way round (omanual 3): where `Root` comes first, the list is
 * turned.
 */
export function ancestorsOf({ ancestors }: Pick<ManualCategory, "ancestors">): readonly string[] {
  const names = ancestors.map((name) => name.trim()).filter((name) => name !== "");
  const turned = ROOT.test(names[0] ?? "") ? names.toReversed() : names;
  return turned.filter((name) => !ROOT.test(name));
}
