import { join } from "node:path";
import { expect, test } from "vitest";
import { openedWorkspace, temporaryFolder } from "./helpers/samples.js";

test("notes are kept by topic and name, links one by one, and a topic is forgotten by itself", async () => {
  const { scratch } = await openedWorkspace();
  scratch.put("size", "image/1", "800x600");
  scratch.put("size", "image/1", "80x60");
  scratch.put("upload", "image/1", "other");
  for (const item of ["guide/2", "guide/1", "guide/2"]) scratch.link("referrer", "guide/9", item);
  expect([scratch.get("size", "image/1"), scratch.get("size", "image/2")]).toEqual(["80x60", undefined]);
  expect(scratch.linked("referrer", "guide/9")).toEqual(["guide/1", "guide/2"]);
  scratch.clear("size");
  expect([scratch.get("size", "image/1"), scratch.get("upload", "image/1")]).toEqual([undefined, "other"]);
  scratch.clear("referrer");
  expect(scratch.linked("referrer", "guide/9")).toEqual([]);
});

test("the next run finds nothing of them", async () => {
  const directory = join(temporaryFolder(), "workspace");
  const workspace = await openedWorkspace(directory);
  workspace.scratch.put("size", "image/1", "800x600");
  await workspace.close();
  expect((await openedWorkspace(directory)).scratch.get("size", "image/1")).toBeUndefined();
});
