import { expect, onTestFinished, test } from "vitest";
import type { Item } from "../../src/core/model/item.js";
import { type Sandbox, type SandboxOptions, startSandbox } from "../../src/sandbox/index.js";
import { openWorkspace } from "../../src/storage/workspace/workspace.js";
import { extractFrom, loadInto, verifyAt } from "../helpers/migration.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";
import { keepGuides, SAMPLE_SITE, startSite } from "./extract-site.js";

async function site(options: SandboxOptions = {}): Promise<Sandbox> {
  const sandbox = await startSandbox(options);
  onTestFinished(() => sandbox.close());
  return sandbox;
}

/** The categories of the sample site, and guides with a video, documents and translations. */
async function someGuides(): Promise<Sandbox> {
  const source = await site({ site: SAMPLE_SITE });
  keepGuides(source, [9, 10, 12, 18, 24]);
  for (const { namespace, title } of source.state().wikis)
    if (namespace === "ITEM" || namespace === "WIKI") source.edit.deleteWiki(namespace, String(title));
  return source;
}

test("a site that is read as XML and JSON arrives complete: verify finds no difference", async () => {
  const source = await someGuides();
  const { differences, target } = await migrated(source, "xml");
  expect(differences).toEqual([]);
  expect(shapeOf(target)).toEqual(shapeOf(source));
});

test("a site that is read as XML alone arrives with the losses that its items name, and with no other difference", async () => {
  const source = await someGuides();
  const { differences, target, items } = await migrated(source, "xml-only");
  expect(differences).toEqual([]);
  const manuals = items.filter(({ kind }) => kind === "guide" || kind === "category");
  expect(manuals.length).toBeGreaterThan(15);
  for (const { issues } of manuals) expect(issues.filter(({ code }) => code === "xml-only")).toHaveLength(1);
  expect(shapeOf(target)).toEqual(shapeOf(source));
});

test("an XML answer that cannot be read fails its item, with line and column; the other items are loaded", async () => {
  const broken = await startSite({ site: SAMPLE_SITE }, { format: "xml" });
  broken.sandbox.faults.decide(({ path, query }) =>
    path === "/guides/5" && query.includes("type=XML") ? { kind: "garbage" } : undefined,
  );
  const summary = await broken.run({ selection: { only: new Set(["guide"] as const), dependencies: false } });
  expect(summary.kinds.guide).toMatchObject({ listed: 20, failed: 1, present: 19 });
  expect(broken.workspace.failures.list("extract")).toMatchObject([
    {
      key: "guide/5",
      reason: expect.stringMatching(
        /XML of guide\/5 cannot be read\. GET http\S+\/guides\/5\?type=XML:\d+:\d+ in <line>: .*Expected: /,
      ),
    },
  ]);
});

/**
 * What XML or the lists contain as well as JSON; translations are not loaded in any format.
 */
function shapeOf(sandbox: Sandbox) {
  const { guides, hierarchy } = sandbox.namedState();
  const shapes = guides
    .filter(({ langid }) => langid === "en")
    .map(({ title, category, public: shown, tags, prerequisites }) => ({
      title,
      category,
      shown,
      tags,
      prerequisites,
    }));
  // One guide of the sample has a translation that answers in English, named like its source.
  return { hierarchy, shapes: new Map(shapes.map((shape) => [shape.title, shape])) };
}

/** A new target, loaded from the source in that format. */
async function migrated(source: Sandbox, format: "json" | "xml" | "xml-only") {
  const [target, directory] = [await site(), await temporaryFolder()];
  await extractFrom(source, directory, { format });
  expect(await loadInto(target, directory)).toMatchObject({ failed: 0, heldBack: [] });
  const { differences } = await verifyAt(target, directory);
  return { target, differences, items: await itemsIn(directory) };
}

async function itemsIn(directory: string): Promise<readonly Item[]> {
  const workspace = await openWorkspace(directory, { create: false, command: "test" });
  try {
    const items: Item[] = [];
    for (const { key } of workspace.items.entries()) {
      const item = await workspace.items.get(key);
      if (item !== undefined) items.push(item);
    }
    return items;
  } finally {
    await workspace.close();
  }
}
