import type { Issue } from "../../../src/core/model/issue.js";
import type { Key } from "../../../src/core/model/key.js";
import type { MediaUse } from "../../../src/core/model/media.js";
import type { FromHtmlOptions } from "../../html/from-html.js";
import type { ManualPlace } from "../manual.js";
import type { Bundle } from "./bundle.js";

/** What making items of documents needs to know, beside the documents. */
export interface ItemOptions {
  /** Guides become public ones; a manual does not say whether it is. Default: false, so that a person looks first. */
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

export interface Remark {
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
