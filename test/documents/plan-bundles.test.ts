import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { BundleParts } from "../../src/documents/bundle-content.js";
import { planBundles, verifyBundles } from "../../src/documents/load-bundles.js";
import type { BundlePlace } from "../../src/documents/package-name.js";
import { openArchive } from "../../src/storage/archive/open-archive.js";
import { type Filled, filled } from "../helpers/filled.js";
import { guideItem } from "../helpers/items.js";

describe("a comparison", () => {
  it("of a bundle that is damaged says so and compares the others; where there is none at all it ends", async () => {
    const site = await filled(3);
    await site.with(({ items }) => items.put(guideItem(77, { category: "", title: "Loose" })));
    const goal = { bundles: join(site.folder, "manuals") };
    const { bundles } = await site.load(goal);
    const file = join(goal.bundles, "Looms-1.omanual");
    const bytes = await readFile(file);
    await writeFile(file, bytes.with(bytes.length / 3, bytes.at(bytes.length / 3) === 0 ? 1 : 0));
    const compared = await site.with((_, parts) => verifyBundles(parts, goal));
    const damage = (path: string) => (path === file ? expect.stringMatching(/E_ZIP_/) : null);
    expect(compared.bundles).toEqual(
      bundles.map((bundle) => ({ ...bundle, written: false, damage: damage(bundle.file) })),
    );
    await rm(goal.bundles, { recursive: true });
    await expect(site.with((_, parts) => verifyBundles(parts, goal))).rejects.toThrow(
      `guideferry load ${join(site.folder, "work")} ${goal.bundles} --split category`,
    );
  });
});

describe("a report of losses", () => {
  it("that the disk has no room for ends the run as a full disk does", async () => {
    const site = await filled(1);
    const issues = [{ key: "guide/77", path: "", code: "dates", level: "loss", message: "Lost." }] as const;
    await site.with(({ items }) => items.put({ ...guideItem(77), issues }));
    const plan = site.with((_, parts) => planBundles(parts, { bundle: join(site.folder, "out.omanual") }, "/dev/full"));
    await expect(plan).rejects.toMatchObject({
      exitCode: 4,
      message: expect.stringMatching(/^While writing \/dev\/full: the disk is full/),
    });
  });
});

describe("a plan for bundles", () => {
  const planned = (site: Filled, goal: BundlePlace, more?: Partial<BundleParts>) =>
    site.with((_, parts) => planBundles({ ...parts, ...more }, goal, join(site.folder, "planned.ndjson")));

  it("says what would come, change and go, with the losses of the load, and writes nothing", async () => {
    const site = await filled();
    const goal = { bundle: join(site.folder, "out.omanual") };
    const first = await planned(site, goal);
    expect(await readdir(site.folder)).toEqual(["planned.ndjson", "work"]);
    const { losses, bundles } = await site.load(goal);
    expect({ ...first.losses, file: "" }).toEqual({ ...losses, file: "" });
    const files = await openArchive(goal.bundle);
    await files.close();
    const whole = {
      file: goal.bundle,
      items: bundles[0]?.items,
      files: files.paths.length,
      mediaFiles: files.paths.filter((path) => path.includes("media/")).length,
      damage: null,
      differences: [],
    };
    expect(first.bundles).toEqual([{ ...whole, action: "create" }]);
    expect((await planned(site, goal)).bundles).toEqual([{ ...whole, action: "leave" }]);
    const bytes = await readFile(goal.bundle);
    await site.with(async ({ items }) => {
      await items.put(guideItem(3, { title: "Otherwise" }));
      await items.put(guideItem(999, { title: "New" }));
    });
    const selected = new Set(["category/Looms 1", "guide/3", "guide/4", "guide/999"] as const);
    const [changed] = (await planned(site, goal, { selected })).bundles;
    expect(changed).toMatchObject({ action: "change", items: 4 });
    expect(changed?.differences).toEqual(
      expect.arrayContaining([
        { key: "guide/3", what: "changed" },
        { key: "guide/5", what: "unexpected" },
        { key: "guide/999", what: "missing" },
      ]),
    );
    expect((await readFile(goal.bundle)).equals(bytes)).toBe(true);
    expect(await readdir(join(site.folder, "work/temporary"))).toEqual([]);
  });

  it("replaces a damaged bundle, and refuses what the load would refuse", async () => {
    const site = await filled(3);
    const goal = { bundle: join(site.folder, "out.omanual") };
    await site.load(goal);
    const bytes = await readFile(goal.bundle);
    await writeFile(goal.bundle, bytes.with(bytes.length / 3, bytes.at(bytes.length / 3) === 0 ? 1 : 0));
    const [{ action, damage, items } = {}] = (await planned(site, goal)).bundles;
    expect([action, damage, items]).toEqual(["change", expect.stringMatching(/E_ZIP_/), 4]);
    await expect(planned(site, goal, { selected: new Set() })).rejects.toThrow(/nothing to write/);
  });
});
