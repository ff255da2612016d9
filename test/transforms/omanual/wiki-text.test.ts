import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fromHtml } from "../../../transforms/html/from-html.js";
import { createBundle } from "../../../transforms/omanual/bundle.js";
import type { Converting } from "../../../transforms/omanual/items/converting.js";
import { lineText, pageText, plainWords } from "../../../transforms/omanual/items/texts-and-media.js";
import { print } from "../../../transforms/wiki/print.js";

function converting(): Converting {
  const bundle = createBundle(["a.xml"], []);
  return { key: "guide/1", path: "a.xml", file: "a.xml", bundle, issues: [], uses: new Map() };
}

function page(html: string, raw: string | null = null) {
  const at = converting();
  return { text: pageText({ html, raw }, "introduction", at), codes: at.issues.map(({ code }) => code) };
}

describe("the wiki text of a line", () => {
  it("is the raw text where there is one", () => {
    expect(lineText({ html: "<em>a</em>", raw: "''b''" }, "", converting())).toBe("''b''");
    expect(lineText({ html: "<em>a</em>", raw: "" }, "", converting())).toBe("''a''");
  });

  it("is made of the HTML without a look at it where it is plain words, and that makes no difference", () => {
    const words = fc.string({
      unit: fc.constantFrom(..."aZ09 .;:()%?!\"'°×–—…-wW".split(""), "www.", "http:", " a ", "''", "--", "Mr. X: "),
    });
    fc.assert(
      fc.property(words, (html) => {
        expect(lineText({ html, raw: null }, "", converting())).toBe(
          print(fromHtml(html, { context: "line" }).tree).trim(),
        );
      }),
      { numRuns: 2000 },
    );
  });
});

describe("the wiki text of a page", () => {
  it("is the raw text where the HTML is one block, since then no line end can be missing", () => {
    expect(page("<p>A <b>b</b></p>", "A '''b''' [guide|5|c]").text).toBe("A '''b''' [guide|5|c]");
  });

  it("is the raw text where its line ends were kept", () => {
    expect(page("<p>A</p><p>B</p>", "A\n\nB [guide|5|c]").text).toBe("A\n\nB [guide|5|c]");
  });

  it("is made of the HTML where line ends were lost, with the videos of the raw text in their boxes", () => {
    const html = '<p>A</p>\n<div class="videoBox_center" style="width:5px;"></div><p>B</p>';
    expect(page(html, "A  [video|https://e.org/1]  B [video|https://e.org/2]").text).toBe(
      "A\n\n[video|https://e.org/1]\n\nB\n\n[video|https://e.org/2]",
    );
  });

  it("tells of boxes whose video nothing names", () => {
    expect(page('<p>A</p><div class="videoBox_center"></div>')).toEqual({
      text: "A",
      codes: ["video-without-address"],
    });
  });

  it("keeps what HTML says beyond the syntax as words, with an issue", () => {
    const { text, codes } = page("<table><tr><td>A</td><td>B</td></tr></table><p>C</p>");
    expect(text).toContain("A | B");
    expect(codes.length).toBeGreaterThan(0);
  });
});

describe("a description", () => {
  it("has no markup left", () => {
    expect(plainWords("A <b>b</b> &amp; <a href='/x'>c</a>")).toBe("A b & c");
  });
});
