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

test("of first values the first one is kept, also where more notes than wait in memory are between", async () => {
  const { scratch } = await openedWorkspace();
  const first = (value: string): void => {
    for (const name of ["a", "b"]) scratch.putFirst("upload", name, value);
  };
  first("image/1");
  first("image/2");
  expect(scratch.get("upload", "a")).toBe("image/1");
  for (let at = 0; at < 1000; at += 1) scratch.put("size", `image/${at}`, "1x1");
  first("image/3");
  expect([scratch.get("upload", "a"), scratch.get("upload", "b")]).toEqual(["image/1", "image/1"]);
  for (let at = 0; at < 1000; at += 1) scratch.put("size", `image/${at}`, "1x1");
  expect(["a", "b"].map((name) => scratch.get("upload", name))).toEqual(["image/1", "image/1"]);
});

test("the next run finds nothing of them", async () => {
  const directory = join(temporaryFolder(), "workspace");
  const workspace = await openedWorkspace(directory);
  workspace.scratch.put("size", "image/1", "800x600");
  await workspace.close();
  expect((await openedWorkspace(directory)).scratch.get("size", "image/1")).toBeUndefined();
});

test("more notes than wait in memory are all kept, the latest of each, and with any characters", async () => {
  const { scratch } = await openedWorkspace();
  const names = Array.from({ length: 2500 }, (_, at) => `image/${at}`);
  for (const round of ["first", "second"]) {
    for (const name of names) scratch.put("size", name, `${round} "${name}" \u2028\u{1F600} {"a":[1]}`);
    const expected = names.map((name) => `${round} "${name}" \u2028\u{1F600} {"a":[1]}`);
    expect(names.map((name) => scratch.get("size", name))).toEqual(expected);
  }
  scratch.put("size", "a\0\uD800", "b\0\uDC00");
  expect(scratch.get("size", "a\0\uD800")).toBe("b\u2400\uFFFD");
  scratch.put("size", "large", "x".repeat(1_000_000));
  expect([scratch.get("size", "a\0\uD800"), scratch.get("size", "large")?.length]).toEqual([
    "b\u2400\uFFFD",
    1_000_000,
  ]);
  scratch.clear("size");
  expect(scratch.get("size", "large")).toBeUndefined();
});
