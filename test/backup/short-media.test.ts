import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { forgetShortMedia } from "../../src/backup/left-out.js";
import type { RepositoryCheck } from "../../src/backup/verify/repository-check.js";
import { openRepository } from "../../src/storage/repository/read/open-repository.js";
import { mediaItem } from "../helpers/items.js";
import { pngOf } from "../helpers/png.js";
import { openedWorkspace } from "../storage/workspace/helpers/samples.js";
import { SAMPLE_SITE, startSite } from "../sync/extract-site.js";
import { type BackupSite, startBackups } from "./helpers/backups.js";
import { looms } from "./helpers/read-backups.js";
import { check, threeNights } from "./verify-site.js";

const GUIDE_7 = { selection: { include: ["guide/7", "document/*"], dependencies: false } };
const MEDIA = /^\/media\/.*\.full$/;

function half({ sandbox }: BackupSite): void {
  sandbox.faults.inject({ kind: "half" }, { path: MEDIA, times: 1000 });
}

function unconfirmed({ short }: RepositoryCheck): number {
  return short.filter(({ confirmed }) => !confirmed).length;
}

describe("images that come without a length and end too early", () => {
  it("make the snapshot incomplete, are reported by verify, and are fetched completely by the next backup", async () => {
    const site = await looms();
    half(site);
    const first = await site.backUp();
    expect([first.index.complete, first.failures.length]).toEqual([false, 13]);
    expect(first.failures[0]).toMatchObject({ stage: "media", reason: expect.stringMatching(/ends before the end/) });
    const found = await check(site.folder);
    expect([found.short.length, unconfirmed(found), found.damaged]).toEqual([13, 13, false]);
    expect(found.short[0]?.items[0]).toMatch(/^image\/\d+$/);
    site.sandbox.faults.clear();
    const second = await site.backUp();
    expect([second.index.complete, second.index.counts.newMedia]).toEqual([true, 13]);
    expect((await check(site.folder)).short).toEqual([]);
  });

  it("count as complete when a second backup reads the same bytes, and verify still names them", async () => {
    const site = await looms();
    half(site);
    await site.backUp();
    const second = await site.backUp();
    expect([second.index.complete, second.failures]).toEqual([true, []]);
    const found = await check(site.folder);
    expect([found.short.length, unconfirmed(found)]).toEqual([13, 0]);
    const asked = site.sandbox.recorded.length;
    expect((await site.backUp()).index.complete).toBe(true);
    expect(site.sandbox.recorded.slice(asked).filter(({ path }) => MEDIA.test(path))).toEqual([]);
  });
});

describe("documents that come without a length and with fewer bytes than the site announces", () => {
  const FILE = /^\/media\/.*\.pdf$/;

  it("make the snapshot incomplete, are reported by verify, and are fetched completely by the next backup", async () => {
    const site = await startBackups();
    site.sandbox.faults.inject({ kind: "half" }, { path: FILE, times: 1000 });
    const first = await site.backUp();
    expect(first.index.complete).toBe(false);
    expect(first.failures[0]).toMatchObject({
      stage: "media",
      reason: expect.stringMatching(/has \d+ bytes, but the site announces \d+/),
    });
    const found = await check(site.folder);
    expect([found.short.length, unconfirmed(found)]).toEqual([2, 2]);
    expect(found.short[0]).toMatchObject({ format: null, toldSize: expect.any(Number) });
    expect(found.short[0]?.items[0]).toMatch(/^document\/\d+$/);
    site.sandbox.faults.clear();
    const second = await site.backUp();
    expect([second.index.complete, second.index.counts.newMedia]).toEqual([true, 2]);
    expect((await check(site.folder)).short).toEqual([]);
  });

  it("count as complete when a second backup reads the same bytes", async () => {
    const site = await startBackups();
    site.sandbox.faults.inject({ kind: "half" }, { path: FILE, times: 1000 });
    await site.backUp();
    expect((await site.backUp()).index.complete).toBe(true);
    const found = await check(site.folder);
    expect([found.short.length, unconfirmed(found)]).toEqual([2, 0]);
    const asked = site.sandbox.recorded.length;
    await site.backUp();
    expect(site.sandbox.recorded.slice(asked).filter(({ path }) => FILE.test(path))).toEqual([]);
  });

  it("count as complete where the detail is refused, and where more bytes came than the site announces", async () => {
    const site = await startSite({ site: SAMPLE_SITE });
    site.sandbox.faults.inject({ kind: "half" }, { path: FILE, times: 1000 });
    site.sandbox.faults.inject({ kind: "status", status: 403 }, { path: /^\/media\/documents\//, times: 1000 });
    expect(await site.run(GUIDE_7)).toMatchObject({ failures: 0, kinds: { document: { read: 1 } } });
    const open = async () => ({ content: Readable.from(["%PDF-1.7"]), from: 0, size: null, type: null });
    const workspace = await openedWorkspace();
    const content = await workspace.media.receive(open, new AbortController().signal, {
      reportedSize: async () => 3,
    });
    expect(content).not.toHaveProperty("endsEarly");
  });
});

it("a detail is not asked for its size where the host announces one", async () => {
  const site = await startSite({ site: SAMPLE_SITE });
  await site.run(GUIDE_7);
  expect(site.sandbox.recorded.filter(({ path }) => path.startsWith("/media/documents/"))).toEqual([]);
});

it("truncated media in workspaces of early versions lose their revision once, so that the next backup fetches them again", async () => {
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
