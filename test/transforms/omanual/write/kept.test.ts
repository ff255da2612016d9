import { describe, expect, it } from "vitest";
import { convertDocument } from "../../../../transforms/convert/convert-document.js";
import { readManual } from "../../../../transforms/omanual/read-manual.js";
import { bundle, unbundle } from "./bundled.js";
import { smallSite } from "./small-site.js";

const TOPIC = `<?xml version="1.0" encoding="UTF-8"?>
<topic locale="en" xmlns="http://omanual.com">
  <title>Floor Loom</title>
  <topic_info>Floor Loom</topic_info>
  <categories><category>Looms</category></categories>
  <solutions count="81" url="https://old.example/Answers"/>
  <parts><part name="Heddle" quantity="100" url="https://old.example/Item/Heddle"/></parts>
  <tools>
    <tool url="https://old.example/Item/Reed_Hook">Reed Hook</tool>
    <tool name="Spanner" notes="10 mm"/>
  </tools>
  <contents><p>A loom.</p></contents>
</topic>`;

describe("a category of a manual of 0.4", () => {
  const { text, issues } = convertDocument(TOPIC, { from: "omanual", to: "omanual", name: "topic.xml" });

  it("keeps its tools, parts and solutions in 1.0, and no loss is told", () => {
    expect(text).toContain('<tool name="Reed Hook" url="https://old.example/Item/Reed_Hook"/>');
    expect(text).toContain('<tool name="Spanner" notes="10 mm"/>');
    expect(text).toContain('<part name="Heddle" quantity="100" url="https://old.example/Item/Heddle"/>');
    expect(text).toContain('<solutions count="81" url="https://old.example/Answers"/>');
    expect(issues.filter(({ level }) => level !== "note")).toEqual([]);
  });

  it("keeps them by way of JSON", () => {
    const json = convertDocument(TOPIC, { from: "omanual", to: "json", name: "topic.xml" });
    expect(convertDocument(json.text, { from: "json", to: "omanual", name: "topic.json" }).text).toBe(text);
  });

  it("loses them on a page, which is told", () => {
    const page = convertDocument(TOPIC, { from: "omanual", to: "markdown", name: "topic.xml" });
    expect(page.issues.map(({ code }) => code)).toEqual(expect.arrayContaining(["category-parts", "category-tools"]));
  });
});

describe("DITA is reported at once", () => {
  const messageOf = (xml: string): string => {
    const result = readManual(xml, { file: "a.dita" });
    return result.ok ? "read" : result.fault.message;
  };

  it.each([
    [
      "with its declaration",
      '<?xml version="1.0"?>\n<!DOCTYPE concept PUBLIC "-//OASIS//DTD DITA Concept//EN" "concept.dtd">\n<concept id="a"/>',
    ],
    ["with a declaration of one's own", '<!DOCTYPE task SYSTEM "my.dtd"><task id="a"><title>Oil</title></task>'],
    ["without one", '<task id="a"><title>Oil the loom</title><taskbody/></task>'],
    ["by what a topic holds", '<topic id="a"><title>Oil the loom</title><body><p>x</p></body></topic>'],
  ])("%s", (_, xml) => {
    expect(messageOf(xml)).toContain(
      "this is a DITA document, which guideferry does not read. Expected: a manual of oManual",
    );
  });

  it("and no other declaration is read as DITA", () => {
    expect(messageOf('<!DOCTYPE guide [<!ENTITY a "x">]><guide><title>x</title></guide>')).toMatch(/a DOCTYPE/);
    expect(messageOf('<topic locale="en"><title>Looms</title></topic>')).toBe("read");
  });
});

describe("a bundle without its sidecars", () => {
  const site = smallSite().map((item) =>
    item.kind === "guide" && item.key === "guide/12"
      ? {
          ...item,
          body: { ...item.body, image: null, introduction: "See\n\n[video|3]\n\n[image|2]\n\n[document|9|the paper]" },
        }
      : item,
  );
  const read = async (items: typeof site) => {
    const { files } = await bundle(items);
    const bare = Object.fromEntries(Object.entries(files).filter(([path]) => !path.includes("guideferry")));
    const { items: all } = await unbundle(bare);
    const guide = all.find((item) => item.kind === "guide" && item.key === "guide/12");
    return { all, guide: guide?.kind === "guide" ? guide : undefined };
  };

  it("gives a guide without a main image back without one", async () => {
    const { guide } = await read(site);
    expect(guide?.body.image).toBe(null);
    expect(guide?.body.steps[0]?.media).toMatchObject({ type: "images" });
  });

  it("keeps a main image that is also the first of a step", async () => {
    const { guide } = await read(
      site.map((item) =>
        item.key === "guide/12" && item.kind === "guide"
          ? { ...item, body: { ...item.body, image: "image/2" as const } }
          : item,
      ),
    );
    expect(guide?.body.image).toMatch(/^image\//);
  });

  it("gives videos, images and documents in texts back as such, each with its file", async () => {
    const { all, guide } = await read(site);
    const [, video = "", image = "", document = ""] =
      /^See\n\n\[video\|(\d+)\]\n\n\[image\|(\d+)\]\n\n\[document\|(\d+)\|the paper\]$/.exec(
        guide?.body.introduction ?? "",
      ) ?? [];
    const keys = all.map(({ key }) => key);
    expect(keys).toEqual(expect.arrayContaining([`video/${video}`, `image/${image}`, `document/${document}`]));
    expect(guide?.media.find(({ key }) => key === `video/${video}`)?.url).toMatch(/^bundle:\/.*video-3\.mp4$/);
  });
});
