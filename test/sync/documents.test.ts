import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { ITEM_KINDS, type Key } from "../../src/core/model/key.js";
import { ItemSpool } from "../../src/documents/document-index.js";
import { createDocumentSource, openDocuments } from "../../src/documents/document-source.js";
import { openWorkspace, type Workspace } from "../../src/storage/workspace/workspace.js";
import type { ExtractSummary } from "../../src/sync/extract/summary.js";
import { FORMATS } from "../../transforms/index.js";
import {
  extractDocuments,
  OIL_THE_WHEEL,
  ownSample,
  packFolder,
  packWorkspace,
  SPINNING_WHEEL,
} from "../helpers/documents.js";
import { wikiItem } from "../helpers/items.js";
import { localServer } from "../helpers/local-server.js";
import { pngOf } from "../helpers/png.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";

const EXAMPLES = fileURLToPath(new URL("../../../shared/data/omanual/examples", import.meta.url));
const CHANGE_THE_BAND = "Change-the-Drive-Band-13/guide.xml";

/** What was read in this run: items without media, and media files. */
const readIn = ({ kinds, media }: ExtractSummary) => [kinds.category.read, kinds.guide.read, media.files];

async function replaceIn(file: string, from: string, to: string): Promise<void> {
  const text = await readFile(file, "utf8");
  expect(text).toContain(from);
  await writeFile(file, text.replace(from, to));
}

