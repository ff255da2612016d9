import { expect, test } from "vitest";
import type { Fault } from "../../src/sandbox/index.js";
import { type Pair, post, twoGuides, upload } from "../helpers/small-sites.js";

const READ = { method: "GET", path: /^\/user\/media\/GuideVideoObject\// };

test("a video that the site takes and then lets nobody ask about is there, and is not sent a second time", async () => {
  const pair = await withVideo();
  pair.target.faults.inject({ kind: "status", status: 403, body: { message: "No." } }, { ...READ, times: 1000 });
  expect(await pair.run()).toMatchObject({ failed: 0, operations: { begun: 0, failed: 0 } });
  expect((await pair.run()).writes).toBe(0);
  expect(uploads(pair)).toBe(1);
  expect((await pair.verify()).differences).toEqual([]);
});

test.each([
  ["its sign-in ended", { kind: "status", status: 401, body: { message: "Invalid login" } }],
  ["the site answered oddly", { kind: "status", status: 418 }],
] as const)("a video that was taken before %s is found by the next run", async (_what, fault: Fault) => {
  const pair = await withVideo();
  pair.target.faults.inject(fault, { ...READ, times: 1000 });
  await pair.run().catch((error: unknown) => error);
  pair.target.faults.clear();
  expect(await pair.run()).toMatchObject({ found: 1, failed: 0, operations: { begun: 0, failed: 0 } });
  expect(uploads(pair)).toBe(1);
  expect((await pair.verify()).differences).toEqual([]);
});

async function withVideo(): Promise<Pair> {
  const pair = await twoGuides({ source: { videoPolls: 0 }, target: { videoPolls: 0 } });
  const video = await upload(pair.source, "uploads", "shed.mp4", Buffer.from("....ftypisom invented"));
  await post(pair.source, "guides", { category: "Looms", type: "how-to", subject: "v", title: "V", objectid: video });
  return pair;
}

function uploads(pair: Pair): number {
  return pair.writes().filter((write) => write.includes("/user/media/uploads")).length;
}
