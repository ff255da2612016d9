import { expect, test } from "vitest";
import { SAMPLE_SITE } from "../../src/commands/tools/demo.js";
import type { Sandbox } from "../../src/sandbox/index.js";
import { post, stepIds } from "../helpers/small-sites.js";
import { snapshotOf } from "../helpers/vandalised-site.js";
import { twoGuides } from "./helpers/two-guides.js";

test("what no call brings back is named: an embedded page that the account doesn't have", async () => {
  const site = await snapshotOf(() => undefined, { site: SAMPLE_SITE });
  const embedded = site.sandbox
    .state()
    .guides.flatMap((guide) =>
      (guide["steps"] as readonly { readonly stepid: number; readonly media: { readonly type: string } }[]).flatMap(
        ({ stepid, media }) => (media.type === "kept" ? [[Number(guide["guideid"]), stepid] as const] : []),
      ),
    );
  const [guide = 0, step = 0] = embedded[0] ?? [];
  expect(await site.restore()).toMatchObject({ lost: [], writes: 0 });
  site.sandbox.edit.step(guide, step, { media: { type: "image", data: [] }, title: "Spoilt" });
  const done = await site.restore();
  expect(done).toMatchObject({
    putBack: [{ key: `guide/${guide}` }],
    lost: [{ key: `guide/${guide}`, reason: expect.stringMatching(/no call creates an embedded page.*media manager/) }],
  });
});

test("an embedded page that the account has at the site is put in again, in its step and in one that is made anew", async () => {
  let [step, embed] = [0, 0];
  const site = await snapshotOf(async (sandbox) => {
    twoGuides(sandbox);
    step = stepIds(sandbox, 1)[0] ?? 0;
    embed = sandbox.edit.newEmbed(sandbox.credentials.userid, "https://film.example/1");
    await showEmbed(sandbox, 1, step, embed);
  });
  const before = firstMedia(site.sandbox);
  expect(before).toMatchObject({ type: "kept" });
  site.sandbox.edit.step(1, step, { media: { type: "image", data: [] } });
  const foreseen = await site.restore({ dryRun: true });
  expect([foreseen.lost, foreseen.writes]).toEqual([[], 1]);
  const done = await site.restore();
  expect(done).toMatchObject({ putBack: [{ paths: ["steps[0].media"] }], lost: [], writes: 1, differences: [] });
  expect(firstMedia(site.sandbox)).toEqual(before);
  site.sandbox.edit.deleteStep(1, step);
  expect(await site.restore()).toMatchObject({ putBack: [{ key: "guide/1" }], lost: [], failed: 0, differences: [] });
  expect(firstMedia(site.sandbox)).toEqual(before);
  [step = 0] = stepIds(site.sandbox, 1);
  // Another edit of that step leaves the embed alone, also when it is no longer the account's.
  site.sandbox.edit.step(1, step, { title: "PWNED" });
  await leaveManager(site.sandbox, embed);
  expect(await site.restore()).toMatchObject({ putBack: [{ paths: ["steps[0].title"] }], lost: [], failed: 0 });
  expect(firstMedia(site.sandbox)).toEqual(before);
  site.sandbox.edit.step(1, step, { media: { type: "image", data: [] } });
  expect(await site.restore()).toMatchObject({
    lost: [{ key: "guide/1", reason: expect.stringContaining("media manager") }],
    writes: 0,
  });
});

function firstMedia(sandbox: Sandbox): unknown {
  const steps = sandbox.state().guides[0]?.["steps"];
  return Array.isArray(steps) ? steps[0]?.media : undefined;
}

async function showEmbed(sandbox: Sandbox, guide: number, step: number, embed: number): Promise<void> {
  const headers = { authorization: `api ${sandbox.token}` };
  const read = await (await fetch(`${sandbox.url}/guides/${guide}`, { headers })).json();
  const { steps } = read as { readonly steps: readonly { readonly stepid: number; readonly revisionid: number }[] };
  const revision = steps.find(({ stepid }) => stepid === step)?.revisionid;
  const body = { media: { type: "object", data: embed } };
  await post(sandbox, `guides/${guide}/steps/${step}?revisionid=${revision}`, body, "PATCH");
}

async function leaveManager(sandbox: Sandbox, embed: number): Promise<void> {
  const headers = { authorization: `api ${sandbox.token}` };
  await fetch(`${sandbox.url}/user/media/GuideEmbedObject/${embed}`, { method: "DELETE", headers });
}