describe("documents as a source", () => {
  it("are read whole, their media byte for byte, and nothing is left of the reading", async () => {
    const directory = await temporaryFolder();
    const { summary, seen } = await extractDocuments(SPINNING_WHEEL, directory, { look: contentsOf });
    expect(readIn(summary)).toEqual([2, 2, 8]);
    expect(seen).toEqual(await hashesIn(SPINNING_WHEEL));
    expect(await readdir(join(directory, "temporary"))).toEqual([]);
  });

  it("that did not change are not read again", async () => {
    const directory = await temporaryFolder();
    await extractDocuments(SPINNING_WHEEL, directory);
    expect(readIn((await extractDocuments(SPINNING_WHEEL, directory)).summary)).toEqual([0, 0, 0]);
  });

  it("are the same source in another place and however they are packed", async () => {
    const [directory, elsewhere, sample] = await Promise.all([temporaryFolder(), temporaryFolder(), ownSample()]);
    await extractDocuments(sample, directory);
    for (const [archive, top] of [
      ["spinning-wheel.omanual", ""],
      ["spinning-wheel.zip", "spinning-wheel/"],
    ] as const) {
      await packFolder(sample, join(elsewhere, archive), top);
      expect(readIn((await extractDocuments(join(elsewhere, archive), directory)).summary)).toEqual([0, 0, 0]);
    }
  });

  it("of another name are refused by a workspace that holds others", async () => {
    const [directory, sample] = await Promise.all([temporaryFolder(), ownSample()]);
    await extractDocuments(sample, directory);
    const renamed = join(dirname(sample), "looms");
    await rename(sample, renamed);
    await expect(extractDocuments(renamed, directory)).rejects.toThrow(
      /holds the content of spinning-wheel .* cannot also hold the content of looms .*--workspace/s,
    );
  });

  it("are read anew one by one: the changed one only, with a picture that was exchanged under its name too", async () => {
    const [directory, sample] = await Promise.all([temporaryFolder(), ownSample()]);
    await extractDocuments(sample, directory);
    await replaceIn(join(sample, CHANGE_THE_BAND), "Linen cord", "Hemp cord");
    expect(readIn((await extractDocuments(sample, directory)).summary)).toEqual([0, 1, 0]);
    const picture = join(sample, "Oil-the-Wheel/media/main.png");
    const { length } = await readFile(picture);
    await writeFile(picture, Buffer.concat([pngOf(400, 300), Buffer.alloc(length)]).subarray(0, length));
    const { summary, seen } = await extractDocuments(sample, directory, { look: contentsOf });
    expect(readIn(summary)).toEqual([0, 1, 1]);
    expect(seen).toEqual(await hashesIn(sample));
  });

  it("that were taken out are gone at the source", async () => {
    const [directory, sample] = await Promise.all([temporaryFolder(), ownSample()]);
    await extractDocuments(sample, directory);
    await rm(join(sample, dirname(CHANGE_THE_BAND)), { recursive: true });
    const { summary, seen } = await extractDocuments(sample, directory, { look: statesOf });
    expect([summary.kinds.guide.gone, seen]).toEqual([1, { "guide/13": "gone", [OIL_THE_WHEEL]: "present" }]);
  });

  it("that cannot be read fail by themselves with file, line and column, and keep what was read of them before", async () => {
    const [directory, sample] = await Promise.all([temporaryFolder(), ownSample()]);
    await extractDocuments(sample, directory);
    await replaceIn(join(sample, CHANGE_THE_BAND), "</steps>", "</stepps>");
    const { summary, seen } = await extractDocuments(sample, directory, { look: failuresOf });
    expect([summary.kinds.guide.failed, summary.kinds.guide.gone, seen?.length]).toEqual([1, 0, 1]);
    expect(seen?.[0]).toMatch(/^guide\/13: .*Change-the-Drive-Band-13\/guide\.xml:\d+:\d+/);
    await replaceIn(join(sample, CHANGE_THE_BAND), "</stepps>", "</steps>");
    expect((await extractDocuments(sample, directory, { look: failuresOf })).seen).toEqual([]);
  });

  it("stay private unless they shall be published, and are read anew when that changes", async () => {
    const directory = await temporaryFolder();
    const visibility = async ({ items }: Workspace) => {
      const guide = await items.get("guide/13");
      return guide?.kind === "guide" && guide.body.public;
    };
    expect((await extractDocuments(SPINNING_WHEEL, directory, { look: visibility })).seen).toBe(false);
    const published = await extractDocuments(SPINNING_WHEEL, directory, { publish: true, look: visibility });
    expect([published.seen, ...readIn(published.summary)]).toEqual([true, 0, 2, 0]);
  });

  it("may be a single file, which knows nothing of what lies beside it", async () => {
    const directory = await temporaryFolder();
    const { summary, seen } = await extractDocuments(join(SPINNING_WHEEL, CHANGE_THE_BAND), directory, {
      look: async ({ items }) => (await items.get("guide/13"))?.issues.map(({ code }) => code),
    });
    expect([summary.site.name, summary.kinds.guide.read]).toEqual(["guide", 1]);
    expect(seen).toContain("media-missing");
  });

  it("lead to no private address, whatever they say where a picture lies", async () => {
    const [directory, sample] = await Promise.all([temporaryFolder(), ownSample()]);
    const inside = await localServer((_arrival, response) => response.end("secret"));
    await replaceIn(join(sample, CHANGE_THE_BAND), "media/main.png", `${inside.origin}/picture.png`);
    const look = async ({ items, failures }: Workspace) => [failures.list(), (await items.get("guide/13"))?.issues];
    const { seen, summary } = await extractDocuments(sample, directory, { look });
    const message = expect.stringMatching(/not on the public internet/);
    const loss = expect.objectContaining({ code: "media-refused", level: "loss", message });
    expect([inside.arrivals, seen]).toEqual([[], [[], expect.arrayContaining([loss])]]);
    expect(summary).toMatchObject({ failures: 0, refusedMedia: [expect.stringMatching(/^image\//)] });
  });

  it("that guideferry wrote give back the items that went in, and what a text names in vain is no failure", async () => {
    const [first, second, folder] = await Promise.all([temporaryFolder(), temporaryFolder(), temporaryFolder()]);
    const [sample, archive] = [await ownSample(), join(folder, "spinning-wheel.omanual")];
    await replaceIn(join(sample, CHANGE_THE_BAND), "Spare parts:", "[image|999] Spare parts:");
    const before = await extractDocuments(sample, first, {
      look: async (workspace) => {
        await packWorkspace(workspace, archive);
        return bodiesIn(workspace);
      },
    });
    const after = await extractDocuments(archive, second, { look: bodiesIn });
    expect([after.summary.failures, after.seen]).toEqual([0, before.seen]);
    expect(readIn((await extractDocuments(archive, second)).summary)).toEqual([0, 0, 0]);
  });

  it("that guideferry wrote may be pages alone, which have no document", async () => {
    const [first, second, folder] = await Promise.all([temporaryFolder(), temporaryFolder(), temporaryFolder()]);
    const archive = join(folder, "pages.omanual");
    const workspace = await openWorkspace(first, { create: true, command: "test load" });
    await workspace.items.put(wikiItem("ITEM", "Shuttle", { contents: "It flies." }));
    await packWorkspace(workspace, archive);
    await workspace.close();
    const { summary, seen } = await extractDocuments(archive, second, {
      look: ({ items }) => items.get("wiki/ITEM/Shuttle"),
    });
    expect([summary.kinds.wiki.read, summary.failures]).toEqual([1, 0]);
    expect(seen?.body).toMatchObject({ contents: "It flies." });
  });

  it("that hold no manual are refused with what they hold", async () => {
    const folder = await temporaryFolder();
    await mkdir(join(folder, "notes"));
    await writeFile(join(folder, "notes/a.txt"), "words");
    const refusal = extractDocuments(join(folder, "notes"), await temporaryFolder());
    await expect(refusal).rejects.toMatchObject({
      exitCode: 10,
      message: expect.stringMatching(
        /^No manual in .*notes: 1 file \(a\.txt\), none is an XML document with a root element of omanual/,
      ),
    });
    await writeFile(join(folder, "notes/b.xml"), "<recipe/>");
    await expect(extractDocuments(join(folder, "notes"), await temporaryFolder())).rejects.toThrow(
      /2 files \(a\.txt, b\.xml\)/,
    );
  });
});

describe("the published examples (../shared/data/omanual/examples) as a source", { tags: ["shared"] }, () => {
  it("list two guides and the categories that they are about, and each reads as it is listed", async () => {
    const { files } = await openDocuments(EXAMPLES);
    const spool = await ItemSpool.open(await temporaryFolder());
    onTestFinished(() => spool.close());
    const openWeb = () => Promise.reject(new Error("Nothing is fetched here."));
    const source = createDocumentSource({ path: EXAMPLES, files, formats: FORMATS, spool, openWeb, publish: false });
    const { signal } = new AbortController();
    const kinds = new Set(ITEM_KINDS);
    const listed: (string | undefined)[] = [];
    for await (const row of source.list({ kinds, includePrivate: true, since: null }, signal)) {
      const item = await source.read(row.key, signal);
      expect([row.key, item?.revision]).toEqual([row.key, row.revision]);
      listed.push(item?.kind);
    }
    expect(listed.filter((kind) => kind === "guide")).toHaveLength(2);
    expect(listed.filter((kind) => kind === "category").length).toBeGreaterThan(2);
  });
});

/** Everything but media, whose addresses are those of their package. */
async function bodiesIn({ items }: Workspace): Promise<readonly unknown[]> {
  const bodies: unknown[] = [];
  for (const kind of ["category", "guide"] as const) {
    for (const { key } of items.entries(kind)) bodies.push((await items.get(key))?.body);
  }
  return bodies;
}

async function contentsOf({ items }: Workspace): Promise<readonly string[]> {
  const hashes: string[] = [];
  for (const { key } of items.entries()) {
    const item = await items.get(key);
    if (item?.kind === "image" || item?.kind === "video" || item?.kind === "document") {
      hashes.push(item.body.content?.sha256 ?? key);
    }
  }
  return hashes.toSorted();
}

async function hashesIn(folder: string): Promise<readonly string[]> {
  const all = await readdir(folder, { recursive: true, withFileTypes: true });
  const media = all.filter((entry) => entry.isFile() && entry.parentPath.endsWith("media"));
  const hashes = media.map(async ({ parentPath, name }) =>
    createHash("sha256")
      .update(await readFile(join(parentPath, name)))
      .digest("hex"),
  );
  return (await Promise.all(hashes)).toSorted();
}

async function statesOf({ items }: Workspace): Promise<Readonly<Record<Key, string>>> {
  return Object.fromEntries([...items.entries("guide")].map(({ key, state }) => [key, state]));
}

async function failuresOf({ failures }: Workspace): Promise<readonly string[]> {
  return failures.list().map(({ key, reason }) => `${key}: ${reason}`);
}
