import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Child } from "hono/jsx";
import type { JSX } from "hono/jsx/jsx-runtime";
import { assetFile } from "./asset-files.js";
import { plainWords } from "./untrusted-text.js";

interface PageFrameProps {
  /** Of the window; untrusted text is allowed. */
  readonly title: string;
  readonly policy: string;
  /** A stylesheet, scripts. */
  readonly head: Child;
  /** Default: `no-referrer`, with which browsers send no origin along with a form. */
  readonly referrer?: "no-referrer" | "same-origin";
  readonly children?: Child;
}

/**
 * The frame of every page. The policy limits what a text on it can load or send, and search engines
 * must not index private content.
 */
export function PageFrame({ title, policy, head, referrer = "no-referrer", children }: PageFrameProps): JSX.Element {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content={policy} />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex, nofollow" />
        <meta name="referrer" content={referrer} />
        <meta name="color-scheme" content="light dark" />
        <title>{plainWords(title)}</title>
        {head}
      </head>
      <body>{children}</body>
    </html>
  );
}

/** Throws TypeError for asynchronous content. */
export function pageHtml(page: JSX.Element): string {
  const html: unknown = page.toString();
  if (typeof html !== "string") throw new TypeError("the content of a page must not be asynchronous");
  return `<!doctype html>\n${html}\n`;
}

interface WholePage {
  readonly before: string;
  readonly after: string;
}

/**
 * A self-contained page in two halves, for content larger than memory: it loads and sends nothing,
 * and runs only `script`. `title`: untrusted text is allowed. `script`: its text, see
 * `browserScript`; default: none.
 */
export function wholePage(title: string, script?: string): WholePage {
  const style = stylesheet();
  const runs = script === undefined ? "" : ` script-src ${hashSource(script)};`;
  const policy = `default-src 'none'; style-src ${hashSource(style)};${runs} base-uri 'none'; form-action 'none'`;
  const page = pageHtml(
    <PageFrame title={title} policy={policy} head={<InlineStyle css={style} />}>
      <main class="report" />
      {script !== undefined && <InlineScript code={script} />}
    </PageFrame>,
  );
  // No text or stylesheet contains it: each `<` of a text is escaped.
  const at = page.indexOf(END);
  return { before: page.slice(0, at), after: page.slice(at) };
}

const END = "</main>";

/** Throws TypeError for text that would end the element. */
export function InlineStyle({ css }: { readonly css: string }): JSX.Element {
  // Browsers do not unescape the text of a style element.
  if (/<[/!]/.test(css)) throw new TypeError("the stylesheet contains text that would end its style element");
  return <style dangerouslySetInnerHTML={{ __html: css }} />;
}

/** Throws TypeError for code that would end the element, or that browsers read differently. */
function InlineScript({ code }: { readonly code: string }): JSX.Element {
  if (/<(?:[/!]|script)/i.test(code)) throw new TypeError("the script contains text that would end its script element");
  return <script dangerouslySetInnerHTML={{ __html: code }} />;
}

/** The source of a content security policy that allows this stylesheet or script only. */
function hashSource(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}

/**
 * The compiled text of a browser script, by its path below `src/web`: `report/browser/rows.js`.
 * Throws FerryError without a build.
 */
export function browserScript(path: string): string {
  return readFileSync(assetFile(path), "utf8");
}

let text: string | undefined;

/** Throws errors of the disk. */
function stylesheet(): string {
  text ??= readFileSync(assetFile("components/style.css"), "utf8");
  return text;
}
