import type { Root } from "hast";
import { fromHtml } from "hast-util-from-html";
import { expect, test } from "vitest";
import type { TextChange } from "../../../src/sync/plan/draft.js";
import { shownPlan } from "../../helpers/plan-files.js";
import { pngOf } from "../../helpers/png.js";
import { type Pair, post, stepBody, stepIds, twoGuides, upload } from "../../helpers/small-sites.js";

/** `step 1: lines | before | after`, a line a change. */
function told(changes: readonly TextChange[] = []): readonly string[] {
  return changes.map(
    ({ part, field, before, after }) => `${part === "" ? field : `${part}: ${field}`} | ${before} | ${after}`,
  );
}

async function changesOf(pair: Pair, key: string, options = {}): Promise<readonly string[]> {
  const { items } = await shownPlan(pair, options);
  return told(items.find(({ item }) => item.key === key)?.changes);
}

test("each change of a guide is told with what stands there, and things that are not made yet by their keys", async () => {
  const pair = await twoGuides();
  await pair.run();
  const [step = 0] = stepIds(pair.source, 1);
  pair.source.edit.guide(1, {
    introduction: "See [guide|3|the new one].\nIt is good.",
    prerequisites: [2],
    summary: "New.",
  });
  pair.source.edit.step(1, step, {
    title: "Begin",
    lines: [
      { text: "First of all.", bullet: "black", level: 0 },
      { text: "Then.", bullet: "red", level: 1 },
    ],
  });
  const picture = await upload(pair.source, "images", "shed.png", pngOf(800, 600));
  await post(pair.source, "guides/1/steps", { ...stepBody(1, "See."), media: { type: "image", data: [picture] } });
  pair.source.edit.setGuideTags(1, ["wool"]);
  pair.source.edit.createGuide({ category: "Looms", type: "how-to", subject: "s", title: "Third" });
  expect(await changesOf(pair, "guide/1")).toEqual([
    "summary |  | New.",
    "introduction |  | See [guide|‹guide/3›|the new one].\nIt is good.",
    'prerequisites |  | guide/2 "Weft"',
    "step 1: lines |  | • See.",
    expect.stringMatching(/^step 1: media \| {2}\| image\/\d+ "/),
    "step 2: title |  | Begin",
    "step 2: lines | • First. | • First of all.\n    • (red) Then.",
    'order of steps | step/1 "Begin"\nstep/2 "Second." | step/5 "See."\nstep/1 "Begin"\nstep/2 "Second."',
    "tags |  | wool",
  ]);
});

test("a text that somebody edited there is shown as it stands, with what becomes of it", async () => {
  const pair = await twoGuides();
  await pair.run();
  pair.target.edit.guide(pair.guide("Weft").guideid, { summary: "Theirs." });
  pair.source.edit.guide(2, { summary: "Ours." });
  const { items, html } = await shownPlan(pair, { onConflict: "update" });
  const { item, changes } = items.find((each) => each.item.key === "guide/2") ?? {};
  expect(item?.edited).toEqual(["guide/2"]);
  expect(told(changes)).toEqual(["summary | Theirs. | Ours."]);
  expect(html).toContain("With --on-conflict update the remote edit is overwritten.");
});

test.each([
  [
    "merge",
    { introduction: "Theirs.", summary: "Theirs." },
    ["conclusion |  | Ours.", "summary | Theirs. | Ours. (clash)"],
    /both sites changed it/,
  ],
  [
    "skip",
    { introduction: "Theirs." },
    ["summary |  | Ours. (edited)", "introduction | Theirs. |  (edited)", "conclusion |  | Ours. (edited)"],
    /somebody edited it/,
  ],
] as const)(
  "what somebody edited there is never shown as going where --on-conflict %s leaves it",
  async (onConflict, theirs, expected, why) => {
    const pair = await twoGuides();
    await pair.run();
    pair.target.edit.guide(pair.guide("Weft").guideid, theirs);
    pair.source.edit.guide(2, { summary: "Ours.", conclusion: "Ours." });
    const { items, html } = await shownPlan(pair, { onConflict });
    const { changes = [] } = items.find((each) => each.item.key === "guide/2") ?? {};
    const marks = changes.map(({ stays }) => (stays === undefined ? "" : ` (${stays})`));
    expect(told(changes).map((line, at) => `${line}${marks[at]}`)).toEqual(expected);
    expect(html).toMatch(why);
    // What is shown is what comes of it.
    await pair.run({ onConflict });
    const merged = { summary: "Theirs.", conclusion: "Ours.", introduction: "Theirs." };
    const kept = onConflict === "merge" ? merged : { summary: "", introduction: "Theirs." };
    expect(pair.guide("Weft")).toMatchObject(kept);
  },
);

test("a picture of the same bytes under another id of the target is no change", async () => {
  const pair = await twoGuides();
  const { source, target } = pair;
  const [shed, loom] = [pngOf(800, 600), pngOf(900, 700)];
  const image = await upload(source, "images", "shed.png", shed);
  const fields = { category: "Looms", type: "how-to", subject: "x", title: "Pictured", image };
  const id = Number((await post(source, "guides", fields))["guideid"]);
  await pair.run();
  const { guideid } = pair.guide("Pictured");
  // Somebody put the same picture there again: it has an id that no ledger knows.
  await patch(target, guideid, { image: await upload(target, "images", "a.png", shed) });
  source.edit.guide(id, { summary: "New." });
  expect(await changesOf(pair, `guide/${id}`, { onConflict: "update" })).toEqual(["summary |  | New."]);
  // Other bytes are a change.
  await patch(target, guideid, { image: await upload(target, "images", "b.png", loom) });
  expect(await changesOf(pair, `guide/${id}`, { onConflict: "update" })).toEqual([
    "summary |  | New.",
    expect.stringMatching(/^\w+ \| image \d+ on the target \| image\/\d+ "/),
  ]);
});

/** Edits a guide as the sandbox's own account. */
async function patch(target: Pair["target"], guideid: number, body: Record<string, unknown>): Promise<void> {
  const answer = await fetch(`${target.url}/guides/${guideid}`, { headers: { authorization: `api ${target.token}` } });
  const guide = (await answer.json()) as Record<string, unknown>;
  const token = guide["guide_revisionid"] ?? guide["revisionid"];
  await post(target, `guides/${guideid}?revisionid=${String(token)}`, body, "PATCH");
}

test("a page that is linked to, or overwritten, is shown against the source's", async () => {
  const pair = await twoGuides();
  pair.target.edit.createWiki({ namespace: "WIKI", title: "Sheds", contents: "Theirs." });
  const expected = ["contents | Theirs. | On sheds."];
  expect(await changesOf(pair, "wiki/WIKI/Sheds")).toEqual(expected);
  expect(await changesOf(pair, "wiki/WIKI/Sheds", { onExisting: "update" })).toEqual(expected);
});

const HOSTILE = `</title></style><script>alert(1)</script><img src=x onerror=alert(2)>"'&amp;\u202Eevil\u0007 javascript:alert(3)`;

test("the page takes hostile content for text: no element, address or style of it is one of the page", async () => {
  const pair = await twoGuides();
  await pair.run();
  pair.source.edit.guide(1, { title: HOSTILE.slice(0, 90), introduction: HOSTILE });
  pair.source.edit.guide(2, { conclusion: `${HOSTILE}\n<svg onload=alert(4)>` });
  pair.source.edit.createWiki({ namespace: "CATEGORY", title: "A (b) onclick=x", contents: HOSTILE });
  const { html } = await shownPlan(pair);
  const names = new Set<string>();
  const attributes = new Set<string>();
  visit(fromHtml(html), (name, properties) => {
    names.add(name);
    for (const [attribute, value] of Object.entries(properties))
      attributes.add(attribute === "href" ? `href ${String(value)[0]}` : attribute);
  });
  for (const name of ["script", "img", "svg", "b", "iframe", "link"]) expect(names).not.toContain(name);
  expect([...attributes].filter((name) => name.startsWith("on"))).toEqual([]);
  expect([...attributes].filter((name) => name.startsWith("href "))).toEqual(["href #"]);
  expect(attributes).not.toContain("src");
  expect(attributes).not.toContain("style");
  expect(html).toContain("Content-Security-Policy");
  for (const hidden of [0x202e, 7]) expect(html).not.toContain(String.fromCharCode(hidden));
  expect(html).toContain('<span class="mark">U+202E</span>');
});

test("each link of the page's contents leads to an item, and each id is there once", async () => {
  const pair = await twoGuides();
  const { html } = await shownPlan(pair);
  const ids: string[] = [];
  const goals: string[] = [];
  visit(fromHtml(html), (_name, { id, href }) => {
    if (typeof id === "string") ids.push(id);
    if (typeof href === "string") goals.push(href.slice(1));
  });
  expect(goals.length).toBeGreaterThan(4);
  expect(goals.filter((goal) => !ids.includes(goal))).toEqual([]);
  expect(new Set(ids).size).toBe(ids.length);
});

type Node = Root["children"][number];

function visit(node: Root | Node, look: (name: string, properties: Readonly<Record<string, unknown>>) => void): void {
  if (node.type === "element") look(node.tagName, node.properties);
  if ("children" in node) for (const child of node.children) visit(child, look);
}
