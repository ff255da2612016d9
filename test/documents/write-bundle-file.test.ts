import { cp, mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { type BundleParts, bundleContent } from "../../src/documents/bundle-content.js";
import { refuseBundlePath, writeBundleFile } from "../../src/documents/bundle-file.js";
import { verifyBundles } from "../../src/documents/load-bundles.js";
import { openArchive } from "../../src/storage/archive/open-archive.js";
import { writeArchive } from "../../src/storage/archive/write-archive.js";
import { controlOf, differencesIn, filled } from "../helpers/filled.js";
import { guideItem, mediaItem, wikiItem } from "../helpers/items.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";

describe("a bundle written from a workspace", () => {
  it("has every item whole and every medium byte for byte, and what only the sidecar keeps is told apart", async () => {
    const site = await filled();
    const bundle = join(site.folder, "deep/in/out.omanual");
    const { items, bundles, losses } = await site.load({ bundle });
    expect([items, bundles]).toEqual([41, [{ file: bundle, written: true, damage: null, items: 43, differences: [] }]]);
    expect([losses.totals.loss, losses.totals.error, losses.kept["tags"]]).toEqual([0, 0, 4]);
    const lines = (await readFile(losses.file, "utf8")).trim().split("\n");
    expect(lines.map((line) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({ code: "tags", key: "guide/10", keptInSidecar: true }),
    );
    expect(await readdir(join(site.folder, "work/temporary"))).toEqual([]);
  });

  it("is not touched when it would be the same, and replaced when something changed", async () => {
    const site = await filled();
    const bundle = join(site.folder, "out.omanual");
    await site.load({ bundle });
    const [before, { mtimeMs, ino }] = [await readFile(bundle), await stat(bundle)];
    expect((await site.load({ bundle })).bundles[0]?.written).toBe(false);
    expect([(await stat(bundle)).mtimeMs, (await stat(bundle)).ino]).toEqual([mtimeMs, ino]);
    await site.with(({ items }) => items.put(guideItem(1, { title: "Otherwise", category: "Looms 1" })));
    expect(await site.with((_, parts) => verifyBundles(parts, { bundle }))).toMatchObject({
      bundles: [{ differences: [{ key: "guide/1", what: "changed" }] }],
    });
    expect((await site.load({ bundle })).bundles[0]?.written).toBe(true);
    expect((await readFile(bundle)).equals(before)).toBe(false);
    expect(await readdir(site.folder)).toEqual(["losses.ndjson", "out.omanual", "work"]);
  });

  it("holds what was chosen, as the transforms made it", async () => {
    const site = await filled();
    const bundle = join(site.folder, "out.omanual");
    const selected = new Set(["guide/20", "image/20", "category/Looms 1"] as const);
    const shout: BundleParts["transforms"][number] = (item) =>
      item.kind === "guide" ? [{ ...item, body: { ...item.body, title: "LOUD" } }] : [item];
    const { items, bundles } = await site.load({ bundle }, { selected, transforms: [shout] });
    expect([items, differencesIn({ bundles })]).toEqual([2, []]);
    const files = await openArchive(bundle);
    expect(files.paths).toEqual(expect.arrayContaining(["LOUD-20/guide.xml", "category.xml"]));
    await files.close();
    await expect(site.load({ bundle }, { selected: new Set() })).rejects.toThrow(/nothing to write.*--include/);
  });

  it("tells of a medium whose bytes are not those of the workspace, and of items that are missing or too many", async () => {
    const site = await filled();
    const bundle = join(site.folder, "out.omanual");
    await site.load({ bundle });
    await repack(bundle, (path, bytes) => {
      if (/-3\//.test(path)) return undefined;
      return path.endsWith(".png") && /-20\//.test(path) ? Buffer.concat([bytes, Buffer.from("x")]) : bytes;
    });
    const selected = new Set([
      "category/Looms 1",
      ...Array.from({ length: 39 }, (_, index) => `guide/${index + 1}` as const),
    ] as const);
    const { bundles } = await site.with((_, parts) => verifyBundles({ ...parts, selected }, { bundle }));
    const [found] = bundles;
    expect(found?.differences).toEqual(
      expect.arrayContaining([
        { key: "image/20", what: "bytes" },
        { key: "guide/3", what: "missing" },
        { key: "guide/40", what: "unexpected" },
      ]),
    );
  });

  it("that a reader would refuse does not take the place of the one before, and what would be refused is named", async () => {
    const site = await filled(3);
    const bundle = join(site.folder, "out.omanual");
    await site.load({ bundle });
    const before = await readFile(bundle);
    await site.with(async ({ items, media }) => {
      const bytes = Buffer.alloc(16 * 1024 * 1024);
      const open = async () => ({ content: Readable.from([bytes]), from: 0, size: bytes.length, type: null });
      const content = await media.receive(open, new AbortController().signal);
      await items.put(mediaItem("document", 7, { content, fileName: "blank.bmp" }));
      const use = { key: "document/7", url: null, guid: null, fileName: "blank.bmp", path: "documents[0]" } as const;
      await items.put({ ...guideItem(3, { documents: ["document/7"] }), media: [use] });
    });
    await expect(site.load({ bundle })).rejects.toThrow(/not written.*\n {2}E_ZIP_RATIO .*blank\.bmp/);
    expect((await readFile(bundle)).equals(before)).toBe(true);
    expect(await readdir(join(site.folder, "work/temporary"))).toEqual([]);
  });

  it("of more files than an archive may have is not written", async () => {
    const site = await filled();
    const bundle = join(site.folder, "out.omanual");
    const written = site.with((workspace, parts) =>
      writeBundleFile(bundle, {
        content: bundleContent(parts),
        store: workspace.media,
        scratch: join(site.folder, "scratch"),
        origin: "",
        report: () => undefined,
        signal: parts.control.abort,
        most: 83,
      }),
    );
    await expect(written).rejects.toThrow(/more than 83 files.*--split category/);
    expect(await readdir(site.folder)).toEqual(["scratch", "work"]);
  });

  it("that was stopped leaves what was there before, and nothing half", async () => {
    const site = await filled();
    const bundle = join(site.folder, "out.omanual");
    await writeFile(join(site.folder, "else"), "");
    const stopping = new AbortController();
    let items = 0;
    const stop: BundleParts["transforms"][number] = (item) => {
      items += 1;
      // Within the second pass of writing.
      if (items === 41 * 2 + 20) stopping.abort(new Error("stopped here"));
      return [item];
    };
    const cut = site.load({ bundle }, { transforms: [stop], control: controlOf(stopping.signal) });
    await expect(cut).rejects.toThrow(/Stopped|stopped here/);
    expect(await readdir(site.folder)).toEqual(["else", "losses.ndjson", "work"]);
    expect(await readdir(join(site.folder, "work/temporary"))).toEqual([]);
  });
});

describe("bundles, one for each category", () => {
  it("have safe names that differ, the categories above them, and lose nothing", async () => {
    const site = await filled(3);
    const titles = ["../../climb", "/etc/passwd", "CON", "looms 1", "Other", "織機", "a\u0000b", "Sub"];
    await site.with(async ({ items }) => {
      for (const title of titles)
        await items.put(wikiItem("CATEGORY", title, { parent: title === "Sub" ? "../../climb" : null }));
      await items.put(guideItem(77, { title: "..", category: "Sub" }));
      await items.put(guideItem(78, { title: "Without", category: "" }));
    });
    const goal = { bundles: join(site.folder, "manuals") };
    const { bundles, items } = await site.load(goal);
    expect([items, differencesIn({ bundles })]).toEqual([14, []]);
    const names = await readdir(goal.bundles);
    expect(names.length).toBe(titles.length + 2);
    expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^[\w-]+\.omanual$/);
    const sub = await openArchive(join(goal.bundles, "Sub.omanual"));
    expect(sub.paths.filter((path) => path.endsWith(".xml"))).toHaveLength(3);
    await sub.close();
    expect((await site.load(goal)).bundles.map(({ written }) => written)).toEqual(names.map(() => false));
    await rm(join(goal.bundles, "Sub.omanual"));
    const compared = await site.with((_, parts) => verifyBundles(parts, goal));
    expect(differencesIn(compared)).toEqual(
      ["category/../../climb", "category/Sub", "guide/77"].map((key) => ({ key, what: "missing" })),
    );
  });

  it("of an earlier run are told of and stay: those that guideferry wrote, and no others", async () => {
    const site = await filled(3);
    await site.with(({ items }) => items.put(guideItem(77, { category: "", title: "Loose" })));
    const goal = { bundles: join(site.folder, "manuals") };
    const old = join(goal.bundles, "Old Title.OMANUAL");
    expect((await site.load(goal)).stale).toEqual([]);
    await cp(join(goal.bundles, "other.omanual"), old);
    await writeFile(join(goal.bundles, "mine.omanual"), "mine");
    await writeArchive(join(goal.bundles, "foreign.zip"), [{ path: "category.xml", content: "<category/>" }]);
    const looms = new Set(["category/Looms 1"] as const);
    const stale = [old, join(goal.bundles, "other.omanual")];
    expect((await site.load(goal, { selected: looms })).stale).toEqual(stale);
    const parts = { selected: looms };
    expect((await site.with((_, rest) => verifyBundles({ ...rest, ...parts }, goal))).stale).toEqual(stale);
    expect(await readdir(goal.bundles)).toHaveLength(5);
  });
});

describe("a path for a bundle", () => {
  it("that has something of somebody else is refused, and stays as it is", async () => {
    const folder = await temporaryFolder();
    const [text, foreign] = [join(folder, "text.omanual"), join(folder, "foreign.omanual")];
    await writeFile(text, "mine");
    await writeArchive(foreign, [{ path: "category.xml", content: "<category/>" }]);
    await mkdir(join(folder, "folder.omanual"));
    await expect(refuseBundlePath(text)).rejects.toThrow(/text\.omanual exists, but is not a bundle/);
    await expect(refuseBundlePath(foreign)).rejects.toThrow(/guideferry did not write it/);
    await expect(refuseBundlePath(join(folder, "folder.omanual"))).rejects.toThrow(/is a folder/);
    await expect(refuseBundlePath(join(text, "out.omanual"))).rejects.toThrow(/text\.omanual is not a folder/);
    expect(await readFile(text, "utf8")).toBe("mine");
  });

  it("where nothing can be made ends with its name", async () => {
    const site = await filled(1);
    await expect(site.load({ bundle: "/proc/out.omanual" })).rejects.toThrow(/\/proc\/out\.omanual/);
  });
});

async function repack(archive: string, change: (path: string, bytes: Buffer) => Buffer | undefined): Promise<void> {
  const files = await openArchive(archive);
  const entries: { readonly path: string; readonly content: Buffer }[] = [];
  for (const path of files.paths) {
    const content = change(path, Buffer.concat(await (await files.open(path)).toArray()));
    if (content !== undefined) entries.push({ path, content });
  }
  await files.close();
  await writeArchive(archive, entries);
}
