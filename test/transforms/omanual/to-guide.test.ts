import { describe, expect, it } from "vitest";
import { itemSchema } from "../../../src/core/model/item.js";
import { bundleOfOne } from "../../../transforms/omanual/bundle.js";
import { manualItem } from "../../../transforms/omanual/items/manual-items.js";
import { readManual } from "../../../transforms/omanual/read-manual.js";
import { codesOf, guideItemOf } from "./item-of.js";

const stepOf = (content: string, others: readonly string[] = []) => {
  const item = guideItemOf(`<steps><step number="1" title="T">${content}</step></steps>`, others);
  return { step: item.body.steps[0], item };
};

describe("a guide of a manual as an item", () => {
  it("has the fields of the model", () => {
    const item = guideItemOf(
      '<summary>S</summary><author id="18">Ann</author><time_required>1 - 2 hours</time_required><difficulty>very EASY</difficulty>' +
        "<category>Looms</category><introduction><p>I</p></introduction><conclusion/><created_date>2026-01-02T03:04:05+01:00</created_date>" +
        '<flags><flag id="GUIDE_STARRED" title="x">y</flag></flags><tools><tool name="Hook" quantity="2" notes="long" type="steel" url="https://e.org/h" thumbnail="t"/></tools>',
    );
    expect(itemSchema.parse(item)).toEqual(item);
    expect(item.body).toMatchObject({
      language: "en",
      title: "A",
      summary: "S",
      category: "Looms",
      author: { id: 18, name: "Ann", uniqueName: null },
      timeRequired: { min: 3600, max: 7200 },
      difficulty: "Very easy",
      introduction: "I",
      conclusion: "",
      flags: ["GUIDE_STARRED"],
      tools: [
        {
          name: "Hook",
          quantity: 2,
          notes: "long",
          type: "steel",
          url: "https://e.org/h",
          optional: null,
          featured: null,
        },
      ],
      createdDate: 1767319445,
      public: false,
    });
    expect(item.issues).toEqual([]);
  });

  it("keeps the document itself, and changes its revision with it", () => {
    const [one, same, other] = ["<summary>S</summary>", "<summary>S</summary>", "<summary>T</summary>"].map((xml) =>
      guideItemOf(xml),
    );
    expect(one?.raw).toMatchObject({ path: "a/guide.xml", xml: expect.stringContaining("<summary>S</summary>") });
    expect(one?.revision).toBe(same?.revision);
    expect(one?.revision).not.toBe(other?.revision);
  });

  it("is public when the caller says so", () => {
    expect(guideItemOf("", [], { public: true }).body.public).toBe(true);
  });

  it("has its type in lower case", () => {
    expect(guideItemOf("<type>Teardown</type>").body.type).toBe("teardown");
  });
});

describe("a service's answer", () => {
  it("is a guide whose key is known, with the ids that it names", () => {
    const xml =
      '<guide><title>A</title><introduction><p><a href="https://s.example/Guide/B/6">b</a></p></introduction>' +
      '<steps><step number="1"><stepid>9</stepid><media><image imageid="5">https://s.example/5</image></media></step></steps></guide>';
    const result = readManual(xml, { file: "GET guides/7" });
    if (!result.ok) throw new Error(result.fault.message);
    const document = { ...result, path: "guides/7.xml", file: "GET guides/7" };
    const site = { origin: "https://s.example", hosts: ["s.example"] };
    expect(manualItem(document, bundleOfOne(document.path, "guide/7@de"), { site })).toMatchObject({
      key: "guide/7@de",
      body: { id: 7, introduction: "[guide|6|b]", steps: [{ key: "step/9@de", media: { images: ["image/5"] } }] },
    });
  });
});

