import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Key } from "../../src/core/model/key.js";
import { openArchive } from "../../src/storage/archive/open-archive.js";
import type { Workspace } from "../../src/storage/workspace/workspace.js";
import { extractDocuments, ownSample, packWorkspace } from "../helpers/documents.js";
import { guideItem } from "../helpers/items.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";

const TOP = "category/Spinning Wheels";
const GUIDE = "Change-the-Drive-Band-13/guide.xml";

interface Seen {
  readonly failed: readonly string[];
  readonly gone: readonly Key[];
  /** What the page of the top category says. */
  readonly contents: string;
}

async function look({ items, failures }: Workspace): Promise<Seen> {
  const top = await items.get(TOP);
  return {
    failed: failures.list().map(({ key, reason }) => `${key}: ${reason}`),
    gone: [...items.entries()].filter(({ state }) => state === "gone").map(({ key }) => key),
    contents: top?.kind === "category" ? top.body.contents : "",
  };
}

interface Package {
  readonly folder: string;
  /** The document of the top category. */
  readonly category: string;
  extract(): Promise<Seen>;
  change(path: string, change: (text: string) => string): Promise<void>;
}

function packageIn(folder: string, directory: string, category = "category.xml"): Package {
  return {
    folder,
    category,
    extract: async () => {
      const { seen } = await extractDocuments(folder, directory, { look });
      if (seen === undefined) throw new Error("Nobody looked.");
      return seen;
    },
    change: async (path, change) => {
      const file = join(folder, path);
      await writeFile(file, change(await readFile(file, "utf8")));
    },
  };
}

/** The sample, read once. */
async function readOnce(): Promise<{ readonly sample: Package; readonly before: Seen }> {
  const sample = packageIn(await ownSample(), await temporaryFolder());
  const before = await sample.extract();
  expect([before.failed, before.gone]).toEqual([[], []]);
  expect(before.contents).not.toBe("");
  return { sample, before };
}

/** The same, gone through guideferry: a bundle with its sidecars, unpacked, and read once. */
async function ownOnce(): Promise<{ readonly sample: Package; readonly before: Seen }> {
  const [first, second, folder] = await Promise.all([temporaryFolder(), temporaryFolder(), temporaryFolder()]);
  const archive = join(folder, "wheel.omanual");
  await extractDocuments(await ownSample(), first, {
    look: async (workspace) => {
      await workspace.items.put(guideItem(99, { title: "From a site", category: "Yarn", public: true }));
      await packWorkspace(workspace, archive);
    },
  });
  const files = await openArchive(archive);
  for (const path of files.paths) {
    const file = join(folder, "wheel", path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, Buffer.concat(await (await files.open(path)).toArray()));
  }
  await files.close();
  const sample = packageIn(join(folder, "wheel"), second, "Spinning-Wheels/category.xml");
  return { sample, before: await sample.extract() };
}

const cut = (text: string): string => text.slice(0, text.length / 2);

describe.each([
  ["documents", readOnce],
  ["documents that guideferry wrote", ownOnce],
])("what was read of %s before", (_name, begin) => {
  it("stays when a category's document breaks: the category fails, and comes right with its document", async () => {
    const { sample, before } = await begin();
    const whole = await readFile(join(sample.folder, sample.category), "utf8");
    await sample.change(sample.category, cut);
    expect(await sample.extract()).toEqual({
      ...before,
      failed: [expect.stringMatching(/^category\/Spinning Wheels: .*category\.xml:\d+:\d+/)],
    });
    await sample.change(sample.category, () => whole.replace("wheel", "whole wheel"));
    const after = await sample.extract();
    expect([after.failed, after.gone]).toEqual([[], []]);
  });

  it("stays when several documents break, also one that doesn't show any more which guide it was", async () => {
    const { sample, before } = await begin();
    await rename(join(sample.folder, dirname(GUIDE)), join(sample.folder, "Elsewhere"));
    await sample.change("Elsewhere/guide.xml", () => "");
    await sample.change(sample.category, () => "<category");
    const { failed, ...rest } = await sample.extract();
    expect(rest).toEqual({ contents: before.contents, gone: [] });
    for (const key of [TOP, "guide/13"])
      expect(failed).toContainEqual(expect.stringMatching(new RegExp(`^${key}: .*category\\.xml:1:`, "s")));
  });

  it("stays on the page of a category whose document is taken out while guides still name it", async () => {
    const { sample, before } = await begin();
    await rm(join(sample.folder, sample.category));
    expect(await sample.extract()).toEqual(before);
    expect(await sample.extract()).toEqual(before);
  });

  it("is gone where a whole document is taken out, and nothing is broken", async () => {
    const { sample } = await begin();
    await rm(join(sample.folder, dirname(GUIDE)), { recursive: true });
    const { failed, gone } = await sample.extract();
    expect([failed, gone.filter((key) => key.startsWith("guide/"))]).toEqual([[], ["guide/13"]]);
  });
});

describe("a sidecar that cannot be used", () => {
  it("fails the item that it was read with before, which keeps what it knew", async () => {
    const { sample, before } = await ownOnce();
    await sample.change("From-a-site-99/guideferry.json", cut);
    expect(await sample.extract()).toEqual({
      ...before,
      failed: [expect.stringMatching(/^guide\/99: .*From-a-site-99\/guideferry\.json cannot be used/)],
    });
  });
});

describe("a package that was never read", () => {
  it("gives an empty page in the place of a category whose document is broken, and tells of the document", async () => {
    const sample = packageIn(await ownSample(), await temporaryFolder());
    await sample.change(sample.category, cut);
    const { failed, contents } = await sample.extract();
    expect([failed, contents]).toEqual([[expect.stringMatching(/^record\/category\.xml: .*category\.xml:\d+/)], ""]);
  });
});
