import { appendFile, mkdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import "../../../helpers/seed.js";
import { EXIT } from "../../../../src/core/errors.js";
import type { Item } from "../../../../src/core/model/item.js";
import { HOSTILE_MEDIA, hostileItems } from "../../../helpers/hostile-items.js";
import { guideItem, mediaItem, step, wikiItem } from "../../../helpers/items.js";
import { makeRepository, sha256Of } from "../../../helpers/repository.js";
import { temporaryFolder } from "../../../helpers/temporary-folder.js";
import { brokenLinks } from "./helpers/broken-links.js";
import { exported, filesIn } from "./helpers/exported.js";
import { ONE, PICTURE, picture, repositoryOf, SHEET, TWO } from "./helpers/small-site.js";

describe("an export", () => {
  it("has every file that any page leads to, and nothing from elsewhere", async () => {
    await fc.assert(
      fc.asyncProperty(site, async (items) => {
        const folder = await temporaryFolder();
        await repositoryOf(join(folder, "repo"), items);
        await exported(join(folder, "repo"), join(folder, "site"));
        expect(await brokenLinks(join(folder, "site"))).toEqual([]);
      }),
      { numRuns: 8 },
    );
  });

  it("of a hostile site stays in its folder", async () => {
    const folder = await temporaryFolder();
    const maker = await makeRepository(join(folder, "repo"));
    await maker.add({ snapshot: ONE, items: hostileItems(), media: HOSTILE_MEDIA });
    const before = await filesIn(join(folder, "repo"));
    await exported(join(folder, "repo"), join(folder, "site"));
    expect(await brokenLinks(join(folder, "site"))).toEqual([]);
    const files = await filesIn(folder);
    expect(files.filter((file) => !file.startsWith("site/"))).toEqual(before.map((file) => `repo/${file}`));
    expect(files.filter((file) => /^site\/media\/.*\.(?:svg|xml|xhtml|html|js)$/.test(file))).toEqual([]);
  });

  it("again writes nothing, and of another time what changed; what is gone is removed", async () => {
    const folder = await temporaryFolder();
    const [repo, path] = [join(folder, "repo"), join(folder, "site")];
    const maker = await makeRepository(repo);
    const [first, second] = [guideItem(1), guideItem(2, { title: "Old" })];
    const sheet = { sha256: sha256Of(SHEET), size: SHEET.length, type: "text/csv" };
    const kept = mediaItem("document", 8, { fileName: "list.csv", content: sheet });
    await maker.add({ snapshot: ONE, items: [first, second, picture(7), kept], media: [PICTURE, SHEET] });
    await maker.add({ snapshot: TWO, items: [first, kept], media: [SHEET] });
    const begun = await exported(repo, path, { at: ONE });
    expect(begun).toMatchObject({ kept: 0, removed: 0, failures: [] });
    await writeFile(join(path, "mine.txt"), "mine");
    const files = await filesIn(path);
    const times = await Promise.all(files.map(async (file) => (await stat(join(path, file))).mtimeMs));
    expect(await exported(repo, path, { at: ONE })).toMatchObject({ written: 0, kept: begun.written, bytes: 0 });
    const now = await Promise.all(files.map(async (file) => (await stat(join(path, file))).mtimeMs));
    expect(files.filter((file, at) => now[at] !== times[at] && !file.startsWith("guideferry-export."))).toEqual([]);
    expect(await exported(repo, path, { at: TWO })).toMatchObject({ removed: 2 });
    const guide = files.indexOf("guide/1.html");
    expect((await stat(join(path, "guide/1.html"))).mtimeMs).toBe(times[guide]);
    const left = await filesIn(path);
    expect(files.filter((file) => !left.includes(file))).toEqual(["guide/2.html", `media/${sha256Of(PICTURE)}.png`]);
    expect(left).toContain("mine.txt");
  });

  it("goes on where it was stopped, and comes out the same", async () => {
    const folder = await temporaryFolder();
    const [repo, path] = [join(folder, "repo"), join(folder, "site")];
    await repositoryOf(repo, [...many(30), picture(7)]);
    await exported(repo, join(folder, "whole"));
    for (const stage of ["read", "media", "pages"] as const) {
      const abort = new AbortController();
      const progress = (at: string, done: number): void => {
        if (at === stage && done > 0) abort.abort(new Error("stopped"));
      };
      await expect(exported(repo, path, { signal: abort.signal, progress })).rejects.toThrow("stopped");
      expect(JSON.parse(await readFile(join(path, "guideferry-export.json"), "utf8"))).toMatchObject({
        complete: false,
      });
    }
    // As a kill amid a write leaves it.
    await mkdir(join(path, ".guideferry-temporary"));
    await writeFile(join(path, ".guideferry-temporary/half"), "<!doc");
    await appendFile(join(path, "guideferry-export.files"), "guide/1");
    await exported(repo, path);
    expect(await contentsOf(path)).toEqual(await contentsOf(join(folder, "whole")));
  });

  it("touches no folder of somebody else's", async () => {
    const folder = await temporaryFolder();
    await repositoryOf(join(folder, "repo"), many(1));
    const export_ = (path: string) => exported(join(folder, "repo"), join(folder, path));
    await mkdir(join(folder, "full"));
    await writeFile(join(folder, "full/index.html"), "mine");
    await expect(export_("full")).rejects.toThrow("is not empty");
    expect(await readFile(join(folder, "full/index.html"), "utf8")).toBe("mine");
    await expect(export_("full/index.html")).rejects.toThrow("is a file");
    await export_("site");
    await mkdir(join(folder, "elsewhere"));
    await symlink(join(folder, "elsewhere"), join(folder, "site/tag"));
    await expect(export_("site")).rejects.toThrow("is a link or a file, not a folder");
    const marker = join(folder, "site/guideferry-export.json");
    await writeFile(
      marker,
      (await readFile(marker, "utf8")).replace(/"site": "[^"]*"/, '"site": "https://other.example"'),
    );
    await expect(export_("site")).rejects.toThrow("is an export of");
  });

  it("writes nothing where another export is at work", async () => {
    const folder = await temporaryFolder();
    const [repo, path] = [join(folder, "repo"), join(folder, "site")];
    await repositoryOf(repo, many(3));
    let refused: unknown;
    const progress = async (): Promise<void> => {
      if (refused !== undefined) return;
      refused = "asked";
      refused = await exported(repo, path).catch((error: unknown) => error);
    };
    const working: Promise<void>[] = [];
    expect(await exported(repo, path, { progress: () => void working.push(progress()) })).toMatchObject({
      failures: [],
    });
    await Promise.all(working);
    expect(refused).toMatchObject({
      exitCode: EXIT.locked,
      message: expect.stringContaining("Another export is writing"),
    });
    expect(await exported(repo, path)).toMatchObject({ written: 0 });
  });

  it("removes nothing that its list names from elsewhere", async () => {
    const folder = await temporaryFolder();
    const path = join(folder, "site");
    await repositoryOf(join(folder, "repo"), many(1));
    await exported(join(folder, "repo"), path);
    await writeFile(join(folder, "mine.html"), "mine");
    const list = join(path, "guideferry-export.files");
    await writeFile(
      list,
      `${await readFile(list, "utf8")}../mine.html\nguide/../../mine.html\n${join(folder, "mine.html")}\n`,
    );
    expect(await exported(join(folder, "repo"), path)).toMatchObject({ removed: 0 });
    expect(await readFile(join(folder, "mine.html"), "utf8")).toBe("mine");
  });
});

const title = fc.oneof(
  fc.constantFrom("Looms", "../../x", "织布机", "a/b", "CON", "x".repeat(300)),
  fc.string({ minLength: 1 }),
);
const titles = fc.uniqueArray(title, { minLength: 1, maxLength: 4, selector: (each) => each.trim().toLowerCase() });

/** A small site whose items lead to each other, and to some that are not there. */
const site: fc.Arbitrary<readonly Item[]> = fc
  .record({ categories: titles, pages: titles, guides: titles, tags: titles, seed: fc.nat(9) })
  .map(({ categories, pages, guides, tags, seed }) => [
    ...categories.map((name, at) =>
      wikiItem("CATEGORY", name, {
        parent: categories[at - 1 - (seed % 2)] ?? null,
        image: "image/7",
        contents: `[guide|${at}]`,
      }),
    ),
    ...pages.map((name, at) =>
      wikiItem(at % 2 === 0 ? "WIKI" : "ITEM", name, {
        contents: `[[${categories[0]}]] [document|8] [image|7]`,
        tags,
        documents: ["document/8"],
      }),
    ),
    ...guides.map((name, at) =>
      guideItem(at + 1, {
        title: name,
        category: categories[seed % 4] ?? "Nowhere",
        tags,
        prerequisites: [`guide/${(at + seed) % 5}`],
        introduction: `See [guide|${seed}|this] and [[${pages[0]}|that]].`,
        steps: [step(at * 10 + 1, [`[guide|1|one]`], { media: { type: "images", images: ["image/7", "image/404"] } })],
      }),
    ),
    picture(7),
    mediaItem("document", 8, {
      fileName: "list.csv",
      content: { sha256: sha256Of(SHEET), size: SHEET.length, type: "text/csv" },
    }),
  ]);

function many(count: number): readonly Item[] {
  return Array.from({ length: count }, (_, at) => guideItem(at + 1));
}

async function contentsOf(folder: string): Promise<Readonly<Record<string, string>>> {
  const files = await filesIn(folder);
  return Object.fromEntries(
    await Promise.all(files.map(async (file) => [file, await readFile(join(folder, file), "latin1")])),
  );
}
