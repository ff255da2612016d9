import type { Issue } from "../../../src/core/model/issue.js";
import type { MediaUse } from "../../../src/core/model/item.js";
import type { Key } from "../../../src/core/model/key.js";
import type { FromHtmlOptions } from "../../html/from-html.js";
import type { Bundle } from "../bundle.js";
import type { ManualCategory, ManualFlag, ManualPlace } from "../manual.js";

export interface ItemOptions {
  /** Default: false, since a manual does not state whether a guide is public. */
  readonly public?: boolean;
  /** Links in texts to this site become links by id or title. */
  readonly site?: NonNullable<FromHtmlOptions["site"]>;
}

export interface Converting extends ItemOptions {
  readonly key: Key;
  /** Within the package. */
  readonly path: string;
  readonly file: string;
  readonly bundle: Bundle;
  readonly issues: Issue[];
  readonly uses: Map<Key, MediaUse>;
}

interface Remark {
  readonly code: Issue["code"];
  readonly level: Issue["level"];
  /** Path in the model. */
  readonly path: string;
  /** A clause: the problem and its effect. */
  readonly what: string;
  readonly remedy?: string;
}

/** A hostile document has a hundred thousand. */
const MOST_ISSUES = 1000;

export function remark(converting: Converting, { what, ...issue }: Remark, at?: ManualPlace): void {
  const { issues, key, file } = converting;
  if (issues.length > MOST_ISSUES) return;
  if (issues.length === MOST_ISSUES) {
    const message = `${file}: further issues of this document are not listed.`;
    issues.push({ code: "more-issues", level: "loss", key, path: "", message });
    return;
  }
  const place = at === undefined ? "" : `:${at.line}:${at.column}`;
  issues.push({ ...issue, key, message: `${file}${place}: ${what}.` });
}

export function keysOf<T>(list: readonly T[], keyOf: (entry: T, index: number) => Key | null): readonly Key[] {
  return [...new Set(list.map(keyOf))].filter((key) => key !== null);
}

/** Sites identify flags by id; title, picture and notice are their own. */
export function flagIds(flags: readonly ManualFlag[], converting: Converting): readonly string[] {
  return [
    ...new Set(
      flags.flatMap(({ id, title, text }, index) => {
        if (id !== null && id.trim() !== "") return [id.trim()];
        const what = `the flag "${title ?? text}" has no id. It is left out`;
        remark(converting, { code: "flag-without-id", level: "loss", path: `flags[${index}]`, what });
        return [];
      }),
    ),
  ];
}

const ROOT = /^root$/i;

/** null: at the top. */
export function parentOf(manual: ManualCategory, converting: Converting): string | null {
  const [parent = null] = ancestorsOf(manual);
  const names = manual.ancestors.filter((name) => !ROOT.test(name.trim()));
  if (names.length > 1 && names.length === manual.ancestors.length) {
    const what = `the ancestors ${names.join(", ")} do not say which end is the top, as "Root" would. The first one is used as the nearest`;
    remark(converting, { code: "ancestors-order", level: "note", path: "parent", what }, manual.at);
  }
  return parent;
}

/** Nearest first, without `Root`: a list that begins with it is reversed (omanual 3). */
export function ancestorsOf({ ancestors }: Pick<ManualCategory, "ancestors">): readonly string[] {
  const names = ancestors.map((name) => name.trim()).filter((name) => name !== "");
  const turned = ROOT.test(names[0] ?? "") ? names.toReversed() : names;
  return turned.filter((name) => !ROOT.test(name));
}
