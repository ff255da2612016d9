import { expect, onTestFinished, test } from "vitest";
import { type Editor, type Sandbox, startSandbox } from "../../src/sandbox/index.js";
import { extractFrom, issuesOf, loadInto, verifyAt } from "../helpers/migration.js";
import { pngOf } from "../helpers/png.js";
import { post, stepBody, stepIds, upload } from "../helpers/small-sites.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";

/**
 * A target with one full guide, a full page of each sort, and a category below another, all loaded
 * from a source.
 */
async function fullSite(): Promise<{
  readonly source: Sandbox;
  readonly target: Sandbox;
  readonly workspace: string;
  readonly guide: number;
}> {
  const [source, target] = [await startSandbox({ videoPolls: 0 }), await startSandbox({ videoPolls: 0 })];
  onTestFinished(() => source.close());
  onTestFinished(() => target.close());
  const image = await upload(source, "images", "shed.png", pngOf(800, 600));
  const document = await upload(source, "uploads", "manual.pdf", Buffer.from("%PDF-1.4 invented"));
  const video = await upload(source, "uploads", "clip.mp4", Buffer.from("....ftypisom invented"));
  for (const title of ["Looms", "Hand Looms"])
    await post(source, "wikis", {
      namespace: "CATEGORY",
      title,
      contents: "All.",
      image,
      info: [{ name: "a", value: "b" }],
    });
  source.edit.setParent("CATEGORY", "Hand Looms", "Looms");
  const texts = { contents: "All.", display_title: "Shown", description: "Much.", image };
  await post(source, "wikis", {
    namespace: "WIKI",
    title: "Page",
    ...texts,
    documents: [{ documentid: document }],
    table_of_contents: true,
  });
  source.edit.setWikiTags("WIKI", "Page", ["wool"]);
  const suppliers = [{ "part_#": "1", type: "shop", supplier: "S", url: "https://shop.example" }];
  await post(source, "wikis", {
    namespace: "ITEM",
    title: "Part",
    contents: "All.",
    info: [{ name: "a", value: "b" }],
    suppliers,
  });
  const first = await post(source, "guides", {
    category: "Looms",
    type: "how-to",
    subject: "first",
    title: "First",
    public: true,
  });
  const part = { name: "Part", type: "wood", quantity: 2, notes: "Oiled." };
  const media = { image, objectid: video, documents: [document], featured_documentid: document };
  const guide = {
    title: "Full",
    category: "Looms",
    type: "how-to",
    subject: "s",
    summary: "Sum.",
    introduction: "In.",
    conclusion: "Out.",
  };
  const numbers = {
    difficulty: "Easy",
    time_required_min: 60,
    time_required_max: 120,
    prerequisites: [first["guideid"]],
  };
  const { guideid } = await post(source, "guides", {
    ...guide,
    ...media,
    ...numbers,
    parts: [part],
    tools: [part],
    public: true,
  });
  await post(source, `guides/${guideid}/steps`, {
    ...stepBody(1, "One."),
    title: "T",
    media: { type: "image", data: [image] },
  });
  await post(source, `guides/${guideid}/steps`, stepBody(2, "Two."));
  source.edit.setGuideTags(Number(guideid), ["wool"]);
  const workspace = await temporaryFolder();
  await extractFrom(source, workspace);
  await loadInto(target, workspace);
  expect((await verifyAt(target, workspace)).differences).toEqual([]);
  return {
    source,
    target,
    workspace,
    guide: Number(target.state().guides.find(({ title }) => title === "Full")?.["guideid"]),
  };
}

type Edit = (edit: Editor, guide: number, steps: readonly number[]) => void;
const line = (text: string, bullet = "black", level = 0) => ({ text, bullet, level });

