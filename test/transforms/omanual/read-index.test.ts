import { describe, expect, it } from "vitest";
import { categoryOf, manifestOf } from "./read-guide-of.js";

describe("a category", () => {
  it.each([
    [
      "1.0",
      '<category><title>Hand looms</title><category_info manufacturer="Ashford" introduced="">Looms</category_info></category>',
    ],
    [
      "0.4",
      '<topic xmlns="http://omanual.com"><title>Hand looms</title><topic_info manufacturer="Ashford" introduced="">Looms</topic_info></topic>',
    ],
    [
      "0.3",
      '<topic><title>Hand looms</title><topic_info manufacturer="Ashford" introduced="">Looms</topic_info><procedures/></topic>',
    ],
    [
      "0.2",
      '<device><title>Hand looms</title><device_info manufacturer="Ashford" introduced="">Looms</device_info></device>',
    ],
  ])("of version %s is told by root and content", (version, xml) => {
    const info = { title: "Hand looms", name: "Looms", manufacturer: "Ashford", introduced: "", discontinued: null };
    expect(categoryOf(xml)).toMatchObject({ version, ...info, codes: [] });
  });

  it("has its place, from ancestors and children or from categories (0.4)", () => {
    const now = categoryOf(
      "<category><ancestors><ancestor>Textile</ancestor><ancestor>Root</ancestor></ancestors><children><child>Reeds</child></children></category>",
    );
    expect(now).toMatchObject({ ancestors: ["Textile", "Root"], children: ["Reeds"] });
    expect(categoryOf("<topic><categories><category>Textile</category></categories></topic>").ancestors).toEqual([
      "Textile",
    ]);
  });

  it("lists guides, as guides or as procedures, with addresses of images in attributes or children", () => {
    const row = '<title>A</title><url>https://e.org/1</url><path>a/guide.xml</path><image mini="m">i.jpg</image>';
    const now = categoryOf(
      `<category><guides><guide id="5" subject="" type="teardown">${row}</guide></guides></category>`,
    );
    expect(now.guides).toMatchObject([
      {
        id: "5",
        subject: "",
        type: "teardown",
        title: "A",
        path: "a/guide.xml",
        image: { path: "i.jpg", sizes: { mini: "m" } },
      },
    ]);
    const old = categoryOf(
      '<topic><procedures><procedure id="5" image_url="i.jpg" thumbnail="t.jpg"><subject>S</subject><title>A</title><type>t</type></procedure></procedures></topic>',
    );
    expect(old.guides).toMatchObject([
      { id: "5", subject: "S", type: "t", title: "A", image: { path: "i.jpg", sizes: { thumbnail: "t.jpg" } } },
    ]);
  });

  it("has contents as HTML and as raw text", () => {
    const category = categoryOf(
      '<category><contents contents_raw="== A =="><h2>A</h2></contents><description>B</description></category>',
    );
    expect(category).toMatchObject({ contents: { html: "<h2>A</h2>", raw: "== A ==" }, description: { html: "B" } });
  });
});

describe("a manifest", () => {
  it("lists guides and documents", () => {
    const manifest = manifestOf(
      '<manifest locale="en"><title>A</title><categories><category>Looms</category></categories><procedures><procedure id="5"><path>a/procedure.xml</path><image_url>i.jpg</image_url></procedure></procedures>' +
        '<documents><document id="1" type="device">Looms.xml</document></documents></manifest>',
    );
    expect(manifest).toMatchObject({
      version: "0.4",
      title: "A",
      categories: ["Looms"],
      guides: [{ id: "5", path: "a/procedure.xml", image: { path: "i.jpg" } }],
      documents: [{ id: "1", type: "device", text: "Looms.xml" }],
    });
  });

  it("has titles by another name in the schema of 0.4", () => {
    const { guides, codes } = manifestOf(
      '<manifest><procedures><procedure id="5" subject="" type="t"><procedure.title>Warping</procedure.title><url>u</url><path>p</path><thumbnail>t</thumbnail><image_url>i</image_url></procedure></procedures></manifest>',
    );
    expect(guides).toMatchObject([
      { title: "Warping", url: "u", path: "p", image: { path: "i", sizes: { thumbnail: "t" } } },
    ]);
    expect(codes).toEqual([]);
  });

  it.each([
    [
      "0.2",
      '<manifest xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="http://omanual.com/openmanual_manifest_0.2.xsd"><title>A</title><procedures/></manifest>',
    ],
    ["0.3", "<manifest><title>A</title><procedures/></manifest>"],
    ["1.0", "<manifest><title>A</title><description>B</description></manifest>"],
  ])("of version %s is told by the schema that it names, else by its content", (version, xml) => {
    expect(manifestOf(xml).version).toBe(version);
  });
});
