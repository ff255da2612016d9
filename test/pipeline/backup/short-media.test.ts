import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { openRepository } from "../../../src/archive/repository/read/open-repository.js";
import { forgetShortMedia } from "../../../src/pipeline/backup/night/short-media.js";
import type { RepositoryCheck } from "../../../src/pipeline/backup/verify/repository-check.js";
import { mediaItem } from "../../helpers/items.js";
import { pngOf } from "../../helpers/png.js";
import { openedWorkspace } from "../../workspace/helpers/samples.js";
import type { Nights } from "./helpers/nights.js";
import { looms } from "./helpers/read-nights.js";
import { check, threeNights } from "./verify-site.js";

const MEDIA = /^\/media\/.*\.full$/;

function half({ sandbox }: Nights): void {
  sandbox.faults.inject({ kind: "half" }, { path: MEDIA, times: 1000 });
}

function unconfirmed({ short }: RepositoryCheck): number {
  return short.filter(({ confirmed }) => !confirmed).length;
}

describe("pictures that come without a length and stop before their end", () => {
  it("make the snapshot incomplete, are told by verify, and are fetched whole the next night", async () => {
    const site = await looms();
    half(site);
    const first = await site.night();
    expect([first.index.complete, first.failures.length]).toEqual([false, 13]);
    expect(first.failures[0]).toMatchObject({ stage: "media", reason: expect.stringMatching(/stop before the end/) });
    const found = await check(site.folder);
    expect([found.short.length, unconfirmed(found), found.damaged]).toEqual([13, 13, false]);
    expect(found.short[0]?.items[0]).toMatch(/^image\/\d+$/);
    site.sandbox.faults.clear();
    const second = await site.night();
    expect([second.index.complete, second.index.counts.newMedia]).toEqual([true, 13]);
    expect((await check(site.folder)).short).toEqual([]);
  });

  it("are taken for the site's own when a second night brings the same bytes, and stay named", async () => {
    const site = await looms();
    half(site);
    await site.night();
    const second = await site.night();
    expect([second.index.complete, second.failures]).toEqual([true, []]);
    const found = await check(site.folder);
    expect([found.short.length, unconfirmed(found)]).toEqual([13, 0]);
    const asked = site.sandbox.recorded.length;
    expect((await site.night()).index.complete).toBe(true);
    expect(site.sandbox.recorded.slice(asked).filter(({ path }) => MEDIA.test(path))).toEqual([]);
  });
});

it("those of workspaces that never looked lose their token once, so that the night fetches them again", async () => {
  const workspace = await openedWorkspace();
  const repository = await openRepository((await threeNights()).folder);
  const [whole, cut] = [pngOf(20, 10), pngOf(200, 100).subarray(0, 90)];
  for (const [at, bytes] of [whole, cut].entries()) {
    const opened = { content: Readable.from([bytes]), from: 0, size: bytes.length, type: "image/png" };
    const { endsEarly, ...content } = await workspace.media.receive(async () => opened, new AbortController().signal);
    expect(endsEarly).toBe(at === 0 ? undefined : "confirmed");
    await workspace.items.put(mediaItem("image", at + 1, { content }));
  }
  const before = workspace.items.entry("image/1")?.revision;
  expect(await forgetShortMedia(workspace, repository)).toBe(1);
  expect([1, 2].map((id) => workspace.items.entry(`image/${id}`)?.revision)).toEqual([before, ""]);
  expect(await forgetShortMedia(workspace, repository)).toBe(0);
  await repository.close();
});
