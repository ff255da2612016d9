import { expect, it } from "vitest";
import { openRepository } from "../../src/storage/repository/read/open-repository.js";
import { looms, rowsOf } from "./helpers/read-backups.js";

it("private guides that a night does not ask for stay as old as they are, and the manifest says how many", async () => {
  const site = await looms();
  const read = async (key: string): Promise<number> => {
    const row = (await rowsOf(site)).get(key);
    if (row?.state !== "present") throw new Error(`${key} is not there`);
    return row.read;
  };
  // Today: a workspace notes by the clock of the machine when it read an item.
  const first = await site.backUp({ now: new Date() });
  const before = { open: await read("guide/1"), closed: await read("guide/13") };
  const second = await site.backUp({ now: new Date(Date.now() + 86_400_000), options: { publicOnly: true } });
  expect([first.index.complete, second.index.complete, second.extracted.privateIncluded]).toEqual([
    true,
    true,
    "no-by-request",
  ]);
  expect(await read("guide/1")).toBeGreaterThan(before.open);
  // Between the begin of the first night, which its manifest has, and now.
  expect(await read("guide/13")).toBeGreaterThanOrEqual(before.closed);
  expect(await read("guide/13")).toBeLessThanOrEqual(Date.now() / 1000);
  expect(second.warnings).toEqual([
    expect.stringMatching(/^Guides and pages in none of the lists that this backup read: 1/),
  ]);
  const repository = await openRepository(site.folder);
  expect((await repository.manifest(first.index.snapshot)).kept).toBeUndefined();
  expect((await repository.manifest(second.index.snapshot)).kept).toBe(1);
  await repository.close();
});

it("pages of a namespace that the site refuses to list are no younger", async () => {
  const site = await looms();
  await site.backUp({ now: new Date() });
  const before = (await rowsOf(site)).get("wiki/WIKI/Sheds");
  site.sandbox.faults.decide(({ path }) => (path === "/wikis/WIKI" ? { kind: "status", status: 403 } : undefined));
  await site.backUp({ now: new Date(Date.now() + 86_400_000) });
  const after = (await rowsOf(site)).get("wiki/WIKI/Sheds");
  if (before?.state !== "present" || after?.state !== "present") throw new Error("Sheds is not there");
  expect(after).toEqual({ ...before, read: after.read });
  expect(after.read).toBeLessThanOrEqual(Date.now() / 1000);
});
