import { expect, test } from "vitest";
import { SAMPLE_SITE } from "../../src/commands/tools/demo.js";
import type { Sandbox } from "../../src/sandbox/index.js";
import { pngOf } from "../helpers/png.js";
import { post, stepIds, upload } from "../helpers/small-sites.js";
import { snapshotOf } from "../helpers/vandalised-site.js";
import { twoGuides } from "./helpers/two-guides.js";

/**
 * Guide 1 shows a picture in its first step and has a document; both are the account's own, until
 * it gives them out of its media manager.
 */
async function withMedia(sandbox: Sandbox): Promise<void> {
  twoGuides(sandbox);
  const image = await upload(sandbox, "images", "loom.png", pngOf(800, 600, 90));
  const document = await upload(sandbox, "uploads", "list.pdf", Buffer.from("%PDF-1.4\nA list.\n%%EOF\n"));
  const [step] = stepIds(sandbox, 1);
  const body = { media: { type: "image", data: [image] } };
  await post(sandbox, `guides/1/steps/${step}?revisionid=${await revisionOf(sandbox, 1, step)}`, body, "PATCH");
  await post(sandbox, `guides/1?revisionid=${await revisionOf(sandbox, 1)}`, { documents: [document] }, "PATCH");
  const headers = { authorization: `api ${sandbox.token}` };
  for (const path of [`user/media/images/${image}`, `user/media/Document/${document}`])
    await fetch(`${sandbox.url}/${path}`, { method: "DELETE", headers });
}

async function revisionOf(sandbox: Sandbox, guide: number, step?: number): Promise<number> {
  const headers = { authorization: `api ${sandbox.token}` };
  const answer = await fetch(`${sandbox.url}/guides/${guide}`, { headers });
  const { guide_revisionid, steps } = (await answer.json()) as {
    readonly guide_revisionid: number;
    readonly steps: readonly { readonly stepid: number; readonly revisionid: number }[];
  };
  return steps.find(({ stepid }) => stepid === step)?.revisionid ?? guide_revisionid;
}

test("a picture that was taken out is copied within the site, and a document is uploaded once more", async () => {
  const site = await snapshotOf(withMedia);
  const before = site.sandbox.namedState().guides;
  const ruin = (): void => {
    site.sandbox.edit.step(1, stepIds(site.sandbox, 1)[0] ?? 0, { media: { type: "image", data: [] } });
    site.sandbox.edit.guide(1, { documents: [] });
  };
  ruin();
  const done = await site.restore();
  expect(done).toMatchObject({ putBack: [{ key: "guide/1" }], failed: 0, differences: [] });
  expect(site.writes().filter((call) => /media/.test(call))).toEqual([
    "POST /user/media/uploads",
    expect.stringMatching(/^POST \/user\/media\/images\/\d+$/),
  ]);
  expect(withoutNames(site.sandbox.namedState().guides)).toEqual(withoutNames(before));
  expect(await site.restore()).toMatchObject({ putBack: [], writes: 0 });
  ruin();
  await site.restore();
  // The second upload is there by now.
  expect(site.writes().filter((call) => call.endsWith("uploads"))).toHaveLength(1);
  expect(withoutNames(site.sandbox.namedState().guides)).toEqual(withoutNames(before));
});

/** A second upload carries a part of its hash in its name. */
function withoutNames(guides: unknown): unknown {
  return JSON.parse(JSON.stringify(guides).replaceAll(/-[0-9a-f]{12}(?=\.[a-z]+")/g, ""));
}

test("a picture that is gone at the site is uploaded from the archive", async () => {
  const site = await snapshotOf(withMedia);
  const before = site.sandbox.namedState().guides;
  site.sandbox.edit.step(1, stepIds(site.sandbox, 1)[0] ?? 0, { media: { type: "image", data: [] } });
  site.sandbox.faults.decide(({ path, method }) =>
    method === "GET" && /^\/media\/images\//.test(path) ? { kind: "status", status: 404 } : undefined,
  );
  expect(await site.restore()).toMatchObject({ putBack: [{ key: "guide/1" }], failed: 0, differences: [] });
  expect(site.writes()).toContain("POST /user/media/images");
  expect(site.sandbox.namedState().guides).toEqual(before);
});

test("an exchanged picture is seen although nothing else differs", async () => {
  const site = await snapshotOf(withMedia);
  const before = site.sandbox.namedState().guides;
  site.sandbox.edit.exchangeImage(1, stepIds(site.sandbox, 1)[0] ?? 0, "a vandal's");
  expect(await site.restore({ overwrites: false })).toMatchObject({ left: [{ paths: ["steps[0].media"] }], writes: 0 });
  expect(await site.restore()).toMatchObject({ putBack: [{ key: "guide/1" }], failed: 0 });
  expect(site.sandbox.namedState().guides).toEqual(before);
});

test("a text that names a document by its guid comes back letter by letter, and nothing is uploaded for it", async () => {
  const site = await snapshotOf(() => undefined, { site: SAMPLE_SITE });
  const before = site.sandbox.state().guides;
  expect(JSON.stringify(before)).toContain("/Document/LmWxvLoYVtK2gqdV/");
  site.sandbox.edit.guide(22, { introduction: "x" });
  expect(await site.restore()).toMatchObject({ putBack: [{ key: "guide/22" }], writes: 1 });
  expect(site.sandbox.state().guides).toEqual(before);
});

test("a picture that only texts name and that is gone is uploaded again, and the texts of what was named follow", async () => {
  let image = 0;
  const site = await snapshotOf(async (sandbox) => {
    twoGuides(sandbox);
    image = await upload(sandbox, "images", "loom.png", pngOf(800, 600, 90));
    sandbox.edit.guide(2, { conclusion: `It looks like this: [image|${image}]` });
  });
  site.sandbox.faults.decide(({ path, method }) =>
    method === "GET" && path === `/media/images/${image}` ? { kind: "status", status: 404 } : undefined,
  );
  expect(await site.restore()).toMatchObject({ putBack: [], writes: 0 });
  const selection = { include: ["guide/2"] };
  const foreseen = await site.restore({ selection, dryRun: true });
  expect([foreseen.followed, foreseen.planned?.kinds]).toEqual([["guide/2"], { upload: 1, "edit guide": 1 }]);
  const done = await site.restore({ selection });
  expect(done).toMatchObject({ followed: ["guide/2"], failed: 0, writes: 2, differences: [] });
  expect(site.writes()).toContain("POST /user/media/images");
  const conclusion = String(site.sandbox.state().guides[1]?.["conclusion"]);
  expect(conclusion).toMatch(/^It looks like this: \[image\|\d+\]$/);
  expect(conclusion).not.toContain(`|${image}]`);
  expect(await site.restore({ selection })).toMatchObject({ untouched: 1, followed: [], writes: 0 });
});
