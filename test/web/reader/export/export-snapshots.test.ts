import { mkdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Item } from "../../../../src/core/model/item.js";
import { pagePathOf, tagPath } from "../../../../src/web/reader/page-path.js";
import { guideItem, mediaItem, step, wikiItem } from "../../../helpers/items.js";
import { pngOf } from "../../../helpers/png.js";
import { makeRepository, sha256Of } from "../../../helpers/repository.js";
import { temporaryFolder } from "../../../helpers/temporary-folder.js";
import { brokenLinks } from "./helpers/broken-links.js";
import { exported, exportedTimes, filesIn } from "./helpers/exported.js";

const [RED, BLUE] = [pngOf(30, 20), pngOf(20, 30)];
const [ONE, TWO, THREE] = ["20261101T030000Z", "20261102T030000Z", "20261103T030000Z"] as const;
const LOOMS = pagePathOf("category/Looms");

describe("an export of several times", () => {
  it("has each of them, what changed between neighbours, and media once; every link leads to a file", async () => {
    const { repo, site } = await places();
    await twoNights(repo);
    const made = await exportedTimes(repo, site);
    expect(made.failures).toEqual([]);
    expect(await brokenLinks(site)).toEqual([]);
    const files = await filesIn(site);
    expect(files.filter((file) => file.includes("media/"))).toEqual(mediaOf(RED, BLUE));
    expect(files.filter((file) => file.includes("changes/"))).toEqual(
      [".html", `/${LOOMS}`, "/guide/1.html", "/guide/3.html", "/guide/4.html"]
        .map((end) => `at/${TWO}/changes/${ONE}${end}`)
        .toSorted(),
    );
    const changes = await readFile(join(site, `at/${TWO}/changes.js`), "utf8");
    expect(changes).toContain(
      JSON.stringify({
        before: ONE,
        came: ["guide/4.html", tagPath("silk")],
        changed: [LOOMS, "guide/1.html"],
        went: ["guide/3.html"],
      }),
    );
    expect(await readFile(join(site, `at/${ONE}/guide/1.html`), "utf8")).toContain("Old way");
    expect(await readFile(join(site, `at/${TWO}/guide/1.html`), "utf8")).toContain("New way");
    const comparison = await readFile(join(site, `at/${TWO}/changes/${ONE}/guide/1.html`), "utf8");
    expect(comparison).toContain("Old");
    expect(await readFile(join(site, "index.html"), "utf8")).toContain(`url=at/${TWO}/index.html`);
    expect(await readFile(join(site, "times.html"), "utf8")).toContain(`at/${TWO}/changes/${ONE}.html`);
  });

  it("keeps a page that did not change once, under a name at each time", async () => {
    const { repo, site } = await places();
    await twoNights(repo);
    const made = await exportedTimes(repo, site);
    const inode = async (file: string) => (await stat(join(site, file))).ino;
    expect(await inode(`at/${TWO}/guide/2.html`)).toBe(await inode(`at/${ONE}/guide/2.html`));
    expect(await inode(`at/${TWO}/guide/1.html`)).not.toBe(await inode(`at/${ONE}/guide/1.html`));
    expect(made.linked).toBeGreaterThan(0);
    // A time that comes before those that are there shares with what is there.
    const other = join(site, "../other");
    await exportedTimes(repo, other, { last: 1 });
    await exportedTimes(repo, other);
    expect((await stat(join(other, `at/${ONE}/guide/2.html`))).nlink).toBe(2);
  });

  it("again writes nothing, and with a new night what is new; a time that is not wanted goes, with what it alone had", async () => {
    const { repo, site } = await places();
    const maker = await twoNights(repo);
    const first = await exportedTimes(repo, site);
    const read: string[] = [];
    const progress = (stage: string): void => void read.push(stage);
    const again = await exportedTimes(repo, site, { progress });
    expect(again).toMatchObject({ written: 0, linked: 0, removed: 0, pages: first.pages });
    expect(read).toEqual([]);
    await maker.add({ snapshot: THREE, items: itemsOf("new").slice(0, 3), media: [] });
    const before = await contentsOf(site);
    const third = await exportedTimes(repo, site);
    expect(third).toMatchObject({ removed: 0, failures: [] });
    const now = await contentsOf(site);
    const differing = [...now].filter(([file, text]) => before.get(file) !== text).map(([file]) => file);
    expect(differing.filter((file) => !file.startsWith(`at/${THREE}/`))).toEqual([
      "guideferry-export.json",
      "index.html",
      "times.html",
      "times.js",
    ]);
    await exportedTimes(repo, site, { last: 2 });
    expect((await filesIn(site)).filter((file) => file.includes(ONE))).toEqual([]);
    expect((await filesIn(site)).filter((file) => file.includes("media/"))).toEqual(mediaOf(BLUE));
    expect(await brokenLinks(site)).toEqual([]);
    await expect(readFile(join(site, `at/${TWO}/changes.js`))).rejects.toThrow("ENOENT");
  });

  it("makes a time again of which a file is gone", async () => {
    const { repo, site } = await places();
    await twoNights(repo);
    await exportedTimes(repo, site);
    const before = await contentsOf(site);
    for (const file of [`at/${ONE}/guide/2.html`, ...mediaOf(BLUE)]) {
      await rm(join(site, file));
      await exportedTimes(repo, site);
      expect([file, await contentsOf(site)]).toEqual([file, before]);
    }
  });

  it("goes on where it was stopped, and comes out the same", async () => {
    const { repo, site } = await places();
    await twoNights(repo);
    await exportedTimes(repo, join(site, "../whole"));
    const whole = await contentsOf(join(site, "../whole"));
    for (const [stage, turn] of [
      ["read", 1],
      ["media", 1],
      ["pages", 2],
      ["pages", 24],
    ] as const) {
      const abort = new AbortController();
      let turns = 0;
      const progress = (at: string): void => {
        turns += at === stage ? 1 : 0;
        if (turns === turn) abort.abort(new Error("stopped"));
      };
      await expect(exportedTimes(repo, site, { signal: abort.signal, progress })).rejects.toThrow("stopped");
    }
    await exportedTimes(repo, site);
    expect(await contentsOf(site)).toEqual(whole);
  });

  it("becomes one of a single time and back", async () => {
    const { repo, site } = await places();
    await twoNights(repo);
    await exported(repo, site);
    const single = await contentsOf(site);
    await writeFile(join(site, "mine.txt"), "mine");
    await exportedTimes(repo, site);
    expect(await brokenLinks(site)).toEqual([]);
    expect(await filesIn(site)).not.toContain("guide/1.html");
    expect(await readFile(join(site, "mine.txt"), "utf8")).toBe("mine");
    await rm(join(site, "mine.txt"));
    await exported(repo, site);
    expect(await contentsOf(site)).toEqual(single);
  });

  it("touches no folder of somebody else's among the times", async () => {
    const { repo, site } = await places();
    await twoNights(repo);
    await exportedTimes(repo, site, { last: 1 });
    await mkdir(join(site, `at/${ONE}`));
    await writeFile(join(site, `at/${ONE}/mine.txt`), "mine");
    await expect(exportedTimes(repo, site)).rejects.toThrow("is not empty");
    await rm(join(site, `at/${ONE}`), { recursive: true });
    await mkdir(join(site, "../elsewhere"));
    await symlink(join(site, "../elsewhere"), join(site, `at/${ONE}`));
    await expect(exportedTimes(repo, site)).rejects.toThrow("is a link or a file, not a folder");
    expect(await filesIn(join(site, "../elsewhere"))).toEqual([]);
  });
});

