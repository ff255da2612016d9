import { expect, test } from "vitest";
import { pngOf } from "../helpers/png.js";
import { post, stepIds, upload } from "../helpers/small-sites.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";
import { snapshotOf, type VandalisedSite } from "../helpers/vandalised-site.js";
import { twoGuides } from "./helpers/two-guides.js";

/**
 * Guide 1, with a picture and a link to itself, was deleted, its restore refused, and it was made
 * anew.
 */
async function madeAnew(): Promise<VandalisedSite> {
  const site = await snapshotOf(async (sandbox) => {
    twoGuides(sandbox);
    sandbox.edit.guide(1, { conclusion: "Again: [guide|1|from the start]." });
    const image = await upload(sandbox, "images", "loom.png", pngOf(800, 600, 90));
    const [step = 0] = stepIds(sandbox, 1);
    const headers = { authorization: `api ${sandbox.token}` };
    const read = (await (await fetch(`${sandbox.url}/guides/1`, { headers })).json()) as {
      readonly steps: readonly { readonly revisionid: number }[];
    };
    const body = { media: { type: "image", data: [image] } };
    await post(sandbox, `guides/1/steps/${step}?revisionid=${read.steps[0]?.revisionid}`, body, "PATCH");
  });
  site.sandbox.edit.deleteGuide(1);
  site.sandbox.faults.decide(({ path }) => (/restore$/.test(path) ? { kind: "status", status: 403 } : undefined));
  expect(await site.restore()).toMatchObject({ anew: [{ key: "guide/1" }], failed: 0, differences: [] });
  return site;
}

const titles = ({ sandbox }: VandalisedSite) => sandbox.state().guides.map((guide) => guide["title"]);

test("what was made anew is found again when the workspace of that restore is lost", async () => {
  const site = await madeAnew();
  const there = titles(site);
  const workspace = await temporaryFolder();
  const again = await site.restore({ workspace });
  expect(again).toMatchObject({ anew: [], lost: [], failed: 0, differences: [] });
  expect(titles(site)).toEqual(there);
  expect(await site.restore({ workspace })).toMatchObject({ untouched: 4, putBack: [], newer: [], writes: 0 });
  expect(site.sandbox.state().guides.at(-1)).toMatchObject({ title: "Warp", public: true });
});

test("where somebody edited it since, nothing is made a second time, and a person is told", async () => {
  const site = await madeAnew();
  const there = titles(site);
  site.sandbox.edit.guide(Number(site.sandbox.state().guides.at(-1)?.["guideid"]), { summary: "Better." });
  const again = await site.restore({ workspace: await temporaryFolder() });
  expect(again).toMatchObject({
    anew: [],
    lost: [{ key: "guide/1", reason: expect.stringMatching(/guide\/3.*same title and category/) }],
  });
  expect(titles(site)).toEqual(there);
});

test("a guide of another category with the same title stands in nobody's way", async () => {
  const site = await snapshotOf(twoGuides);
  const { edit } = site.sandbox;
  edit.deleteGuide(1);
  edit.createWiki({ namespace: "CATEGORY", title: "Sheds", contents: "" });
  edit.createGuide({ category: "Sheds", type: "how-to", subject: "New", title: "Warp", difficulty: "Easy" });
  site.sandbox.faults.decide(({ path }) => (/restore$/.test(path) ? { kind: "status", status: 403 } : undefined));
  expect(await site.restore()).toMatchObject({ anew: [{ key: "guide/1" }], lost: [], failed: 0 });
});

test("a deleted page comes back without its comments, and the losses name them", async () => {
  const site = await snapshotOf((sandbox) => {
    twoGuides(sandbox);
    const page = sandbox.state().wikis.find(({ namespace }) => namespace === "WIKI");
    const comment = sandbox.edit.comment("wiki", Number(page?.["wikiid"]), "Which shed is the highest?");
    sandbox.edit.comment("wiki", Number(page?.["wikiid"]), "The one of the old loom.", comment);
  });
  site.sandbox.edit.deleteWiki("WIKI", "Sheds");
  const done = await site.restore();
  expect(done).toMatchObject({ broughtBack: [{ key: "wiki/WIKI/Sheds" }], lost: [], failed: 0, differences: [] });
  expect(done.losses).toMatchObject([
    {
      key: "wiki/WIKI/Sheds",
      code: "comments",
      message: expect.stringMatching(/^2 comment/),
      remedy: "The snapshot has them.",
    },
  ]);
  expect(await site.restore()).toMatchObject({ untouched: 4, broughtBack: [], writes: 0 });
});
