import { readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { openArchive } from "../../src/storage/archive/open-archive.js";
import { openRepository } from "../../src/storage/repository/read/open-repository.js";
import { RepositoryKeys } from "../../src/storage/repository/read/repository-keys.js";
import { sha256 } from "../storage/repository/write/helpers/plans.js";
import { sourceOf } from "../sync/extract-site.js";
import { startBackups } from "./helpers/backups.js";
import { looms, mediaIn, mediaRequests, rowsOf, textOf } from "./helpers/read-backups.js";

describe("night after night", () => {
  it("the first is full, the media leave the workspace, and every byte can be read", async () => {
    const site = await looms();
    const { index, failures } = await site.backUp();
    expect([index.kind, index.complete, index.previous, failures]).toEqual(["full", true, null, []]);
    expect(index.counts).toMatchObject({ new: index.counts.present, media: 13, newMedia: 13, changed: 0, deleted: 0 });
    expect(mediaIn(site)).toEqual([]);
    const rows = await rowsOf(site);
    expect(rows.get("guide/13")).toMatchObject({ state: "present", title: "Guide 13" });
    expect(rows.size).toBe(index.counts.present);
  });

  it("has personal data on nights that ask for it, and not a row of it, nor what failed of it, on others", async () => {
    const site = await startBackups();
    const source = sourceOf(site.sandbox, { records: "all", personalData: true });
    const without = sourceOf(site.sandbox, { records: "all" });
    const named = async (): Promise<readonly string[]> => {
      const repository = await openRepository(site.folder, { keys: new RepositoryKeys() });
      const [latest] = repository.snapshots().slice(-1);
      if (latest === undefined) throw new Error("no snapshot");
      const { personalData } = await repository.manifest(latest.snapshot);
      await repository.close();
      return personalData;
    };
    await site.backUp({ source: without });
    expect(await named()).toEqual([]);
    const plain = new Set((await rowsOf(site)).keys());
    expect(plain).toContain("record/quizzes");
    site.sandbox.faults.decide(({ path }) => (path === "/work_log" ? { kind: "status", status: 500 } : undefined));
    const first = await site.backUp({ source });
    expect([first.index.complete, first.failures.map(({ key }) => key)]).toEqual([false, ["record/work_log"]]);
    site.sandbox.faults.clear();
    for (const fullEvery of [30, 1]) {
      const { index, failures } = await site.backUp({ source: without, options: { fullEvery } });
      expect([index.complete, index.counts.deleted, failures, await named()]).toEqual([true, 0, [], []]);
      expect(new Set((await rowsOf(site)).keys())).toEqual(plain);
    }
    const again = await site.backUp({ source });
    const families = [
      "completions",
      "periodic reviews of people",
      "quiz sessions",
      "users",
      "view history",
      "work log",
    ];
    const rows = await rowsOf(site);
    expect([again.index.complete, again.index.counts.new, await named()]).toEqual([
      true,
      rows.size - plain.size,
      families,
    ]);
    expect(rows.size).toBeGreaterThan(plain.size + 50);
    expect(rows.get("record/work_log")?.state).toBe("present");
  });

  it("one without a change writes its manifest alone, and asks for no item and no medium", async () => {
    const site = await looms();
    await site.backUp();
    const asked = site.sandbox.recorded.length;
    const [media, first] = [mediaRequests(site), await rowsOf(site)];
    const { index } = await site.backUp();
    expect(index).toMatchObject({ kind: "incremental", counts: { new: 0, changed: 0, deleted: 0, newMedia: 0 } });
    const files = await openArchive(join(site.folder, index.archives.at(-1)?.name ?? ""));
    expect(files.paths).toEqual(["README.txt", "items.ndjson", "manifest.json", "media.ndjson"]);
    await files.close();
    expect(mediaRequests(site)).toBe(media);
    expect(site.sandbox.recorded.slice(asked).filter(({ path }) => /\/guides\/\d/.test(path))).toEqual([]);
    const second = await rowsOf(site);
    expect([...second.keys()]).toEqual([...first.keys()]);
  });

  it("keeps what changed, what is new and what is gone apart, and the days before stay as they were", async () => {
    const site = await looms();
    const { edit } = site.sandbox;
    const first = await site.backUp();
    edit.guide(2, { introduction: "Begin otherwise." });
    edit.deleteGuide(3);
    const news = edit.createGuide({ category: "Looms", type: "how-to", title: "News" });
    edit.setPublic(news, true);
    const second = await site.backUp();
    expect(second.index.counts).toMatchObject({ new: 1, deleted: 1 });
    expect(second.index.counts.changed).toBeGreaterThanOrEqual(1);
    const rows = await rowsOf(site);
    expect(rows.get("guide/3")).toEqual({
      key: "guide/3",
      kind: "guide",
      state: "deleted",
      revision: expect.any(String),
      title: "Guide 3",
      deleted: second.index.snapshot,
    });
    expect([rows.get(`guide/${news}`)?.title, rows.get("guide/99")]).toEqual(["News", undefined]);
    expect(await textOf(site, "guide/2", first.index.snapshot)).toMatch(/"Begin\."/);
    expect(await textOf(site, "guide/2", second.index.snapshot)).toMatch(/"Begin otherwise\."/);
    await site.backUp();
    const third = await rowsOf(site);
    expect(third.get("guide/3")).toEqual(rows.get("guide/3"));
    edit.restoreGuide(3);
    const fourth = await site.backUp();
    expect([fourth.index.counts.new, (await rowsOf(site)).get("guide/3")?.state]).toEqual([1, "present"]);
    expect((await rowsOf(site, first.index.snapshot)).get("guide/3")?.state).toBe("present");
  });

  it("a full one comes when it is due, from the archives, and needs no other", async () => {
    const site = await looms();
    const kinds: string[] = [];
    for (let night = 0; night < 5; night += 1) {
      site.sandbox.edit.guide(1 + night, { introduction: `Night ${night}` });
      const media = mediaRequests(site);
      const { index } = await site.backUp({ options: { fullEvery: 3 } });
      kinds.push(index.kind);
      if (night > 0) expect(mediaRequests(site) - media).toBeLessThanOrEqual(2);
      if (index.kind === "full") expect(index.needs).toEqual([]);
    }
    expect(kinds).toEqual(["full", "incremental", "incremental", "full", "incremental"]);
    for (const name of readdirSync(site.folder).toSorted().slice(0, 3))
      expect(name).toMatch(/full(?:\.rows)?\.zip$|index\.json$/);
    const repository = await openRepository(site.folder);
    const [last] = repository.snapshots().slice(-1);
    await repository.close();
    expect(last?.needs.map(({ archive }) => archive).every((name) => name.includes(".full."))).toBe(true);
    await rowsOf(site);
  });

  it("equal pictures are one content, which comes back when its only guide does", async () => {
    const site = await looms();
    const { edit } = site.sandbox;
    await site.backUp();
    const guide = edit.createGuide({ category: "Looms", type: "how-to", title: "Twin" });
    const step = edit.addStep(guide, { orderby: 1, title: "One", lines: [{ text: "Do.", bullet: "black", level: 0 }] });
    edit.exchangeImage(guide, step, "picture 1");
    const { index } = await site.backUp();
    expect(index.counts).toMatchObject({ media: 13, newMedia: 0 });
  });
});

describe("a workspace that is lost", () => {
  it("is made again from the last manifest, and the night is as if nothing had happened", async () => {
    const site = await looms();
    await site.backUp();
    site.sandbox.edit.deleteGuide(3);
    await site.backUp({ now: new Date() });
    const before = await rowsOf(site);
    rmSync(site.workspace, { recursive: true });
    const [from, media] = [site.sandbox.recorded.length, mediaRequests(site)];
    const { index, warnings } = await site.backUp({ now: new Date() });
    expect(index).toMatchObject({ kind: "incremental", counts: { new: 0, changed: 0, deleted: 0, newMedia: 0 } });
    expect(warnings).toEqual([expect.stringMatching(/workspace was new: \d+ items/)]);
    expect(mediaRequests(site)).toBe(media);
    expect(site.sandbox.recorded.slice(from).filter(({ path }) => /\/guides\/\d/.test(path))).toEqual([]);
    expect([...(await rowsOf(site)).keys()]).toEqual([...before.keys()]);
    expect((await rowsOf(site)).get("guide/3")).toEqual(before.get("guide/3"));
  });

  it("or whose archives are: what they held is fetched and written again", async () => {
    const site = await looms();
    const { index } = await site.backUp();
    await site.backUp();
    rmSync(join(site.folder, index.archives.at(-1)?.name ?? ""));
    const { index: third, warnings } = await site.backUp();
    expect(warnings).toEqual([expect.stringMatching(/contents were in archives that are missing/)]);
    expect([third.complete, third.needs, third.counts.media]).toEqual([true, [], 13]);
    expect(mediaIn(site)).toEqual([]);
    const repository = await openRepository(site.folder);
    for await (const row of repository.media(third.snapshot)) await buffer(await repository.open(row));
    await repository.close();
  });
});

it("an archive or index of the repository never changes once it has its name", async () => {
  const site = await looms();
  const seen = new Map<string, string>();
  for (let night = 0; night < 4; night += 1) {
    site.sandbox.edit.guide(1 + night, { introduction: `Night ${night}` });
    await site.backUp({ options: { fullEvery: 2, partBytes: 30_000 } });
    for (const name of readdirSync(site.folder).filter((one) => /\.(?:zip|json)$/.test(one))) {
      const path = join(site.folder, name);
      if (statSync(path).isDirectory() || name === "lock.json" || name.startsWith("head.")) continue;
      const now = sha256(readFileSync(path));
      expect(seen.get(name) ?? now).toBe(now);
      seen.set(name, now);
    }
  }
  expect([...seen.keys()].filter((name) => name.includes(".part1.")).length).toBeGreaterThan(0);
});
