import { createHash } from "node:crypto";

/** What the page looks like, on paper and in the dark too. */
export const STYLE = `
:root { color-scheme: light dark; --text: #1c1e21; --page: #fff; --line: #c6cad1; --soft: #f2f4f7; --gone: #ffe3e3; --come: #ddf5de; --warn: #8a4b00; }
@media (prefers-color-scheme: dark) {
  :root { --text: #e4e6eb; --page: #18191c; --line: #4a4f58; --soft: #26282d; --gone: #5a1d22; --come: #17431f; --warn: #f0b860; }
}
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 70rem; padding: 0 1rem; color: var(--text); background: var(--page); overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.2rem; margin-top: 2rem; } h3 { font-size: 1rem; margin: .8rem 0 .2rem; }
summary { cursor: pointer; overflow-wrap: anywhere; }
:focus-visible { outline: 3px solid #2f6fde; outline-offset: 2px; }
.item { border: 1px solid var(--line); border-radius: 4px; padding: .3rem .6rem; margin: .3rem 0; }
.key, .count { opacity: .8; font-size: .9em; }
.warn { color: var(--warn); font-weight: 600; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; background: var(--soft); border-left: 3px solid var(--line); padding: .4rem .6rem; margin: 0; font: inherit; }
del { background: var(--gone); } ins { background: var(--come); text-decoration: underline; }
.mark { border: 1px solid var(--line); border-radius: 3px; font-size: .75em; padding: 0 .2em; }
nav ol { columns: 2; }
@media print {
  body { margin: 0; max-width: none; font-size: 10pt; }
  nav details { display: none; }
  .item { break-inside: avoid-page; border-radius: 0; }
  details::details-content { content-visibility: visible; block-size: auto; }
  del { text-decoration: line-through; } ins { font-weight: 600; }
}
`;

/** Nothing is loaded, nothing runs, nothing is sent: whatever a text tried, a browser would refuse it. */
export const POLICY = `default-src 'none'; style-src 'sha256-${createHash("sha256").update(STYLE).digest("base64")}'; base-uri 'none'; form-action 'none'`;
