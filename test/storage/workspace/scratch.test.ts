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

test("texts are those of their topic, each once, and may be read while others are written", async () => {
  const { scratch } = await openedWorkspace();
  scratch.put("rows", "guide/0", "of the run before");
  const [rows, other] = [scratch.texts("rows"), scratch.texts("other")];
  expect([rows.get("guide/0"), [...rows.values()]]).toEqual([undefined, []]);
  const names = Array.from({ length: 2500 }, (_, at) => `guide/${at}`);
  for (const name of [...names, ...names]) rows.set(name, `of ${name}`);
  rows.set("guide/7", "latest");
  const found: string[] = [];
  for (const value of rows.values()) {
    found.push(value);
    other.set(value, "x");
  }
  const expected = names.map((name) => (name === "guide/7" ? "latest" : `of ${name}`));
  expect(found.toSorted()).toEqual(expected.toSorted());
  expect(names.map((name) => rows.get(name))).toEqual(expected);
  expect([...other.values()]).toHaveLength(names.length);
  expect([...scratch.texts("rows").values()]).toEqual([]);
});

test("a list has its values in order, also while it grows, and refuses an index beyond", async () => {
  const { scratch } = await openedWorkspace();
  const list = scratch.list("due");
  for (let at = 0; at < 2500; at += 1) {
    list.push(`value ${at}`);
    expect(list.at(Math.floor(at / 2))).toBe(`value ${Math.floor(at / 2)}`);
  }
  expect([list.length, list.at(2499)]).toEqual([2500, "value 2499"]);
  expect(() => list.at(2500)).toThrow(RangeError);
  expect(scratch.list("due")).toHaveLength(0);
  expect(() => scratch.list("due").at(0)).toThrow(RangeError);
});
