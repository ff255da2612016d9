import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { guideItem, recordItem, step, wikiItem } from "../../helpers/items.js";
import { contextOf, runTransform, specOf } from "./run-transform.js";

const FROM_TO = { from: "shop.example", to: "store.example" };

function inLine(text: string, options: Readonly<Record<string, string>> = FROM_TO): string {
  const { items } = runTransform("replace-host", options, guideItem(1, { steps: [step(1, [text])] }));
  const [item] = items;
  return item?.kind === "guide" ? (item.body.steps[0]?.lines[0]?.text ?? "") : "";
}

describe("replace-host", () => {
  it.each([
    ["See http://shop.example/a?b=c#d.", "See http://store.example/a?b=c#d."],
    ["[https://Shop.Example|the shop]", "[https://store.example|the shop]"],
    ["[//shop.example/x|the shop]", "[//store.example/x|the shop]"],
    ["[https://shop.example/x|https://shop.example/x]", "[https://store.example/x|https://store.example/x]"],
    ["(https://shop.example)", "(https://store.example)"],
    ["https://shop.example, https://shop.example.", "https://store.example, https://store.example."],
    ["https://me:secret@shop.example/x", "https://me:secret@store.example/x"],
    ["https://shop.example:443/x http://shop.example:80", "https://store.example/x http://store.example"],
  ])("moves whole hosts and nothing else of an address: %s", (given, wanted) => {
    expect(inLine(given)).toBe(wanted);
    expect(inLine(wanted)).toBe(wanted);
  });

  it.each([
    "https://www.shop.example/x",
    "https://shop.example.org/x",
    "https://myshop.example/x",
    "https://shop.example:8080/x",
    "http://shop.example:443/x",
    "https://archive.example/2019/https://shop.example/x",
    "Ask shop.example or me@shop.example, half//shop.example",
    "[mailto|me@shop.example]",
  ])("leaves other hosts, other ports, and what is no address: %s", (text) => {
    expect(inLine(text)).toBe(text);
  });

  it("takes the port that is named, and writes the one that is named", () => {
    const options = { from: "shop.example:8080", to: "store.example:9090" };
    expect(inLine("http://shop.example:8080/x http://shop.example/x", options)).toBe(
      "http://store.example:9090/x http://shop.example/x",
    );
  });

  it("leaves addresses of the source that name an item to the load, which knows its id at the target", () => {
    const options = { from: "old.example", to: "new.example" };
    const item = "https://old.example/Guide/Slug/12#s5 https://old.example/Info/Safety";
    expect(inLine(`${item} https://old.example/Help/Terms`, options)).toBe(`${item} https://new.example/Help/Terms`);
  });

  it("reaches every field that is sent or shown, reports each, and leaves where an item came from", () => {
    const address = "https://shop.example/x";
    const part = { name: "Reed", type: "", quantity: 1, notes: address, url: address, optional: null, featured: null };
    const embed = { media: { type: "embed", url: address, title: null } } as const;
    const guide = guideItem(1, {
      summary: address,
      introduction: address,
      conclusion: address,
      parts: [part],
      tools: [{ ...part, url: null }],
      steps: [step(1, [address], embed), step(2)],
      url: address,
    });
    const media = [{ key: "image/1" as const, url: address, guid: null, fileName: null, path: "image" }];
    const done = runTransform("replace-host", FROM_TO, { ...guide, media, raw: { address } });
    expect(JSON.stringify(done.items).match(/shop\.example/g)).toHaveLength(3);
    expect(done.items).toMatchObject([{ media, raw: { address }, body: { url: address } }]);
    expect(done.issues.map(({ path }) => path).sort()).toEqual([
      "conclusion",
      "introduction",
      "parts[0].notes",
      "parts[0].url",
      "steps[0].lines[0].text",
      "steps[0].media.url",
      "summary",
      "tools[0].notes",
    ]);
    expect(done.issues[0]).toMatchObject({
      code: "host-replaced",
      level: "note",
      key: "guide/1",
      message: "Addresses of shop.example lead to store.example.",
    });
  });

  it("reaches everything of a page, its document tree and HTML too", () => {
    const address = "https://shop.example/x";
    const page = wikiItem("CATEGORY", "Looms", {
      contents: address,
      description: address,
      html: `<a href="${address}">x</a>`,
      tree: {
        type: "doc",
        count: 1,
        content: [{ text: "x", marks: [{ type: "link", attrs: { href: address, title: null } }] }],
      },
      info: [{ name: "shop", value: address }],
      suppliers: [{ supplier: "Reed", url: address }],
    });
    const { items } = runTransform("replace-host", FROM_TO, page);
    expect(JSON.stringify(items)).not.toContain("shop.example");
    expect(JSON.stringify(items)).toBe(JSON.stringify([page]).replaceAll("shop.example", "store.example"));
  });

  it("gives the very same item when it has no such address, and one that it has done before", () => {
    const items = [guideItem(1), wikiItem("WIKI", "Sheds"), recordItem("tags")];
    for (const item of items)
      expect(runTransform("replace-host", FROM_TO, item)).toEqual({ items: [item], issues: [] });
    for (const item of items) expect(runTransform("replace-host", FROM_TO, item).items[0]).toBe(item);
    const pieces = fc.constantFrom(
      "https://shop.example",
      "http://",
      "shop.example",
      "/x",
      ":80",
      "[",
      "|",
      "]",
      " ",
      ".",
      "@",
      "'",
      '"',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 12 }), (words) => {
        const once = inLine(words.join(""));
        expect(inLine(once)).toBe(once);
      }),
    );
  });

  it.each([
    [{ from: "shop.example" }, /to.*expected a host/],
    [{ from: "https://shop.example", to: "store.example" }, /without https:\/\/ and path/],
    [{ from: "shop.example/x", to: "store.example" }, /without https:\/\/ and path/],
    [{ from: "shop.example", to: "" }, /expected a host/],
  ])("wants two hosts, not %j", (options, message) => {
    const parsed = specOf("replace-host").options.safeParse(options);
    expect(JSON.stringify(parsed.error?.issues.map((issue) => [issue.path, issue.message]))).toMatch(message);
  });

  it("does nothing for a host that stands in no text", () => {
    expect(runTransform("replace-host", FROM_TO, guideItem(1), contextOf()).issues).toEqual([]);
  });
});
