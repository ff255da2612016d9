import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { startSandbox } from "../../src/sandbox/index.js";
import { startService } from "./service.js";

const folders: string[] = [];

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A folder with the files of a table: objects as JSON, texts as they are. */
function folderOf(files: Readonly<Record<string, unknown>>): string {
  const folder = mkdtempSync(join(tmpdir(), "sandbox-folder-"));
  folders.push(folder);
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), typeof content === "string" ? content : JSON.stringify(content));
  }
  return folder;
}

const image = (id: number, guid: string) => ({
  id,
  guid,
  mini: `https://cdn.example/igi/shop/${guid}.mini`,
  original: `https://cdn.example/igi/shop/${guid}.full`,
});

const GUIDE = {
  guideid: 12,
  guide_revisionid: 40,
  revisionid: 41,
  langid: "en",
  title: "Sharpen",
  category: "Blades",
  type: "technique",
  summary: "x".repeat(200),
  introduction_raw: "See https://cdn.example/igi/shop/AbcdEfghIjklMnop.full",
  introduction_rendered: '<img src="https://cdn.example/igi/shop/AbcdEfghIjklMnop.medium">',
  unheard_of: { keep: "me" },
  author: { userid: 3, username: "Kit", reputation: 1, image: image(-5, "face") },
  image: image(7, "AbcdEfghIjklMnop"),
  public: true,
  flags: [{ flagid: "GUIDE_STARRED", title: "Starred", text: "Good." }],
  prerequisites: [],
  steps: [
    {
      stepid: 70,
      guideid: 12,
      revisionid: 90,
      title: "",
      lines: Array.from({ length: 9 }, () => ({
        text_raw: "Grind.",
        text_rendered: "Grind.",
        bullet: "black",
        level: 0,
        extra: 1,
      })),
      media: { type: "image", data: [image(8, "QrstUvwxYzabCdef")] },
      comments: [{ commentid: 4, text_raw: "Nice.", date: 5, author: { userid: 9, username: "Lou", reputation: 1 } }],
    },
    { stepid: 71, guideid: 99, revisionid: 91, lines: [], media: { type: "image", data: [] } },
  ],
};