describe("what a site has no place for", () => {
  it.each([
    ["categories", "<categories><category>A</category><category>B</category></categories>"],
    ["unknown-difficulty", "<difficulty>Fiendish</difficulty>"],
    ["unknown-time", "<time_required>as long as it takes</time_required>"],
    ["unknown-date", "<created_date>yesterday</created_date>"],
    ["unknown-quantity", '<tools><tool name="A" quantity="some"/></tools>'],
    ["part-details", '<tools><tool name="A" sku="5"/></tools>'],
    [
      "part-details",
      '<parts><part name="A"><external_sources><external_source url="b"/></external_sources></part></parts>',
    ],
    ["flag-without-id", '<flags><flag title="A">B</flag></flags>'],
    ["introduction-media", '<introduction><media type="embed"><embed url="https://e.org"/></media></introduction>'],
    ["prerequisite-missing", "<prerequisites><prerequisite><title>A</title></prerequisite></prerequisites>"],
    ["media-missing", "<image>media/main.jpg</image>"],
  ])("is an issue %s of level loss", (code, content) => {
    expect(guideItemOf(content).issues).toMatchObject([
      { code, level: "loss", key: expect.stringMatching(/^guide\//) },
    ]);
  });
});

describe("the lines of a step", () => {
  const lines = (...each: readonly string[]) =>
    stepOf(`<lines>${each.map((text) => `<line ${text}>t</line>`).join("")}</lines>`);

  it("have a bullet that sites have; others become black, which is noted", () => {
    const { step, item } = lines(
      'bullet="light_blue" level="0"',
      'bullet="ICON_NOTE" level="1"',
      'bullet="pink" level="0"',
      'level="0"',
    );
    expect(step?.lines.map(({ bullet }) => bullet)).toEqual(["light_blue", "icon_note", "black", "black"]);
    expect(codesOf(item)).toEqual(["unknown-bullet"]);
  });

  it("have a level from 0 to 2; others are brought there, which is a loss", () => {
    const { step, item } = lines('bullet="red"', 'bullet="red" level="2"', 'bullet="red" level="5"');
    expect(step?.lines.map(({ level }) => level)).toEqual([0, 2, 2]);
    expect(codesOf(item)).toEqual(["level-clamped"]);
  });
});

describe("what a step shows", () => {
  it("are images by path or address, the same image with the same key everywhere", () => {
    const { step, item } = stepOf(
      '<media type="image"><image>media/i.jpg</image><image>https://e.org/i</image><image imageid="7">../a/media/i.jpg</image></media>',
      ["a/media/i.jpg"],
    );
    expect(item.media).toMatchObject([
      { url: "bundle:/a/media/i.jpg", fileName: "i.jpg", path: "steps[0].media.images[0]" },
      { url: "https://e.org/i", fileName: null },
      { key: "image/7", url: "bundle:/a/media/i.jpg" },
    ]);
    expect(step?.media).toEqual({ type: "images", images: item.media.map(({ key }) => key) });
    expect(guideItemOf("<image>/a/media/i.jpg</image>", ["a/media/i.jpg"]).body.image).toBe(item.media[0]?.key);
  });

  it("is the largest size where the original is neither here nor on the web", () => {
    const { step, item } = stepOf(
      '<media type="image"><image mini="https://e.org/i.mini" medium="media/i.medium.jpg" large="media/i.large.jpg">media/i.jpg</image></media>',
      ["a/media/i.medium.jpg"],
    );
    expect(item.media).toMatchObject([{ url: "bundle:/a/media/i.medium.jpg" }]);
    expect(step?.media.type).toBe("images");
    expect(codesOf(item)).toEqual(["image-not-original"]);
  });

  it("is the encoding with most pixels that can be fetched", () => {
    const { step, item } = stepOf(
      '<media type="video"><video><objectid>9</objectid><encoding width="9000" height="9000" url="gone.mp4"/><encoding width="320" height="240" url="https://e.org/s.mp4"/>' +
        '<encoding width="640" height="480" url="https://e.org/l.mp4"/></video></media>',
    );
    expect(step?.media).toEqual({ type: "video", video: "video/9" });
    expect(item.media).toMatchObject([{ key: "video/9", url: "https://e.org/l.mp4", fileName: "l.mp4" }]);
  });

  it("is an embed by its address, or by the one in its frame", () => {
    const embed = (content: string) => stepOf(`<media type="embed">${content}</media>`).step?.media;
    expect(embed('<embed url="https://e.org/1" title="A"/>')).toEqual({
      type: "embed",
      url: "https://e.org/1",
      title: "A",
    });
    expect(embed('<embed html="&lt;iframe src=&quot;https://e.org/2&quot;&gt;"/>')).toEqual({
      type: "embed",
      url: "https://e.org/2",
      title: null,
    });
  });
});

describe("an embed that names a film's file", () => {
  it("is that film where it is in the package, and missing where it isn't", () => {
    const content = '<media type="embed"><embed version="1.0">media/v.mp4</embed></media>';
    expect(stepOf(content, ["a/media/v.mp4"]).step?.media).toMatchObject({ type: "video" });
    const { step, item } = stepOf(content);
    expect(step?.media).toEqual({ type: "none" });
    expect(codesOf(item)).toEqual(["media-missing"]);
  });

  it("is an embed where it is on the web", () => {
    const { step } = stepOf('<media type="embed"><embed>https://e.org/media/v.mp4</embed></media>', ["a/media/v.mp4"]);
    expect(step?.media).toEqual({ type: "embed", url: "https://e.org/media/v.mp4", title: null });
  });
});

describe("the steps", () => {
  it("are without those that a server put in from prerequisites, which is noted", () => {
    const step = (number: number, guide: number) =>
      `<step number="${number}"><stepid>${number}</stepid><guideid>${guide}</guideid></step>`;
    const item = guideItemOf(`<guideid>5</guideid><steps>${step(1, 12)}${step(2, 5)}</steps>`);
    expect(item.body.steps.map(({ key }) => key)).toEqual(["step/2"]);
    expect(codesOf(item)).toEqual(["prerequisite-steps"]);
  });

  it("have keys that stay whatever their numbers begin with", () => {
    const keys = (...numbers: readonly number[]) =>
      guideItemOf(`<steps>${numbers.map((number) => `<step number="${number}"/>`).join("")}</steps>`).body.steps.map(
        ({ key }) => key,
      );
    expect(keys(0, 1)).toEqual(keys(1, 2));
    expect(new Set(keys(0, 1, 2)).size).toBe(3);
  });
});
