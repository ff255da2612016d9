import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { backedUpSite } from "../helpers/backed-up-site.js";

test("verify reads an exported archive whole, and names what is damaged in it", async () => {
  const site = await backedUpSite();
  expect((await site.run("export", "repo", "-o", "one.zip", "--quiet")).code).toBe(0);
  const whole = await site.run("verify", "one.zip");
  expect([whole.code, whole.stdout]).toEqual([
    0,
    expect.stringMatching(/^Undamaged: .*one\.zip: \d+ contents of the snapshot/m),
  ]);
  const file = join(site.directory, "one.zip");
  const bytes = await readFile(file);
  const at = bytes.indexOf("IDAT") + 6;
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  await writeFile(file, bytes);
  const damaged = await site.run("verify", "one.zip");
  expect(damaged.code).toBe(6);
  expect(damaged.stderr).toMatch(/one\.zip.*media\//s);
  expect(damaged.stdout).not.toContain("Undamaged");
});