describe("a folder of answers", () => {
  it("is served with its ids, its unknown fields and its content that breaks today's rules", async () => {
    const { get } = await startService({
      dialect: "dozuki",
      site: folderOf({ "guides/12.json": GUIDE, "guides/12/tags.json": ["steel"] }),
    });
    const { body } = await get("/guides/12");
    expect(body).toMatchObject({
      guideid: 12,
      guide_revisionid: 40,
      revisionid: 41,
      summary: GUIDE.summary,
      unheard_of: { keep: "me" },
      flags: [{ flagid: "GUIDE_STARRED", title: "Starred" }],
    });
    expect(body.steps).toHaveLength(1);
    expect(body.steps[0]).toMatchObject({
      stepid: 70,
      revisionid: 90,
      comments: [{ commentid: 4, text_raw: "Nice." }],
    });
    expect(body.steps[0].lines).toHaveLength(9);
    expect(body.steps[0].lines[0]).toMatchObject({ extra: 1 });
    expect((await get("/guides/12/tags")).body).toEqual(["steel"]);
    expect((await get("/tags")).body).toEqual(["steel"]);
    expect((await get("/categories")).body).toEqual({ Blades: {} });
    expect((await get("/users/9")).body).toMatchObject({ username: "Lou" });
    expect((await get("/sites/info")).body).toMatchObject({ name: "sandbox" });
  });

  it("has every media address pointed to the sandbox, where a real image lies, and its raw texts left alone", async () => {
    const { sandbox, get } = await startService({ site: folderOf({ "guides/12.json": GUIDE }) });
    const { body } = await get("/guides/12");
    expect(body.introduction_raw).toBe(GUIDE.introduction_raw);
    const { introduction_raw: _raw, introduction_json: _tree, ...rest } = body;
    expect(JSON.stringify(rest)).not.toContain("cdn.example");
    expect(body.introduction_rendered).toContain(`${sandbox.mediaOrigin}/media/AbcdEfghIjklMnop.medium`);
    const bytes = [];
    for (const address of [body.image.original, body.steps[0].media.data[0].mini, body.author.image.original]) {
      const response = await fetch(address);
      expect(response.status).toBe(200);
      bytes.push(Buffer.from(await response.arrayBuffer()).toString("hex"));
    }
    expect(new Set(bytes).size).toBe(3);
    expect((await get("/media/images/7")).body).toMatchObject({ width: 800, height: 600, ratio: "FOUR_THREE" });
  });

  it("gives new things numbers above all that are in use", async () => {
    const service = await startService({ site: folderOf({ "guides/12.json": GUIDE }) });
    const guide = await service.makeGuide({ category: "Blades" });
    expect(guide.guideid).toBe(100);
    expect(guide.guide_revisionid).toBeGreaterThan(91);
    expect((await service.makeStep(guide.guideid)).steps[0].stepid).toBe(72);
  });

  it("forgets a loaded rendering when its raw text changes, and keeps a line that is sent back unchanged", async () => {
    const { sandbox, get } = await startService({ dialect: "dozuki", site: folderOf({ "guides/12.json": GUIDE }) });
    sandbox.edit.guide(12, { introduction: "new" });
    sandbox.edit.step(12, 70, {
      lines: [
        { text: "Grind.", bullet: "black", level: 0 },
        { text: "Hone.", bullet: "red", level: 0 },
      ],
    });
    const { body } = await get("/guides/12");
    expect(body.introduction_rendered).toBe("<p>new</p>");
    expect(body.steps[0].lines).toMatchObject([{ extra: 1 }, { text_raw: "Hone.", text_rendered: "Hone." }]);
  });

  it("takes settings from site.json, a tree with order and display titles, and translations", async () => {
    const wiki = {
      wikiid: 5,
      namespace: "WIKI",
      title: "Oil",
      langid: "en",
      contents_raw: "oil",
      flags: [],
      tags: ["wet"],
    };
    const site = folderOf({
      "site.json": {
        name: "shop",
        dialect: "ifixit",
        languages: ["en", "de"],
        guideTypes: ["technique"],
        domain: "shop.example",
      },
      "hierarchy.json": [
        { title: "Tools", children: [{ title: "Blades", display_title: "All blades" }] },
        { title: "Art" },
      ],
      "guides/12.json": GUIDE,
      "guides/12@de.json": { ...GUIDE, langid: "de", title: "Schärfen" },
      "wikis/WIKI/oil.json": wiki,
      "wikis/WIKI/oil@de.json": { ...wiki, langid: "de", contents_raw: "Öl" },
      "comments.json": [
        { commentid: 1, context: "wiki", contextid: 5, text_raw: "Yes.", replies: [{ commentid: 2, text_raw: "No." }] },
      ],
    });
    const { get } = await startService({ site });
    expect((await get("/sites/info")).body).toMatchObject({
      name: "shop",
      domain: "shop.example",
      "guide-types": { technique: {} },
    });
    expect((await get("/categories")).body).toEqual({ Tools: { Blades: null }, Art: null });
    expect((await get("/wikis/CATEGORY?display=hierarchyOrder")).body).toEqual([
      { title: "Tools", children: [{ title: "Blades", display_title: "All blades" }] },
      { title: "Art" },
    ]);
    expect((await get("/guides/12?langid=de")).body).toMatchObject({ title: "Schärfen", langid: "de", locale: "de" });
    expect((await get("/guides/12?langid=fr")).body.langid).toBe("en");
    expect((await get("/guides/12?langid=fr&unpatrolled")).status).toBe(404);
    expect((await get("/wikis/WIKI/Oil?langid=de")).body.contents_raw).toBe("Öl");
    expect((await get("/guides?includePrivate=true")).body).toHaveLength(1);
    expect((await get("/comments?context=wiki")).body).toMatchObject([
      { commentid: 1, replies: [{ commentid: 2, parentid: 1 }] },
    ]);
  });

  it("that is missing or broken stops the start with the file's name", async () => {
    await expect(startSandbox({ site: "/nowhere/at/all" })).rejects.toThrow("/nowhere/at/all");
    await expect(startSandbox({ site: folderOf({ "guides/1.json": "{" }) })).rejects.toThrow(
      "1.json is not valid JSON",
    );
    await expect(startSandbox({ site: folderOf({ "tags.json": "[]", "comments.json": {} }) })).rejects.toThrow(
      "comments.json",
    );
  });
});
