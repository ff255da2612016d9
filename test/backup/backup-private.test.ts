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
  const first = await site.backUp();
  const before = { open: await read("guide/1"), closed: await read("guide/13") };
  // The workspace reads by the clock of the machine; the nights of a test lie before.
  const second = await site.backUp({ now: new Date(Date.now() + 86_400_000), options: { publicOnly: true } });
  expect([first.index.complete, second.index.complete, second.extracted.privateIncluded]).toEqual([
    true,
    true,
    "no-by-request",
  ]);
  expect(await read("guide/1")).toBeGreaterThan(before.open);
  expect(await read("guide/13")).toBe(before.closed);
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
  await site.backUp();
  const { read } = { read: (await rowsOf(site)).get("wiki/WIKI/Sheds") };
  site.sandbox.faults.decide(({ path }) => (path === "/wikis/WIKI" ? { kind: "status", status: 403 } : undefined));
  await site.backUp({ now: new Date(Date.now() + 86_400_000) });
  expect((await rowsOf(site)).get("wiki/WIKI/Sheds")).toEqual(read);
});
