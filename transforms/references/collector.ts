import type { Key } from "../../src/core/model/key.js";
import type { Dangling, SiteOptions } from "./rewrite-options.js";
import { rewriteReferences } from "./rewrite-references.js";
import { addressReference, numberReference, type RewrittenValue, rewriteValue } from "./value.js";

/** What the rewriting of many values could not point home, kept on the way through them. */
export interface Collector {
  readonly options: SiteOptions;
  readonly missing: Key[];
  readonly dangling: Dangling[];
}

export function collectorOf(options: SiteOptions): Collector {
  return { options, missing: [], dangling: [] };
}

/** Words that may hold macros: as in a line, since what looks like a block in them is text. */
export function rewriteWords(text: string, collector: Collector): string {
  const { text: written, missing, dangling } = rewriteReferences(text, { ...collector.options, context: "line" });
  collect(collector, { value: written, missing, dangling });
  return written;
}

/** null: no link may stay. */
export function rewriteAddress(address: string, collector: Collector): string | null {
  const reference = addressReference(address, collector.options.source);
  return reference === undefined ? address : collect(collector, rewriteValue(address, reference, collector.options));
}

/** null: the number may not stay. */
export function rewriteNumber(kind: "image" | "video", digits: string, collector: Collector): string | null {
  const reference = numberReference(kind, digits);
  return reference === undefined ? digits : collect(collector, rewriteValue(digits, reference, collector.options));
}

function collect({ missing, dangling }: Collector, rewritten: RewrittenValue): string | null {
  missing.push(...rewritten.missing);
  dangling.push(...rewritten.dangling);
  return rewritten.value;
}
