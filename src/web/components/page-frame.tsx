import type { Child } from "hono/jsx";
import type { JSX } from "hono/jsx/jsx-runtime";
import { plainWords } from "./foreign.js";

export interface PageFrameProps {
  /** Of the window; foreign text is fine. */
  readonly title: string;
  /** The content security policy. */
  readonly policy: string;
  /** Elements of the head: a stylesheet, scripts. */
  readonly head: Child;
  readonly children?: Child;
}

/**
 * The outermost of every page: nothing is loaded or sent but what the policy allows, whatever a text on it tried. No search engine shall keep it, since an archive
 * may hold what is private. The page's own words are English.
 */
export function PageFrame({ title, policy, head, children }: PageFrameProps): JSX.Element {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content={policy} />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex, nofollow" />
        <meta name="referrer" content="no-referrer" />
        <meta name="color-scheme" content="light dark" />
        <title>{plainWords(title)}</title>
        {head}
      </head>
      <body>{children}</body>
    </html>
  );
}

/** A page as text. Throws TypeError when something on it waits for something: pages are made of what is at hand. */
export function pageHtml(page: JSX.Element): string {
  const html: unknown = page.toString();
  if (typeof html !== "string") throw new TypeError("a page has to be made of what is at hand");
  return `<!doctype html>\n${html}\n`;
}
