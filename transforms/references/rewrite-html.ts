import { escapeHtml } from "../html/escape-html.js";
import { applyEdits, type Edit, put, remove } from "./edits.js";
import { type HtmlReference, htmlReferences } from "./html-references.js";
import type { RewriteReport, SiteOptions } from "./rewrite-options.js";
import { rewriteValue } from "./value.js";

export interface RewrittenHtml extends RewriteReport {
  readonly html: string;
}

/**
 * Rendered HTML with its references pointed home, where there is nothing but HTML: a text that has wiki syntax is rewritten there.
 * Everything outside of the attributes that refer stays byte for byte. Where `dangling` or `later` asks for a label, the attribute
 * goes and the element's content stays; a number whose goal has none at the target goes in any case.
 */
export function rewriteHtml(html: string, options: SiteOptions): RewrittenHtml {
  const rewritten = htmlReferences(html, options.source).map((found) => ({
    found,
    ...rewriteValue(found.value, found.reference, options),
  }));
  return {
    html: applyEdits(
      html,
      rewritten.flatMap(({ found, value }) => editsOf(found, value)),
    ),
    missing: [...new Set(rewritten.flatMap(({ missing }) => missing))],
    dangling: rewritten.flatMap(({ dangling }) => dangling),
  };
}

function editsOf(found: HtmlReference, value: string | null): readonly Edit[] {
  if (value === null) return [remove(found.attribute)];
  return value === found.value ? [] : [put(found, quoted(value, found.quote))];
}

function quoted(value: string, quote: HtmlReference["quote"]): string {
  const written = escapeHtml(value);
  if (quote === "") return `"${written}"`;
  return quote === "'" ? written.replaceAll("'", "&#39;") : written;
}