/** One change at the target, and the paths that verify must name: these and no others. */
const CHANGES: Readonly<Record<string, readonly [Edit, readonly string[]]>> = {
  title: [(edit, guide) => edit.guide(guide, { title: "Other" }), ["title"]],
  category: [(edit, guide) => edit.guide(guide, { category: "Hand Looms" }), ["category"]],
  type: [(edit, guide) => edit.guide(guide, { type: "technique" }), ["type"]],
  subject: [(edit, guide) => edit.guide(guide, { subject: "x" }), ["subject"]],
  summary: [(edit, guide) => edit.guide(guide, { summary: "x" }), ["summary"]],
  introduction: [(edit, guide) => edit.guide(guide, { introduction: "x" }), ["introduction"]],
  conclusion: [(edit, guide) => edit.guide(guide, { conclusion: "x" }), ["conclusion"]],
  difficulty: [(edit, guide) => edit.guide(guide, { difficulty: "Difficult" }), ["difficulty"]],
  time: [(edit, guide) => edit.guide(guide, { time_required_max: 180 }), ["timeRequired"]],
  "introduction video": [(edit, guide) => edit.guide(guide, { objectid: null }), ["introductionVideo"]],
  documents: [(edit, guide) => edit.guide(guide, { documents: [] }), ["documents", "featuredDocument"]],
  prerequisites: [(edit, guide) => edit.guide(guide, { prerequisites: [] }), ["prerequisites"]],
  "a part's notes": [
    (edit, guide) => edit.guide(guide, { parts: [{ name: "Part", type: "wood", quantity: 2, notes: "x" }] }),
    ["parts[0]"],
  ],
  "a part's quantity": [
    (edit, guide) => edit.guide(guide, { parts: [{ name: "Part", type: "wood", quantity: 3, notes: "Oiled." }] }),
    ["parts[0]"],
  ],
  tools: [
    (edit, guide) => edit.guide(guide, { tools: [] }),
    ["tools.length", "tools[0]", "tools[0].featured", "tools[0].optional"],
  ],
  flags: [(edit, guide) => edit.guide(guide, { flags: ["GUIDE_STARRED", "GUIDE_USER_CONTRIBUTED"] }), ["flags"]],
  tags: [(edit, guide) => edit.setGuideTags(guide, ["spring"]), ["tags"]],
  visibility: [(edit, guide) => edit.setPublic(guide, false), ["public"]],
  "a step's title": [(edit, guide, [first]) => edit.step(guide, first ?? 0, { title: "x" }), ["steps[0].title"]],
  "a step's picture": [
    (edit, guide, [first]) => edit.step(guide, first ?? 0, { media: { type: "image", data: [] } }),
    ["steps[0].media"],
  ],
  "a line's text": [
    (edit, guide, [first]) => edit.step(guide, first ?? 0, { lines: [line("x")] }),
    ["steps[0].lines[0].text"],
  ],
  "a line's bullet": [
    (edit, guide, [first]) => edit.step(guide, first ?? 0, { lines: [line("One.", "red")] }),
    ["steps[0].lines[0].bullet"],
  ],
  "one more line": [
    (edit, guide, [first]) => edit.step(guide, first ?? 0, { lines: [line("One."), line("x", "black", 1)] }),
    [
      "steps[0].lines.length",
      "steps[0].lines[1].bullet",
      "steps[0].lines[1].bulletStyle",
      "steps[0].lines[1].level",
      "steps[0].lines[1].text",
    ],
  ],
  "the order of the steps": [(edit, guide, steps) => edit.orderSteps(guide, [...steps].reverse()), ["steps.order"]],
  "one more step": [(edit, guide) => void edit.addStep(guide, stepBody(1, "x")), ["steps.others"]],
  "a page's contents": [(edit) => edit.wiki("WIKI", "Page", { contents: "x" }), ["contents"]],
  "a page's display title": [(edit) => edit.wiki("WIKI", "Page", { display_title: "x" }), ["displayTitle"]],
  "a page's description": [(edit) => edit.wiki("WIKI", "Page", { description: "x" }), ["description"]],
  "a page's picture": [(edit) => edit.wiki("WIKI", "Page", { image: null }), ["image"]],
  "a page's documents": [(edit) => edit.wiki("WIKI", "Page", { documents: [] }), ["documents"]],
  "a page's table of contents": [
    (edit) => edit.wiki("WIKI", "Page", { table_of_contents: false }),
    ["tableOfContents"],
  ],
  "a page's flags": [(edit) => edit.wiki("WIKI", "Page", { flags: ["WIKI_PRIVATE"] }), ["flags"]],
  "a page's page title": [(edit) => edit.wiki("WIKI", "Page", { page_title: "Mine" }), ["pageTitle"]],
  "a page's tags": [(edit) => edit.setWikiTags("WIKI", "Page", []), ["tags"]],
  "an item's info": [(edit) => edit.wiki("ITEM", "Part", { info: [{ name: "a", value: "x" }] }), ["info"]],
  "an item's suppliers": [(edit) => edit.wiki("ITEM", "Part", { suppliers: [] }), ["suppliers"]],
  "a category's parent": [(edit) => edit.setParent("CATEGORY", "Hand Looms", null), ["parent"]],
};

