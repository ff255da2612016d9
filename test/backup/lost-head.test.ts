import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { BackupSite } from "./helpers/backups.js";
import { looms } from "./helpers/read-backups.js";
import { check } from "./verify-site.js";

/** Takes away every file of a snapshot. */
function lose({ folder }: BackupSite, snapshot: string): void {
  for (const name of readdirSync(folder)) if (name.includes(snapshot)) rmSync(join(folder, name));
}

it.each(["head.json", "head.copy.json"])(
  "the loss of the newest archives with their index is noticed, also without %s",
  async (other) => {
    const site = await looms();
    await site.backUp();
    site.sandbox.edit.guide(1, { introduction: "Later." });
    const { index } = await site.backUp();
    expect((await check(site.folder)).damaged).toBe(false);
    lose(site, index.snapshot);
    rmSync(join(site.folder, other));
    const found = await check(site.folder);
    expect([found.damaged, found.problems.map(({ detail }) => detail)]).toEqual([
      true,
      [
        expect.stringContaining(
          `The snapshot ${index.snapshot}, the youngest one according to head.json, is missing together with its index`,
        ),
      ],
    ]);
    const third = await site.backUp();
    expect(third.warnings).toEqual([expect.stringMatching(/is missing together with its index/)]);
    expect((await check(site.folder)).damaged).toBe(false);
  },
);
