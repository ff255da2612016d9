import { describe, expect, it } from "vitest";
import { keysOf } from "../../../transforms/references/reference.js";
import { references } from "../../../transforms/references/references.js";
import { OLD } from "./sites.js";

function found(text: string): readonly string[] {
  return references(text, OLD, "page").map(
    (reference) =>
      `${reference.form} ${keysOf(reference).join(" ") || reference.kind}: ${text.slice(reference.start, reference.end)}`,
  );
}

describe("addresses on the site", () => {
  it.each([
    ["https://old.example/Anleitung/Ein+Webstuhl/12", "guide/12"],
    ["https://old.example/Tutoriel/x/12/2", "guide/12"],
    ["https://old.example/Gu%C3%ADa/x/12", "guide/12"],
    ["https://old.example/Guía/x/12", "guide/12"],
    ["https://old.example/Guida/x/12?lang=it", "guide/12"],
    ["https://old.example/Guide/12", "guide/12"],
    ["https://old.example/Guide/2001/12", "guide/12"],
    ["https://old.example/Guide/login", "page"],
    ["https://old.example/Guide", "page"],
    ["HTTPS://OLD.EXAMPLE:8443/Guide/x/12#s0038", "guide/12 step/38"],
    ["https://ann@old.example/Guide/x/12#comments", "guide/12"],
    ["http://guides.old.example/c/Hand_Looms", "category/Hand Looms"],
    ["https://old.example/Topic/Hand_Looms/", "category/Hand Looms"],
    ["https://old.example/Device/C%2B%2B_Board", "category/C++ Board"],
    ["https://old.example/Category/100%_Wool", "category/100% Wool"],
    ["https://old.example/Wiki/Looms/Parts", "wiki/WIKI/Looms/Parts"],
    ["https://old.example/Wiki/_", "page"],
    ["https://old.example/Wiki", "page"],
    ["https://old.example/Item/Shuttle", "wiki/ITEM/Shuttle"],
    ["https://old.example/User/5/Ann", "wiki/USER/5"],
    ["https://old.example/User/contributions/5", "page"],
    ["https://old.example/User", "page"],
    ["https://old.example/Team/3", "wiki/TEAM/3"],
    ["https://old.example/Document/9/saw.pdf", "document/9"],
    ["https://old.example/Document/ab%20c/saw.pdf", "document/ab c"],
    ["https://old.example/Document/0123456789012345/saw.pdf", "document/0123456789012345"],
    ["https://old.example/Document", "page"],
    ["https://old.example/api/2.0/guides/12", "guide/12"],
    ["https://old.example/api/2.0/guides/12/tags", "page"],
    ["https://old.example/api/2.0/guides/featured", "page"],
    ["https://old.example/api/2.0/guides", "page"],
    ["https://old.example/api/2.0", "page"],
    ["https://old.example/api/2.0/categories/Hand%20Looms", "category/Hand Looms"],
    ["https://old.example/api/2.0/wikis/item/Shuttle", "wiki/ITEM/Shuttle"],
    ["https://old.example/api/2.0/wikis/nowhere/Shuttle", "page"],
    ["https://old.example/api/2.0/wikis", "page"],
    ["https://old.example/api/2.0/media/images/5", "image/5"],
    ["https://old.example/api/2.0/media/videos/7", "video/7"],
    ["https://old.example/api/2.0/media/documents/9", "document/9"],
    ["https://old.example/api/2.0/media/images", "page"],
    ["https://old.example/api/2.0/media", "page"],
    ["https://old.example/constructor/12", "page"],
    ["https://old.example?q=1", "page"],
  ])("reads %s", (url, keys) => {
    expect(found(`see ${url} there`)).toEqual([`url ${keys}: ${url}`]);
  });

  it.each([
    ["stable.http://old.example/Guide/x/12 now", "guide/12: http://old.example/Guide/x/12"],
    ["(see http://old.example/Guide/x/12).", "guide/12: http://old.example/Guide/x/12"],
    ["http://old.example/Wiki/Saw_(tool), or", "wiki/WIKI/Saw (tool): http://old.example/Wiki/Saw_(tool)"],
    ["'''http://old.example/Guide/x/12'''!", "guide/12: http://old.example/Guide/x/12"],
    ["``http://old.example/Guide/x/12`` x", "guide/12: http://old.example/Guide/x/12"],
    ["[http://old.example/Guide/x/12 in MediaWiki's way]", "guide/12: http://old.example/Guide/x/12"],
    ["[guide|x|http://old.example/Guide/x/12]", "guide/12: http://old.example/Guide/x/12"],
    ["[http://old.example/Guide/x/12|never closed", "guide/12: http://old.example/Guide/x/12"],
  ])("ends a bare URL where the sentence goes on: %s", (text, expected) => {
    expect(found(text)).toEqual([`url ${expected}`]);
  });

  it.each([
    "http://web.archive.example/http://old.example/Guide/x/12",
    "[http://web.archive.example/http://old.example/Guide/x/12|label]",
    "https://other.example/?next=https://old.example/Guide/x/12",
    "https://old.example@other.example/Guide/x/12",
    "https://old.example.other.example/Guide/x/12",
    "http://http://old.example/Guide/x/12",
    "http://",
  ])("does not look inside another site's address: %s", (text) => {
    expect(found(text)).toEqual([]);
  });

  it("tells two sites on one host apart by the port that an origin names", () => {
    const site = { origin: "http://127.0.0.1:4101", hosts: ["127.0.0.1"] };
    const text = "http://127.0.0.1:4101/Guide/x/1 http://127.0.0.1:4102/Guide/x/2 http://127.0.0.1/Guide/x/3";
    expect(references(text, site, "page").map((reference) => reference.key)).toEqual(["guide/1"]);
    const plain = { origin: "http://127.0.0.1:80/", hosts: [] };
    expect(references(text, plain, "page").map((reference) => reference.key)).toEqual(["guide/3"]);
    const secure = { origin: "https://127.0.0.1:443", hosts: [] };
    expect(references("https://127.0.0.1/Guide/x/4", secure, "page").map((reference) => reference.key)).toEqual([
      "guide/4",
    ]);
  });

  it("goes by the list of hosts when an origin is no address", () => {
    const site = { origin: "nowhere", hosts: ["old.example"] };
    expect(references("https://old.example/Guide/x/4", site, "page")).toHaveLength(1);
  });
});
