import { describe, expect, it } from "vitest";
import { convert } from "../../../transforms/convert/convert.js";

function wikiOf(html: string): { readonly text: string; readonly told: readonly string[] } {
  const { text, issues } = convert(html, { from: "html", to: "wiki" });
  return { text, told: issues.map(({ level, code }) => `${level} ${code}`) };
}

describe("HTML becomes wiki text with nothing changed that no issue tells of", () => {
  it.each([
    ["whole", "https://e.org/a++b", "https://e.org/a++b"],
    ["cut behind the marker", "https://e.org/a++b/cccccccccccccccccccccccccccc", "https://e.org/a++b/cccccccccccc..."],
    ["cut before it", "https://e.org/a/cccccccccccccccccccccccccccc++b~~c", "https://e.org/a/cccccccccccc..."],
  ])("an address with a marker in it that the site made a link of, shown %s", (_, address, shown) => {
    expect(wikiOf(`<p>see <a href="${address}">${shown}</a> now</p>`)).toEqual({
      text: `see ${address} now`,
      told: [],
    });
  });

  it("an address that running text would cut keeps its whole label", () => {
    const address = "https://e.org/o''brien/cccccccccccccccccccccccccc";
    const { text } = wikiOf(`<p><a href="${address}">https://e.org/o''brien/cccccc...</a></p>`);
    expect(text).toContain(`[${address}|`);
    expect(text).not.toContain("...");
  });

  it.each(["?x=1&&y=2", "?x=1&", "?", "?&x=1", "?x=1&#s", "?#s", "?utm_source=a&x=1"])(
    "an address with %s",
    (query) => {
      const html = `<p><a href="https://e.org/a${query.replaceAll("&", "&amp;")}">x</a></p>`;
      expect(wikiOf(html)).toEqual({ text: `[https://e.org/a${query}|x]`, told: [] });
    },
  );

  it("the tracking of a link to a product goes with its address", () => {
    const html = '<p><a href="/Tools/Comb/IF145-002?utm_source=a&amp;utm_medium=b">Comb</a></p>';
    expect(wikiOf(html)).toEqual({ text: "[product|IF145-002|Comb]", told: [] });
  });

  it.each(["html", "plain-html"] as const)(
    "line ends at both ends of code, by way of %s, as often as one likes",
    (to) => {
      for (const code of ["a", "a\n", "a\n\n\n", "\na", "\n\na\n\n"]) {
        let wiki = `[code]\n${code}\n[/code]`;
        const given = wiki;
        for (let round = 0; round < 3; round += 1) wiki = wikiOf(convert(wiki, { from: "wiki", to }).text).text;
        expect(wiki).toBe(given);
      }
    },
  );

  it.each([
    ["http://www.youtube.com/embed/abc?wmode=opaque", "http://www.youtube.com/watch?v=abc"],
    ["https://www.youtube.com/embed/abc?start=30&amp;rel=0", "https://www.youtube.com/watch?v=abc&t=30&rel=0"],
    ["https://www.youtube-nocookie.com/embed/abc", "https://www.youtube.com/watch?v=abc"],
    ["//www.youtube.com/watch?t=5&amp;v=abc", "https://www.youtube.com/watch?t=5&v=abc"],
    ["https://youtu.be/abc?t=5", "https://youtu.be/abc?t=5"],
    ["https://player.vimeo.com/video/123?h=abc#t=30s", "https://vimeo.com/123?h=abc#t=30s"],
  ])("all that the address %s of a video says", (source, address) => {
    expect(wikiOf(`<iframe src="${source}"></iframe>`)).toEqual({ text: `[video|${address}]`, told: [] });
  });

  it.each([
    ["&lt</li>;x", "<;x"],
    ["&lt</b>;x", "<;x"],
    ["&#60</li>;x", "<;x"],
    ["&am</b>p;x", "&amp;x"],
    ["&lt;</b>x", "<x"],
  ])("the characters of %s", (html, text) => {
    expect(wikiOf(html).text).toBe(text);
  });
});

describe("what HTML of the site cannot say of a text is told", () => {
  const told = (wiki: string): readonly string[] =>
    convert(wiki, { from: "wiki", to: "html" }).issues.map(({ level, code }) => `${level} ${code}`);

  it("the address of a video beside its id", () => {
    expect(told("[video|https://www.youtube.com/watch?v=abc]")).toEqual([]);
    expect(told("[video|http://www.youtube.com/watch?v=abc]")).toEqual(["note video-address"]);
    expect(told("[video|https://www.youtube.com/watch?v=abc&t=30s]")).toEqual(["loss video-address"]);
  });

  it("the step of a link that is no link to a guide", () => {
    expect(told("[guide|12|x|stepid=5]")).toEqual([]);
    expect(told("[https://e.org|x|stepid=5]")).toEqual(["loss link-field"]);
  });
});

it("a link with a step comes back from a document tree as a link", () => {
  for (const wiki of ["[https://e.org|x|stepid=5]", "[link|/a|x|stepid=5]", "[guide|12|x|stepid=5]"]) {
    const tree = convert(wiki, { from: "wiki", to: "document-tree" });
    const back = convert(tree.text, { from: "document-tree", to: "wiki" });
    expect([back.text.replace("[link|https:", "[https:"), back.issues]).toEqual([wiki, []]);
  }
});
