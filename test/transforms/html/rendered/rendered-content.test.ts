import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import {
  ANY_LABEL,
  contentText,
  renderedContent,
  sameContent,
  similarContent,
} from "../../../../transforms/html/rendered-content.js";
import { createResolver } from "../../../../transforms/html/resolver.js";
import { toHtml } from "../../../../transforms/html/to-html.js";
import { parse } from "../../../../transforms/wiki/parse.js";

/** One text as sites of several eras render it (wiki-syntax 2.1.1, 3.2 to 3.5). */
const SAME: Readonly<Record<string, readonly [string, string]>> = {
  "marks and entities": ["<p>Cut <strong>3&quot;</strong> off</p>", '<div>Cut <b>3"</b>\n off</div>'],
  "a heading of 2011 and one of now": [
    '<h2 id="Section_A">A<a class="anchor" href="#Section_A" title="Link to this section">&nbsp;&para;&nbsp;</a></h2>',
    '<div class="headerContainer"><a class="selfLink" href="#A"></a><h2 class="header">A</h2></div>',
  ],
  "an address that was cut": [
    '<a href="https://e.org/a/very/long/address" rel="nofollow" title="https://e.org/a/very/long/address">https://e.org/a/very/...</a>',
    '<a href="https://e.org/a/very/long/address">https://e.org/a/very/long/address</a>',
  ],
  "a video of 2013 and one of now": [
    '<div class="videoBox_center"><iframe class="youtube-player" src="http://www.youtube.com/embed/x"></iframe></div>',
    '<div class="large videoFrame"><div class="videoBox"><div videoid=x class=\'youtube-player\'></div></div></div>',
  ],
  "an image in its box": ['<div class="imageBox"><img src="/a.png" data-imageid="5"></div>', '<img src="/b.medium" />'],
  "a picture that leads to itself": ['<a href="/full.png"><img src="/a.png"></a>', '<img src="/a.png">'],
  "broken words": ["abcdefghijklmnopqrstuvwxyzabcd<wbr />efg", "abcdefghijklmnopqrstuvwxyzabcdefg"],
};

test.each(Object.entries(SAME))("says the same: %s", (_what, [one, other]) => {
  expect(contentText(renderedContent(one))).not.toBe("");
  expect(sameContent(renderedContent(one), renderedContent(other))).toBe(true);
});

const OTHERS: Readonly<Record<string, readonly [string, string]>> = {
  "another word": ["<p>one two</p>", "<p>one three</p>"],
  "another goal": ['<a href="/Guide/x/1">see</a>', '<a href="/Guide/x/2">see</a>'],
  "another label": ['<a href="/Guide/x/1">see</a>', '<a href="/Guide/x/1">look</a>'],
  "no link": ['<a href="/Guide/x/1">see</a>', "see"],
  "a link that is marked as dead": ['<a href="/Wiki/X">see</a>', '<a class="new" href="/Wiki/X">see</a>'],
  "no image": ['a <img src="/a.png">', "a"],
  "another image": ['<img data-imageid="5">', '<img data-imageid="6">'],
  "an image for a video": ["<img>", "<video></video>"],
};

test.each(Object.entries(OTHERS))("does not say the same: %s", (_what, [one, other]) => {
  expect(sameContent(renderedContent(one), renderedContent(other))).toBe(false);
  expect(similarContent(renderedContent(one), renderedContent(other))).toBe(false);
});

test("a label that nobody knows equals any, and markup that is shown is told", () => {
  const named = renderedContent(`<a href="/Guide/-/1">${ANY_LABEL}</a>`);
  expect(sameContent(renderedContent('<a href="/Guide/-/1">The title</a>'), named)).toBe(true);
  expect(similarContent(renderedContent("'''Cut''' it"), renderedContent("<strong>Cut</strong> it"))).toBe(false);
  expect(similarContent(renderedContent("[guide|7|see]"), renderedContent("guide 7 see"))).toBe(false);
  expect(similarContent(renderedContent("3/4' wide"), renderedContent("3/4 wide"))).toBe(true);
});

test("any string is read, and blanks count for nothing", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (html) => {
      expect(sameContent(renderedContent(html), renderedContent(html))).toBe(true);
    }),
  );
  fc.assert(
    fc.property(fc.array(fc.stringMatching(/^[a-z]{1,8}$/), { minLength: 1 }), (words) => {
      const [one, other] = [words.join(" "), `<p>\n${words.join("&nbsp;\n ")} </p>`];
      expect(renderedContent(other)).toEqual(renderedContent(one));
    }),
  );
});

test("HTML that was written to do harm takes no more time than its length", () => {
  const depth = 50_000;
  expect(contentText(renderedContent(`${"<b><div>".repeat(depth)}deep`))).toBe("deep");
  const open = renderedContent("[https:".repeat(depth));
  expect(similarContent(open, open)).toBe(true);
});

const REAL = new URL("../../../../../shared/data/wiki/", import.meta.url).pathname;
interface Real {
  readonly raw: string;
  readonly rendered: string;
  readonly context: string;
}

/** Whose own addresses the site makes `https:`. */
const SITE = createResolver({ ownHosts: ["opensourceecology.dozuki.com"] });

describe("the 1,020 real texts", { tags: ["shared"] }, () => {
  it.each(["markup", "plain"])("their HTML says what this project reads in them: %s", (name) => {
    const texts = JSON.parse(readFileSync(`${REAL}dozuki-ose-2026-${name}.json`, "utf8")) as readonly Real[];
    const wrong = texts.filter(({ raw, rendered, context }) => {
      const meant = renderedContent(toHtml(parse(raw, { context: context === "line" ? "line" : "page" }).tree, SITE));
      return !similarContent(renderedContent(rendered), meant);
    });
    // Dead links are written as absolute ones to the old site before anybody compares.
    expect(wrong.filter(({ rendered }) => !rendered.includes("[invalid guide link]"))).toEqual([]);
    expect(texts.length).toBeGreaterThan(70);
  });
});
