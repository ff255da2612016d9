import { describe, expect, it } from "vitest";
import { keysOf } from "../../../transforms/references/reference.js";
import { references } from "../../../transforms/references/references.js";
import type { TextContext } from "../../../transforms/wiki/tree.js";
import { OLD } from "./sites.js";

function found(text: string, context: TextContext = "page"): readonly string[] {
  return references(text, OLD, context).map(
    (reference) =>
      `${reference.form} ${keysOf(reference).join(" ") || reference.kind}: ${text.slice(reference.start, reference.end)}`,
  );
}

describe("links (wiki-syntax 2.3)", () => {
  it.each([
    ["[guide|757|label]", "guide/757"],
    ["[guide|21499]", "guide/21499"],
    ["[guide|26|new_window=true]", "guide/26"],
    ["[guide|10525|label|stepid=38274]", "guide/10525 step/38274"],
    ["[guide|10525|stepid=38274|label]", "guide/10525 step/38274"],
    ["[guide|10525|stepid=38274]", "guide/10525 step/38274"],
    ["[guide|12|label|stepid=5|new_window=true]", "guide/12 step/5"],
    ["[guide|12|label|new_window=true|StepId = 5 ]", "guide/12 step/5"],
    ["[guide|12|a [b] c|stepid=5]", "guide/12 step/5"],
    ["[guide|12||stepid=5]", "guide/12 step/5"],
    ["[guide | 0012 | label]", "guide/12"],
    ["[GUIDE|12]", "guide/12"],
    ["[guide|12|stepid=first]", "guide/12"],
    ["[product|IF145-002|label]", "product"],
    ["[product|IF145-239]", "product"],
    ["[document|9|a manual.pdf]", "document/9"],
  ])("finds the macro %s", (text, keys) => {
    expect(found(`a ${text} b`, "line")).toEqual([`macro ${keys}: ${text}`]);
  });

  it.each([
    ["[[Title|label]]", "wiki/WIKI/Title"],
    ["[[Title]]", "wiki/WIKI/Title"],
    ["[[Topic:Hand Looms|l]]", "category/Hand Looms"],
    ["[[Category:Hand_Looms]]", "category/Hand Looms"],
    ["[[device: Hand Looms |l]]", "category/Hand Looms"],
    ["[[Item:Shuttle|l]]", "wiki/ITEM/Shuttle"],
    ["[[Info:Safety|l]]", "wiki/INFO/Safety"],
    ["[[User:5|Ann]]", "wiki/USER/5"],
    ["[[Team:3]]", "wiki/TEAM/3"],
    ["[[Wiki:Title]]", "wiki/WIKI/Title"],
    ["[[Star Wars: A Saw]]", "wiki/WIKI/Star Wars: A Saw"],
    ["[[Topic:]]", "wiki/WIKI/Topic:"],
    ["[[2009_Subaru_X|here]]", "wiki/WIKI/2009 Subaru X"],
    ["[[Page#Section_Foo|label]]", "wiki/WIKI/Page"],
    ["[[Topic:Loom#Section_Foo]]", "category/Loom"],
    ['[[Topic:Loom 15" Wide|Loom 15" Wide]]', 'category/Loom 15" Wide'],
    ["[[Title|label|new_window=true]]", "wiki/WIKI/Title"],
    ["[[Title|a [1] b]]", "wiki/WIKI/Title"],
    ["[[Title|a ] b]]", "wiki/WIKI/Title"],
  ])("finds the wiki link %s", (text, key) => {
    expect(found(`a ${text} b`, "line")).toEqual([`wiki-link ${key}: ${text}`]);
  });

  it.each([
    ["[https://old.example/Guide/A+Loom/12/1|label]", "guide/12"],
    ["[https://old.example/Guide/A+Loom/12/2#s38|label|new_window=true]", "guide/12 step/38"],
    ["[link|http://old.example/Teardown/A/12|label]", "guide/12"],
    ["[link|/Guide/A/12]", "guide/12"],
    ["[link|/info/Safety|label]", "wiki/INFO/Safety"],
    ["[/Guide/A/12|label]", "guide/12"],
    ["[//old.example/Guide/A/12|label]", "guide/12"],
    ["[video|https://old.example/Document/ab12/saw.mp4]", "document/ab12"],
    ["[https://old.example/Wiki/Saws#Section_A|label]", "wiki/WIKI/Saws"],
    ["[https://old.example]", "page"],
    ["[link|/Search?q=saw|label]", "page"],
  ])("finds the link %s", (text, keys) => {
    expect(found(`a ${text} b`, "line")).toEqual([`link ${keys}: ${text}`]);
  });

  it.each([
    "[https://other.example/Guide/A/12|label]",
    "[link|https://other.example/Guide/A/12|label]",
    "[video|https://other.example/watch?v=12]",
    "[http:/old.example/Guide/A/12|label]",
    "[mailto|ann@old.example|label]",
    "[link|Guide/A/12|label]",
    "[/quote]",
    "[soldering|label]",
    "[guide|twelve|label]",
    "[guide|12 13|label]",
    "[guidelist|tags=LOOM|type=howto]",
    "[flag|private]",
    "[product| ]",
    "[product|\u00a0]",
    "[summary_image|none]",
    "[summary_image|9a]",
    "[spacebar] [2] x [add use here]",
    "[[#Section_A|up]]",
    "[[ ]]",
    "[[Ti\ntle]]",
    "[guide|12|never closed",
    "[[Title|never closed]",
    "old.example/Guide/A/12",
    "ftp://old.example/Guide/A/12",
    "|stepid=5]",
  ])("leaves %j alone", (text) => {
    expect(found(text)).toEqual([]);
  });
});

