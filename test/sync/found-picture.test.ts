import { expect, test } from "vitest";
import { pngOf } from "../helpers/png.js";
import { type Pair, post, stepIds, twoGuides, upload } from "../helpers/small-sites.js";

/**
 * Both guides name each other, so that one of them is written twice, and have a picture, which the
 * site encodes anew.
 */
async function naming(): Promise<Pair> {
  const pair = await twoGuides({ source: {}, target: {} });
  for (const guide of [1, 2]) {
    pair.source.edit.guide(guide, { introduction: `See [guide|${3 - guide}|the other].` });
    const [step = 0] = stepIds(pair.source, guide);
    pair.source.edit.step(guide, step, {
      lines: [{ text: `As in [guide|${3 - guide}|the other].`, bullet: "black", level: 0 }],
    });
    const [image, other] = [
      await upload(pair.source, "images", `g${guide}.png`, pngOf(800, 600 + guide)),
      await upload(pair.source, "images", `s${guide}.png`, pngOf(900, 700 + guide)),
    ];
    const before = await read(pair, guide);
    const revision = before.guide_revisionid ?? before.revisionid;
    await post(pair.source, `guides/${guide}?revisionid=${revision}`, { image }, "PATCH");
    const now = (await read(pair, guide)).steps.find(({ stepid }) => stepid === step);
    const body = { media: { type: "image", data: [other] } };
    await post(pair.source, `guides/${guide}/steps/${step}?revisionid=${now?.revisionid}`, body, "PATCH");
  }
  return pair;
}

interface GuideAnswer {
  readonly revisionid: number;
  readonly guide_revisionid?: number;
  readonly steps: readonly { readonly stepid: number; readonly revisionid: number }[];
}

async function read({ source }: Pair, guide: number): Promise<GuideAnswer> {
  const answer = await fetch(`${source.url}/guides/${guide}`, { headers: { authorization: `api ${source.token}` } });
  return (await answer.json()) as GuideAnswer;
}

test("what was made and found again is no edit of somebody else, although its picture has another number", async () => {
  const pair = await naming();
  const lost = { kind: "reset", applied: true } as const;
  pair.target.faults.inject(lost, { method: "POST", path: "/guides", times: 2 });
  pair.target.faults.inject(lost, { method: "POST", path: /^\/guides\/\d+\/steps$/, times: 2 });
  pair.target.faults.inject(lost, { method: "PATCH", path: /^\/guides\//, times: 3 });
  for (let run = 0; run < 4; run += 1) await pair.run().catch((error: unknown) => error);
  pair.target.faults.clear();
  expect(await pair.run()).toMatchObject({ failed: 0, writes: 0, operations: { begun: 0, failed: 0 } });
  expect((await pair.verify()).differences).toEqual([]);
  const guides = pair.target.state().guides;
  expect(guides).toHaveLength(2);
  expect(guides.map((guide) => guide["public"])).toEqual([true, true]);
});
