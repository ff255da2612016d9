import { describe, expect, it } from "vitest";
import {
  addParameters,
  decodePath,
  parseReference,
  printReference,
  readAddress,
  resolveReference,
  withoutDots,
} from "../../../transforms/training/addresses.js";

describe("addresses", () => {
  it.each([
    ["g", "http://a/b/c/g"],
    ["g/", "http://a/b/c/g/"],
    ["/g", "http://a/g"],
    ["//g", "http://g"],
    ["?y", "http://a/b/c/d;p?y"],
    ["g?y#s", "http://a/b/c/g?y#s"],
    ["#s", "http://a/b/c/d;p?q#s"],
    ["", "http://a/b/c/d;p?q"],
    ["g;x=1/y", "http://a/b/c/g;x=1/y"],
    ["ftp:h", "ftp:h"],
  ])("resolve %s as RFC 3986, 5.4 has it", (tail, expected) => {
    const base = parseReference("http://a/b/c/d;p?q");
    expect(printReference(resolveReference(base, parseReference(tail)))).toBe(expected);
  });

  it.each([
    [["content/", "module1/"], "start.html", "content/module1/start.html"],
    [["content/x.xml", "module1/"], "start.html", "content/module1/start.html"],
    [["a/b/", "../"], "c.html", "a/b/../c.html"],
    [["http://example.com/a/", "b/"], "c.html?x#y", "http://example.com/a/b/c.html?x#y"],
    [["http://example.com/a/"], "/c.html", "http://example.com/c.html"],
  ])("are put on the bases %s", (bases, written, expected) => {
    const address = readAddress(written, bases);
    const [shown] =
      address.kind === "inside" ? [address.launch] : address.kind === "external" ? [address.url] : [address.why];
    expect(shown).toBe(withoutInnerDots(expected));
  });

  it.each([
    ["img/Sch%C3%A9ma.txt", "img/Schéma.txt"],
    ["img/Schéma%20électrique.txt", "img/Schéma électrique.txt"],
    ["caf%E9.html", "café.html"],
    ["100%.html", "100%.html"],
    ["%zz%2", "%zz%2"],
  ])("decode %s", (written, expected) => {
    expect(decodePath(written)).toBe(expected);
  });

  it("find a file that really is named with an escape", () => {
    expect(readAddress("a%20b.html")).toMatchObject({ kind: "inside", paths: ["a b.html", "a%20b.html"] });
  });

  it.each(["", ".", "a/", "a/..", "?x", "#y"])("have no file for %j", (written) => {
    expect(readAddress(written)).toMatchObject({ kind: "inside", paths: [] });
  });

  it("never show who signs in", () => {
    expect(readAddress("https://user:pw@example.com:81/x?y")).toMatchObject({ url: "https://example.com:81/x?y" });
  });

  it("know what climbs out", () => {
    expect(["a/../b", "./a//b", "a/b/../../c"].map(withoutDots)).toEqual(["b", "a/b", "c"]);
    expect(["..", "a/../../b", "../a"].map(withoutDots)).toEqual([undefined, undefined, undefined]);
  });
});

function withoutInnerDots(text: string): string {
  return text.replace("a/b/../", "a/");
}

describe("parameters of an item", () => {
  it.each([
    ["a.html", "?tc=1&act=2", "a.html?tc=1&act=2"],
    ["a.html?x=1", "??&y=2", "a.html?x=1&y=2"],
    ["a.html", "y=2", "a.html?y=2"],
    ["a.html#top", "&y=2", "a.html?y=2#top"],
    ["a.html", "#top", "a.html#top"],
    ["a.html#top", "#bottom", "a.html#top"],
    ["a.html", " ?& ", "a.html"],
  ])("%s and %s are %s", (address, parameters, expected) => {
    expect(addParameters(address, parameters)).toBe(expected);
  });
});