describe("media, embeds and metadata (wiki-syntax 2.4, 2.5)", () => {
  it.each([
    ["[image|66427]", "macro image/66427"],
    ["[image|66427|size=medium|align=center]", "macro image/66427"],
    ["[video|7]", "macro video/7"],
    ["[summary_image|9157]", "metadata image/9157"],
  ])("finds %s", (text, name) => {
    expect(found(text)).toEqual([`${name}: ${text}`]);
  });
});

describe("references inside other constructs", () => {
  it("reads no reference in a code block of a page", () => {
    expect(found("[guide|1]\n[code]\n[guide|2]\n[/code]\n[guide|3]").map((line) => line.slice(-2, -1))).toEqual([
      "1",
      "3",
    ]);
    expect(found("[code]\r\n[guide|2]\r\n[/code]")).toEqual([]);
    expect(found("* a\n[quote]\n[code] \n[guide|2]\n[/code]\n[/quote]")).toEqual([]);
    expect(found("[code]\n[/code] [guide|3]")).toEqual(["macro guide/3: [guide|3]"]);
  });

  it("knows no code block in a line of a step", () => {
    expect(found("[code]\n[guide|2]\n[/code]", "line")).toEqual(["macro guide/2: [guide|2]"]);
  });

  it.each([
    "[code]\n[guide|2]",
    "a [code]\n[guide|2]\n[/code]",
    "[code][guide|2][/code]",
    "[code] x\n[guide|2]\n[/code]",
    "[code]\n[guide|2][/code]",
    "[code]\n[guide|2][/code]\n[/code]",
    "[CODE]\n[guide|2]\n[/code]",
    "[br] [code]\n[guide|2]\n[/code]",
    " [code]\n[guide|2]\n[/code]",
    "``[guide|2]``",
    "'''[guide|2]'''",
    "[quote|[guide|2]]\nx\n\n[/quote]",
    "[[guide|2]]",
  ])("reads a reference wherever it is not surely code: %j", (text) => {
    expect(found(text)).toEqual(["macro guide/2: [guide|2]"]);
  });

  it("prefers a link to the page that one bracket too many would name", () => {
    expect(found("[[https://old.example/Guide/x/12|label]]")).toEqual([
      "link guide/12: [https://old.example/Guide/x/12|label]",
    ]);
  });

  it("finds the image of a page's summary behind one bracket too many", () => {
    expect(found("[[summary_image|9]]")).toEqual(["metadata image/9: [summary_image|9]"]);
  });

  it("finds a macro in the label of another, of which it knows the head and its steps", () => {
    expect(found("[guide|1|see [guide|2|x|stepid=3] or|stepid=4]")).toEqual([
      "macro guide/1 step/4: [guide|1|see [guide|2|x|stepid=3] or|stepid=4",
      "macro guide/2 step/3: [guide|2|x|stepid=3]",
    ]);
    expect(found("[https://other.example|see [guide|2|x]]")).toEqual(["macro guide/2: [guide|2|x]"]);
    expect(found("[https://old.example/c/A|see [guide|2|x]]")).toEqual([
      "url category/A: https://old.example/c/A",
      "macro guide/2: [guide|2|x]",
    ]);
    expect(found("[link|/c/A|see [guide|2|x]]")).toEqual(["link category/A: [link|/c/A", "macro guide/2: [guide|2|x]"]);
    expect(found("[product|A|see [guide|2|x]]")).toEqual(["macro product: [product|A", "macro guide/2: [guide|2|x]"]);
    expect(found("[[A|see [guide|2|x]]]")).toEqual(["wiki-link wiki/WIKI/A: [[A", "macro guide/2: [guide|2|x]"]);
  });

  it("finds a macro whose label holds a bracket that never closes, and the step behind that", () => {
    expect(found("[guide|1|a [b|stepid=4] c")).toEqual(["macro guide/1 step/4: [guide|1|a [b|stepid=4]"]);
    expect(found("[guide|1|[image|5|stepid=4]")).toEqual([
      "macro guide/1 step/4: [guide|1|[image|5|stepid=4",
      "macro image/5: [image|5|stepid=4]",
    ]);
    expect(found("[[A|size=3] and [[B]]")).toEqual(["wiki-link wiki/WIKI/A: [[A", "wiki-link wiki/WIKI/B: [[B]]"]);
    expect(found("[guide|1|see [[A|b]")).toEqual(["macro guide/1: [guide|1"]);
  });

  it.each([
    ["[guide|1|a\n\nb]", "macro guide/1: [guide|1"],
    ["== [guide|1|a ==\nb]", "macro guide/1: [guide|1|a ==\nb]"],
    ["[guide\n|1|a]", "macro guide/1: [guide\n|1"],
    ["[guide|\u00a01|a]", "macro guide/1: [guide|\u00a01"],
    ["[soldering|a [image|5|size=x]]", "macro image/5: [image|5|size=x]"],
    ["[summary]see [guide|1|a][/summary]", "macro guide/1: [guide|1|a]"],
    ["[info | device\n|text = [guide|1|a]\n]", "macro guide/1: [guide|1|a]"],
    ["[title|a https://old.example/c/A]", "url category/A: https://old.example/c/A"],
    ["x [summary_image|5] y", "metadata image/5: [summary_image|5]"],
    ["[image|5|a caption [b", ""],
    ["[guide|1 [x] ]", ""],
    ["[link|/c/A[guide\n|1|a]]", "macro guide/1: [guide\n|1"],
    ["[product|A[guide\n|1|a]|b]", "macro guide/1: [guide\n|1"],
    ["[https://other.example/[guide\n|1|a]|b]", "macro guide/1: [guide\n|1"],
    [
      "[image|5|https://old.example/c/A]",
      "macro image/5: [image|5|https://old.example/c/A]; url category/A: https://old.example/c/A",
    ],
  ])("finds what another reading than the tree's could see: %j", (text, all) => {
    expect(found(text).join("; ")).toBe(all);
  });

  it.each(["[image|5|size=medium]", "[video|7]", "[summary_image|5]", "[video|https://old.example/Document/9/a]"])(
    "finds a block in a line of a step, where it is text: %s",
    (text) => {
      expect(found(`a ${text} b`, "line").map((line) => line.slice(line.indexOf("[")))).toEqual([text]);
    },
  );

  it.each([
    "* a\n* [guide|2]",
    "# a\n## b [guide|2]",
    "== A [guide|2] ==",
    "[quote|Ann]\n[guide|2]\n\n[/quote]",
    "''a '''[guide|2]'' c'''",
    "a[br]\n[guide|2]",
    "a\n\n  [guide|2]",
  ])("finds a reference wherever the tree has one: %j", (text) => {
    expect(found(text)).toEqual(["macro guide/2: [guide|2]"]);
  });

  it("does not let what follows the last closing bracket count", () => {
    expect(found("[guide|1] [guide|2|x")).toEqual(["macro guide/1: [guide|1]"]);
    expect(found("] [guide|1]")).toEqual(["macro guide/1: [guide|1]"]);
  });

  it("finds an address of the site in a label as a reference of its own", () => {
    expect(found("[https://old.example/Guide/x/12|https://old.example/Guide/x/12]")).toEqual([
      "link guide/12: [https://old.example/Guide/x/12|https://old.example/Guide/x/12]",
      "url guide/12: https://old.example/Guide/x/12",
    ]);
  });
});