test("verify names each change at the target by its field, and nothing else", async () => {
  const { target, workspace, guide } = await fullSite();
  let known: ReadonlySet<string> = new Set();
  for (const [what, [change, paths]] of Object.entries(CHANGES)) {
    change(target.edit, guide, stepIds(target, guide));
    const { differences } = await verifyAt(target, workspace);
    const all = new Map(differences.map((difference) => [JSON.stringify(difference), difference.path]));
    const added = [...all].flatMap(([text, path]) => (known.has(text) ? [] : [path]));
    expect([what, added.sort()]).toEqual([what, [...paths].sort()]);
    known = new Set(all.keys());
  }
});

test("a step that somebody removed is named, and those behind it are not", async () => {
  const { target, workspace, guide } = await fullSite();
  target.edit.deleteStep(guide, stepIds(target, guide)[0] ?? 0);
  const { differences } = await verifyAt(target, workspace);
  expect(differences.length).toBeGreaterThan(0);
  expect(differences.every(({ path }) => path.startsWith("steps[0]."))).toBe(true);
});

test("a conflict that the loss ledger names hides nothing but what was left as the editor made it", async () => {
  const { target, source, workspace, guide } = await fullSite();
  target.edit.guide(guide, { summary: "The editor's." });
  source.edit.guide(2, { summary: "The source's." });
  await extractFrom(source, workspace);
  await loadInto(target, workspace);
  expect((await verifyAt(target, workspace)).differences).toEqual([]);
  target.edit.step(guide, stepIds(target, guide)[0] ?? 0, { title: "Vandalised." });
  target.edit.setGuideTags(guide, []);
  expect((await verifyAt(target, workspace)).differences.map(({ path }) => path).sort()).toEqual([
    "steps[0].title",
    "tags",
  ]);
});

test.each([
  ["ifixit", ["parts[0].optional"], []],
  ["specification", ["parts[0].optional"], []],
  ["dozuki", [], ["part-mark"]],
] as const)(
  "a part's mark is compared where the site has such marks, and a loss elsewhere: %s",
  async (dialect, paths, codes) => {
    const [source, target, workspace] = [
      await startSandbox({ dialect: "ifixit" }),
      await startSandbox({ dialect }),
      await temporaryFolder(),
    ];
    onTestFinished(() => source.close());
    onTestFinished(() => target.close());
    source.edit.createWiki({ namespace: "CATEGORY", title: "Looms", contents: "All." });
    const part = { name: "Part", type: "wood", quantity: 2, notes: "Oiled." };
    source.edit.createGuide({
      category: "Looms",
      type: "how-to",
      subject: "s",
      title: "Full",
      parts: [{ ...part, isoptional: true }],
    });
    await extractFrom(source, workspace);
    await loadInto(target, workspace);
    await loadInto(target, workspace);
    expect((await verifyAt(target, workspace)).differences).toEqual([]);
    expect(
      (await issuesOf({ target, workspace }, "guide/1")).map(({ code }) => code).filter((code) => code === "part-mark"),
    ).toEqual(codes);
    target.edit.guide(1, { parts: [part] });
    expect((await verifyAt(target, workspace)).differences.map(({ path }) => path)).toEqual(paths);
  },
);