async function places(): Promise<{ readonly repo: string; readonly site: string }> {
  const folder = await temporaryFolder();
  return { repo: join(folder, "repo"), site: join(folder, "site") };
}

async function twoNights(repo: string): Promise<Awaited<ReturnType<typeof makeRepository>>> {
  const maker = await makeRepository(repo);
  await maker.add({ snapshot: ONE, items: itemsOf("old"), media: [RED, BLUE] });
  await maker.add({ snapshot: TWO, items: itemsOf("new"), media: [BLUE] });
  return maker;
}

/**
 * A category, three guides of which one goes and another comes, and the picture that the first
 * guide has at that time.
 */
function itemsOf(when: "old" | "new"): readonly Item[] {
  const isOld = when === "old";
  const bytes = isOld ? RED : BLUE;
  const content = { sha256: sha256Of(bytes), size: bytes.length, type: "image/png" };
  const image = isOld ? "image/7" : "image/8";
  const media = { type: "images", images: [image] } as const;
  const warp = { category: "Looms", tags: isOld ? ["wool"] : ["wool", "silk"] };
  const blue = { sha256: sha256Of(BLUE), size: BLUE.length, type: "image/png" };
  return [
    wikiItem("CATEGORY", "Looms", { contents: `The ${when} text.` }),
    guideItem(1, { ...warp, title: `${isOld ? "Old" : "New"} way`, steps: [step(11, [`It is ${when}.`], { media })] }),
    guideItem(2, { category: "Looms", title: "Same" }),
    isOld ? guideItem(3, { category: "Looms", title: "Goes" }) : guideItem(4, { category: "Looms", title: "Comes" }),
    mediaItem("image", isOld ? 7 : 8, { content, fileName: `${when}.png` }),
    ...(isOld ? [mediaItem("image", 9, { content: blue, fileName: "blue.png" })] : []),
  ];
}

function mediaOf(...contents: readonly Buffer[]): readonly string[] {
  return contents.map((content) => `media/${sha256Of(content)}.png`).toSorted();
}

async function contentsOf(folder: string): Promise<ReadonlyMap<string, string>> {
  const files = await filesIn(folder);
  return new Map(
    await Promise.all(files.map(async (file) => [file, await readFile(join(folder, file), "latin1")] as const)),
  );
}
