import type { TextContext } from "../wiki/tree.js";
import type { SourceFormat, TargetFormat } from "./formats.js";
import { READERS } from "./readers.js";
import type { ConvertIssue, Setting } from "./setting.js";
import { WRITERS } from "./writers.js";

export interface ConvertOptions {
  readonly from: SourceFormat;
  readonly to: TargetFormat;
  /** `line` for a line of a step, which holds no blocks. Default: `page`. */
  readonly context?: TextContext;
  /**
   * Scheme and host of the site that the text belongs to, `https://site.example`. With it links relative to the site are whole
   * in `plain-html`, and links to the site become links by id or title when HTML is read. Default: not known.
   */
  readonly origin?: string;
}

export interface Converted {
  readonly text: string;
  /**
   * What the new text does not say, or says otherwise (`loss`, `error`), and where there was more than one reading (`note`).
   * Places are those of what was read; an issue about the whole of it ends at 0.
   */
  readonly issues: readonly ConvertIssue[];
}

/**
 * Converts a text from one format into another, by way of the tree of the wiki syntax. Pure: the same text gives the same
 * result. From `wiki` to `wiki` every text comes back as it is. A document tree may be given as its JSON or as the value that
 * the JSON stands for. Throws UsageError when the source is not of the format at all; bad content is an issue.
 */
export function convert(source: unknown, { from, to, context = "page", origin }: ConvertOptions): Converted {
  const setting: Setting = { context, origin: origin?.replace(/\/+$/, "") };
  const { tree, issues } = READERS[from](source, setting);
  const written = WRITERS[to](tree, setting);
  const further = from === "wiki" ? written.issues : written.issues.map(unplaced);
  return { text: written.text, issues: [...issues, ...further] };
}

/** A writer's places are those of wiki text, which nobody has seen when something else was read. */
function unplaced(issue: ConvertIssue): ConvertIssue {
  return { ...issue, start: 0, end: 0 };
}
