import { readFileSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { startSandbox } from "../../src/sandbox/index.js";
import { renderedContent, sameContent } from "../../transforms/html/rendered-content.js";

/**
 * Texts and the HTML that the sandbox makes of them, as public material shows it (syntax facts, 2
 * and 3).
 */
const PAGES: Readonly<Record<string, string>> = {
  'One.\n\nTwo & "2".': "<p>One.</p>\n\n<p>Two &amp; &quot;2&quot;.</p>",
  "'''''a''''' ''b'' ++c++ ~~d~~ ^^e^^ ,,f,, ``g``":
    "<p><strong><em>a</em></strong> <em>b</em> <ins>c</ins> <del>d</del> <sup>e</sup> <sub>f</sub> <tt>g</tt></p>",
  "* a\n** b\n* c": "<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>",
  "[https://e.org/x?a=1&b=2|see '' me|new_window=true]":
    '<p><a href="https://e.org/x?a=1&amp;b=2" rel="nofollow noopener noreferrer" target="_blank">see \'\' me</a></p>',
  "[[Topic:X Y#Section_A|l]] [mailto|a@e.org] [soldering|l] [2] x":
    '<p><a href="/Topic/X_Y#Section_A">l</a> <a href="mailto:a@e.org">a@e.org</a> [soldering|l] [2] x</p>',
  "[guide|99|l]": "<p>[invalid guide link]</p>",
  "[code]\n'''a''' <b>\n[/code]": "<pre>'''a''' &lt;b&gt;</pre>",
  "[title|A]\n[summary]s[/summary]\nText": "<p>Text</p>",
};

test("texts are rendered as the service renders them", async () => {
  const sandbox = await startSandbox();
  onTestFinished(() => sandbox.close());
  for (const [index, [text, html]] of Object.entries(PAGES).entries()) {
    sandbox.edit.createWiki({ namespace: "WIKI", title: `Page ${index}`, contents: text });
    const answer = await fetch(`${sandbox.url}/wikis/WIKI/Page%20${index}`);
    expect([text, ((await answer.json()) as { readonly contents_rendered: string }).contents_rendered]).toEqual([
      text,
      html,
    ]);
  }
});

const REAL = new URL("../../../shared/data/wiki/dozuki-ose-2026-markup.json", import.meta.url).pathname;

test("the 77 real texts with markup say what the real site made them say", { tags: ["shared"] }, async () => {
  const sandbox = await startSandbox();
  onTestFinished(() => sandbox.close());
  const texts = JSON.parse(readFileSync(REAL, "utf8")) as readonly {
    readonly raw: string;
    readonly rendered: string;
  }[];
  for (const [index, { raw, rendered }] of texts.entries()) {
    sandbox.edit.createWiki({ namespace: "WIKI", title: `Page ${index}`, contents: raw });
    const answer = await fetch(`${sandbox.url}/wikis/WIKI/Page%20${index}`);
    const { contents_rendered: html } = (await answer.json()) as { readonly contents_rendered: string };
    // Only that site knows its own host, whose addresses it makes `https:`.
    const secure = rendered.replaceAll("https://opensourceecology", "http://opensourceecology");
    expect([raw, sameContent(renderedContent(html), renderedContent(secure))]).toEqual([raw, true]);
  }
});
