import { describe, expect, it } from "vitest";
import { elementsIn } from "../../../transforms/xml/xml-document.js";
import { documentOf, shortOf } from "./read.js";

const tree = (text: string) => shortOf(documentOf(text).root);

describe("the tree that the gate gives", () => {
  it("keeps order, white space and text between elements", () => {
    expect(tree("<p> a <b>c</b>\n<i>d</i> e </p>")).toEqual([
      "p",
      {},
      " a ",
      ["b", {}, "c"],
      "\n",
      ["i", {}, "d"],
      " e ",
    ]);
  });

  it("keeps a lone blank between two elements", () => {
    expect(tree("<p><b>a</b> <b>c</b></p>")).toEqual(["p", {}, ["b", {}, "a"], " ", ["b", {}, "c"]]);
  });

  it("decodes XML's entities and numbers once", () => {
    expect(tree('<a b="&lt;&amp;lt;&#65;&#x42;">&amp;nbsp;&gt;&apos;&quot;&#128512;</a>')).toEqual([
      "a",
      { b: "<&lt;AB" },
      "&nbsp;>'\"😀",
    ]);
  });

  it("takes CDATA as text, as it stands, joined with the text beside it", () => {
    expect(tree("<a>x<![CDATA[<b>&amp;]] >]]>y&amp;</a>")).toEqual(["a", {}, "x<b>&amp;]] >y&"]);
    expect(tree("<a><![CDATA[]]></a>")).toEqual(["a", {}]);
  });

  it("leaves comments and instructions out, whatever quotes or tags stand in them", () => {
    expect(tree("<?x it's?><!-- <b> ' --><a>1<!-- </a> -->2<?php echo \"?>3</a><!-- z --><?y ?>")).toEqual([
      "a",
      {},
      "123",
    ]);
  });

  it("makes line ends one character, and white space in attributes spaces unless it is written by number", () => {
    expect(tree('<a b="1\r\n2\t3&#10;4">x\r\ny\rz</a>')).toEqual(["a", { b: "1 2 3\n4" }, "x\ny\nz"]);
  });

  it("keeps long texts whole, with what was left out of them and decoded in them", () => {
    const long = "Warp and weft & ".repeat(500);
    const written = long.replaceAll("&", "&amp;");
    expect(tree(`<a>${written}<!-- x -->1<![CDATA[2]]>${written}<b>${written}</b>\n${" ".repeat(50)}<c/></a>`)).toEqual(
      ["a", {}, `${long}12${long}`, ["b", {}, long], `\n${" ".repeat(50)}`, ["c", {}]],
    );
  });

  it("keeps numbers, booleans and empty values texts", () => {
    expect(tree('<a b="007" c="">1.20</a>')).toEqual(["a", { b: "007", c: "" }, "1.20"]);
    expect(tree("<a>true</a>")).toEqual(["a", {}, "true"]);
  });

  it("reads names that mean something to JavaScript or to the parser", () => {
    for (const name of [
      "__proto__",
      "constructor",
      "prototype",
      "toString",
      "hasOwnProperty",
      "_text",
      "__defineGetter__",
    ]) {
      expect(tree(`<${name} ${name}="1"><${name}/>t</${name}>`)).toEqual([name, { [name]: "1" }, [name, {}], "t"]);
    }
    expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false);
  });

  it("reads tags with any white space in them, and > in values", () => {
    expect(tree("<a\n\tb = '1>2'\n c\t=\n\"x/\"\n><d\n/><e  f='/'/></a\n>")).toEqual([
      "a",
      { b: "1>2", c: "x/" },
      ["d", {}],
      ["e", { f: "/" }],
    ]);
  });
});

describe("places", () => {
  it("says where each element begins, also behind left-out stretches and Windows line ends", () => {
    const { root } = documentOf("<?xml version='1.0'?>\r\n<!-- a\r\nb -->\r\n<a>\r\n  <b/><c/>\n</a>");
    expect([root, ...elementsIn(root)].map(({ name, line, column }) => `${name} ${line}:${column}`)).toEqual([
      "a 4:1",
      "b 5:3",
      "c 5:7",
    ]);
  });
});

describe("namespaces", () => {
  it("are resolved by the nearest declaration, for attributes by prefix only", () => {
    const { root } = documentOf('<a xmlns="urn:1" xmlns:p="urn:2" x="" p:y=""><p:b xmlns:p="urn:3"/><c xmlns=""/></a>');
    expect([root, ...elementsIn(root)].map(({ namespace }) => namespace)).toEqual(["urn:1", "urn:3", null]);
    expect(root.attributes.map(({ name, namespace }) => [name, namespace])).toEqual([
      ["x", null],
      ["y", "urn:2"],
    ]);
  });

  it("notes a prefix that is declared nowhere, once, and reads on", () => {
    const { root, notes } = documentOf('<a>\n <q:b q:c="1"/><q:b xml:lang="de"/></a>');
    expect(elementsIn(root).map(({ prefix, name, namespace }) => [prefix, name, namespace])).toEqual([
      ["q", "b", null],
      ["q", "b", null],
    ]);
    expect(notes).toEqual([expect.objectContaining({ code: "xml-prefix-undeclared", line: 2, column: 2 })]);
  });
});
