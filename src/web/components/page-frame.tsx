import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Child } from "hono/jsx";
import type { JSX } from "hono/jsx/jsx-runtime";
import { plainWords } from "./foreign.js";

interface PageFrameProps {
  /** Of the window; foreign text is fine. */
  readonly title: string;
  /** The content security policy. */
  readonly policy: string;
  /** Elements of the head: a stylesheet, scripts. */
  readonly head: Child;
  readonly children?: Child;
}

/**
 * The outermost of every page: nothing is loaded or sent but what the policy allows, whatever a
 * text on it tried. No search engine shall keep it, since an archive may hold what is private. The
 * page's own words are English.
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

/**
 * A page as text. Throws TypeError when something on it waits for something: pages are made of what
 * is at hand.
 */
export function pageHtml(page: JSX.Element): string {
  const html: unknown = page.toString();
  if (typeof html !== "string") throw new TypeError("a page has to be made of what is at hand");
  return `<!doctype html>\n${html}\n`;
}

/** A page in two halves: what stands between them may be more than memory holds. */
interface WholePage {
  readonly before: string;
  readonly after: string;
}

/**
 * A page that is whole in itself: nothing is loaded, nothing runs, nothing is sent, whatever a text
 * on it tried. `title`: of the window; foreign text is fine.
 */
export function wholePage(title: string): WholePage {
  const style = stylesheet();
  const policy = `default-src 'none'; style-src ${styleSource(style)}; base-uri 'none'; form-action 'none'`;
  const page = pageHtml(
    <PageFrame title={title} policy={policy} head={<InlineStyle css={style} />}>
      <main class="report" />
    </PageFrame>,
  );
  // Nothing else of a page looks like this: each `<` of a text is written as `&lt;`, and the
  // stylesheet has none.
  const at = page.indexOf(END);
  return { before: page.slice(0, at), after: page.slice(at) };
}

const END = "</main>";

/**
 * Our own stylesheet inside of a page that has to be whole in itself. Throws TypeError for text
 * that would end its element.
 */
export function InlineStyle({ css }: { readonly css: string }): JSX.Element {
  // A browser takes the text of a style element as it stands: escaped it would be another one.
  if (/<[/!]/.test(css)) throw new TypeError("the stylesheet would end its element");
  return <style dangerouslySetInnerHTML={{ __html: css }} />;
}

/** What allows this stylesheet in a content security policy, and no other. */
function styleSource(css: string): string {
  return `'sha256-${createHash("sha256").update(css).digest("base64")}'`;
}

let text: string | undefined;

/**
 * The text of the one stylesheet; the build puts it beside the compiled files too. Throws what
 * reading a file throws.
 */
function stylesheet(): string {
  text ??= readFileSync(new URL("./style.css", import.meta.url), "utf8");
  return text;
}
