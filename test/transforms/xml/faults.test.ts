import { describe, expect, it } from "vitest";
import { documentOf, faultOf } from "./read.js";

/** Code, line, column, element, then the text that is refused. */
const FAULTS: readonly (readonly [string, number, number, string | null, string])[] = [
  ["xml-empty", 1, 1, null, ""],
  ["xml-empty", 1, 1, null, " \n "],
  ["xml-empty", 2, 1, null, "<!-- a -->\n"],
  ["xml-character", 1, 4, null, "<a>\u0000</a>"],
  ["xml-character", 2, 1, null, "<a>\n\u001b</a>"],
  ["xml-character", 1, 4, null, "<a>\ud800</a>"],
  ["xml-character", 1, 4, null, "<a>\uffff</a>"],
  ["xml-declaration", 1, 1, null, "<?xml encoding='utf-8'?><a/>"],
  ["xml-declaration", 1, 1, null, "<?xml version='1.0' encoding=utf-8?><a/>"],
  ["xml-declaration", 2, 1, "a", "<a>\n<?xml version='1.0'?></a>"],
  ["xml-instruction", 1, 4, "a", "<a><?>< ?></a>"],
  ["xml-instruction", 1, 4, "a", "<a><? b?></a>"],
  ["xml-doctype", 1, 1, null, "<!DOCTYPE a><a/>"],
  ["xml-doctype", 1, 1, null, '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'],
  ["xml-doctype", 1, 4, "a", "<a><!DOCTYPE a></a>"],
  ["xml-doctype", 1, 1, null, "<!doctype html><a/>"],
  ["xml-entity", 1, 4, "a", "<a>&nbsp;</a>"],
  ["xml-entity", 1, 7, "a", "<a b='&eacute;'/>"],
  ["xml-reference", 1, 6, "a", "<a>x & y</a>"],
  ["xml-reference", 1, 4, "a", "<a>&#;</a>"],
  ["xml-reference", 1, 4, "a", "<a>&#0;</a>"],
  ["xml-reference", 1, 4, "a", "<a>&#xD800;</a>"],
  ["xml-reference", 1, 4, "a", "<a>&#99999999999999999999;</a>"],
  ["xml-reference", 1, 4, "a", "<a>&#X41;</a>"],
  ["xml-tag", 1, 6, "a", "<a>x< y</a>"],
  ["xml-tag", 1, 3, "a", "<a"],
  ["xml-tag", 1, 9, "a", "<a b='1'c='2'/>"],
  ["xml-tag", 1, 7, "a", "<a></a"],
  ["xml-tag", 1, 1, null, "<!ELEMENT a ANY><a/>"],
  ["xml-tag", 1, 4, "a", "<a / ></a>"],
  ["xml-name", 1, 2, null, "<1a/>"],
  ["xml-name", 1, 2, null, "<a:b:c/>"],
  ["xml-name", 1, 2, null, "<:a/>"],
  ["xml-attribute", 1, 5, "a", "<a b/>"],
  ["xml-attribute", 1, 6, "a", "<a b=1/>"],
  ["xml-attribute", 1, 6, "a", "<a b='1>"],
  ["xml-attribute", 1, 8, "a", "<a b='1<c/>'/>"],
  ["xml-attribute-twice", 1, 10, "a", "<a b='1' b='2'/>"],
  ["xml-attribute-twice", 1, 1, "a", "<a xmlns:p='u' xmlns:q='u' p:b='' q:b=''/>"],
  ["xml-mismatch", 2, 4, "b", "<a>\n<b></a></b>"],
  ["xml-mismatch", 1, 5, null, "<a/></a>"],
  ["xml-unclosed", 1, 7, "b", "<a><b>"],
  ["xml-outside-root", 1, 5, null, "<a/><b/>"],
  ["xml-outside-root", 1, 5, null, "<a/>x"],
  ["xml-outside-root", 1, 1, null, "x<a/>"],
  ["xml-outside-root", 1, 1, null, "\u00a0<a/>"],
  ["xml-outside-root", 1, 1, null, '{"guideid": 1}'],
  ["xml-outside-root", 1, 5, null, "<a/><![CDATA[x]]>"],
  ["xml-comment", 1, 4, "a", "<a><!-- x</a>"],
  ["xml-comment", 1, 9, "a", "<a><!-- -- --></a>"],
  ["xml-cdata", 1, 4, "a", "<a><![CDATA[x</a>"],
  ["xml-cdata", 1, 5, "a", "<a>x]]></a>"],
  ["xml-instruction", 1, 4, "a", "<a><?b</a>"],
  ["xml-instruction", 1, 4, "a", "<a><? b?></a>"],
];

describe("what is not well-formed", () => {
  it.each(FAULTS)("is %s at %i:%i in %s: %j", (code, line, column, element, text) => {
    expect(faultOf(text)).toMatchObject({ code, line, column, element });
  });

  it("is told with file, place, element, what was found and what was expected", () => {
    expect(faultOf("<guide>\n  <line>A</lines></guide>").message).toBe(
      "a.xml:2:10 in <line>: </lines> closes <line> of line 2, column 3. Expected: </line>.",
    );
  });

  it("is no reason to refuse blank lines before the declaration, but a note", () => {
    const { notes } = documentOf("\n\n<?xml version='1.0'?><a/>");
    expect(notes).toEqual([expect.objectContaining({ code: "xml-declaration-late", line: 3, column: 1 })]);
  });
});

describe("the limits", () => {
  it.each([
    ["xml-too-large", { bytes: 10 }, "<a>123456789</a>"],
    ["xml-too-deep", { depth: 2 }, "<a><b><c/></b></a>"],
    ["xml-too-many-nodes", { nodes: 2 }, "<a><b/><b/></a>"],
    ["xml-too-many-nodes", { nodes: 2 }, "<a><![CDATA[]]><![CDATA[]]></a>"],
    ["xml-too-many-attributes", { attributesOfElement: 1 }, "<a b='' c=''/>"],
    ["xml-too-many-attributes", { attributes: 1 }, "<a b=''><c d=''/></a>"],
    ["xml-name-too-long", { nameLength: 3 }, "<abcd/>"],
    ["xml-name-too-long", { nameLength: 3 }, "<a abcd=''/>"],
    ["xml-text-too-long", { textLength: 3 }, "<a>1234</a>"],
    ["xml-text-too-long", { textLength: 3 }, "<a b='1234'/>"],
    ["xml-text-too-long", { textLength: 3 }, "<a><![CDATA[1234]]></a>"],
  ])("refuse with %s beyond %j", (code, limits, text) => {
    expect(faultOf(text, limits).code).toBe(code);
  });
});
