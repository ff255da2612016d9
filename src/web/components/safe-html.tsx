import type { JSX } from "hono/jsx/jsx-runtime";
import type { SafeHtml } from "../../../transforms/html/reader/safe-html.js";

export interface SafeTextProps {
  /** What the sanitiser made. Empty: nothing is shown. */
  readonly html: SafeHtml;
  /** Words inside of other words. Default: false, blocks. */
  readonly inline?: boolean;
  /** A language tag, where the text's language is another than that of what is around it. Default: none. */
  readonly lang?: string | undefined;
}

/** The one way of HTML into a page: only the sanitiser makes what it takes. Blocks run the way that their first letters are written. */
export function SafeText({ html, inline = false, lang }: SafeTextProps): JSX.Element | null {
  if (html === "") return null;
  const inside = { dangerouslySetInnerHTML: { __html: html } };
  return inline ? <span lang={lang} {...inside} /> : <div class="prose" dir="auto" lang={lang} {...inside} />;
}
