import sharp from "sharp";
import { expect, test } from "vitest";
import type { Sandbox } from "../../src/sandbox/index.js";
import { pngOf } from "../helpers/png.js";
import { post, stepIds, upload } from "../helpers/small-sites.js";
import { snapshotOf, type VandalisedSite } from "../helpers/vandalised-site.js";
import { twoGuides } from "./helpers/two-guides.js";

const USUAL = { line: 350, lines: 8, imageWidth: 800, imageHeight: 600 };
const LAST = "The last of all.";

/**
 * Guide 1 has four steps, of which the first shows a small picture; then the site came to refuse
 * such pictures, and somebody deleted all steps but the last.
 */
async function vandalised(): Promise<VandalisedSite> {
  const site = await snapshotOf(
    async (sandbox) => {
      twoGuides(sandbox);
      const image = await upload(sandbox, "images", "small.png", pngOf(640, 480));
      const lines = (text: string) => [{ text, bullet: "black", level: 0 }];
      await post(sandbox, "guides/1/steps", {
        orderby: 1,
        lines: lines("Look."),
        media: { type: "image", data: [image] },
      });
      await post(sandbox, "guides/1/steps", {
        orderby: stepIds(sandbox, 1).length + 1,
        lines: lines(LAST),
      });
    },
    { stepLimits: "none" },
  );
  const { edit } = site.sandbox;
  edit.setStepLimits(USUAL);
  for (const step of stepIds(site.sandbox, 1).slice(0, -1)) edit.deleteStep(1, step);
  edit.guide(1, { introduction: "PWNED" });
  return site;
}

interface Step {
  readonly lines: readonly { readonly text: string }[];
}

function guideOf(sandbox: Sandbox): { readonly introduction: unknown; readonly steps: readonly Step[] } {
  return sandbox.state().guides.find(({ guideid }) => guideid === 1) as never;
}

/** The bytes of what the first step shows. */
async function shown({ url, token }: Sandbox): Promise<readonly Buffer[]> {
  const answer = await fetch(`${url}/guides/1`, { headers: { authorization: `api ${token}` } });
  const { steps } = (await answer.json()) as {
    readonly steps: readonly { readonly media: { readonly data: readonly { readonly original: string }[] } }[];
  };
  const images = steps[0]?.media.data ?? [];
  return Promise.all(images.map(async ({ original }) => Buffer.from(await (await fetch(original)).arrayBuffer())));
}

function texts(sandbox: Sandbox): readonly unknown[] {
  return guideOf(sandbox).steps.map(({ lines }) => lines[0]?.text);
}

test("a step that the site refuses costs neither the steps behind it nor the other fields of its guide", async () => {
  const site = await vandalised();
  const before = texts(site.sandbox);
  expect(before).toEqual([LAST]);
  const done = await site.restore();
  expect(done).toMatchObject({ failed: 1, putBack: [{ key: "guide/1" }] });
  expect(guideOf(site.sandbox).introduction).not.toBe("PWNED");
  expect(texts(site.sandbox)).toEqual(["First.", "Second.", LAST]);
  // The next one asks again, as long as the site refuses it.
  expect(await site.restore()).toMatchObject({ failed: 1 });
  site.sandbox.edit.setStepLimits({ ...USUAL, imageWidth: 0, imageHeight: 0 });
  expect(await site.restore()).toMatchObject({ failed: 0, differences: [] });
  expect(texts(site.sandbox)).toEqual(["Look.", "First.", "Second.", LAST]);
  expect(await shown(site.sandbox)).toEqual([pngOf(640, 480)]);
});

test("the original goes first; where the site refuses it, what --fit makes of the step", async () => {
  const site = await vandalised();
  const done = await site.restore({ fit: "split" });
  expect(done).toMatchObject({ failed: 0, differences: [] });
  expect(texts(site.sandbox)).toEqual(["Look.", "First.", "Second.", LAST]);
  const [bytes = Buffer.of()] = await shown(site.sandbox);
  expect(await sharp(bytes).metadata()).toMatchObject({ width: 800, height: 600 });
  const refused = site.sandbox.recorded.filter(
    ({ method, path, status }) => method === "POST" && path === "/guides/1/steps" && status === 422,
  );
  expect(refused).toHaveLength(1);
  const writes = site.writes().length;
  expect(await site.restore({ fit: "split" })).toMatchObject({ writes: 0, failed: 0 });
  expect(site.writes()).toHaveLength(writes);
});

test("an embedded object that the site no longer knows is left out under --fit, and its step goes", async () => {
  let embed = 0;
  const site = await snapshotOf(async (sandbox) => {
    twoGuides(sandbox);
    embed = sandbox.edit.newEmbed(sandbox.credentials.userid, "https://film.example/1");
    const lines = [{ text: "Watch.", bullet: "black", level: 0 }];
    await post(sandbox, "guides/1/steps", { orderby: 1, lines, media: { type: "object", data: embed } });
  });
  const { sandbox } = site;
  for (const step of stepIds(sandbox, 1)) sandbox.edit.deleteStep(1, step);
  let refusals = 0;
  sandbox.faults.decide(({ method, path }) =>
    method === "POST" && path === "/guides/1/steps" && texts(sandbox).length === 0 && refusals++ < 1
      ? { kind: "status", status: 422, body: { message: `object ${embed} is not in your media manager` } }
      : undefined,
  );
  await site.restore({ fit: "split" });
  expect(texts(sandbox)).toEqual(["Watch.", "First.", "Second."]);
});
