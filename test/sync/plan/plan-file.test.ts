import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { UsageError } from "../../../src/core/errors.js";
import { readPlanFile } from "../../../src/sync/plan/plan-file.js";
import { rowsIn, savedPlan } from "../../helpers/plan-files.js";
import { twoGuides } from "../../helpers/small-sites.js";
import { temporaryFolder } from "../../helpers/temporary-folder.js";
import "../../helpers/seed.js";

async function plan(): Promise<{ readonly file: string; readonly text: string }> {
  const pair = await twoGuides();
  const file = await savedPlan(pair);
  const text = await readFile(file, "utf8");
  // A token is no part of a plan, whichever way it came in.
  expect(text).not.toContain(pair.source.token);
  expect(text).not.toContain(pair.target.token);
  return { file, text };
}

test("a plan is one JSON document for its owner alone, with what is done to each item and what it hangs on", async () => {
  const { file, text } = await plan();
  const json = JSON.parse(text) as Record<string, unknown>;
  expect(Object.keys(json)).toEqual(["guideferryPlan", "head", "sources", "items", "digest"]);
  expect(json["sources"]).toContainEqual(["guide/1", expect.stringMatching(/^[0-9a-f]{64}$/)]);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  const rows = await rowsIn(file);
  expect(rows.map(({ key, action }) => [key, action])).toEqual([
    ["category/Looms", "create"],
    ["wiki/WIKI/Sheds", "create"],
    ["guide/1", "create"],
    ["guide/2", "create"],
  ]);
  expect(rows[0]?.places).toEqual([{ key: "category/Looms", id: "Looms", token: null }]);
  expect(rows[2]?.operations.map(({ id, creates, requests }) => [id, creates, requests])).toContainEqual([
    "guide/1/step/1",
    true,
    1,
  ]);
});

test.each<[string, (text: string) => string, RegExp]>([
  ["an edited action", (text) => text.replace('"action":"create"', '"action":"leave"'), /digest/],
  ["an edited choice", (text) => text.replace('"read":null', '"read":{"site":"https://evil.example"}'), /digest/],
  ["a missing end", (text) => text.slice(0, -90), /damaged/],
  ["a missing half", (text) => text.slice(0, text.length / 2), /damaged/],
  ["another version", (text) => text.replace('{"guideferryPlan":1', '{"guideferryPlan":2'), /version 2.*version 1/],
  ["nothing", () => "", /its last line is missing/],
  ["something behind its end", (text) => `${text}{}\n`, /content after its last line/],
  ["another document", () => '{"a": 1}\n', /not a plan that can be applied/],
  ["lists in another order", (text) => text.replace('],"items":[\n', ""), /damaged/],
])("a file with %s is refused with 2, and says so", async (_what, change, reason) => {
  const { file, text } = await plan();
  const changed = change(text);
  expect(changed).not.toBe(text);
  await writeFile(file, changed);
  const error: unknown = await readPlanFile(file).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(UsageError);
  expect(error).toMatchObject({ exitCode: 2, message: expect.stringMatching(reason) });
});

test("a file in which any one character is another is refused", async () => {
  const { text } = await plan();
  const file = join(await temporaryFolder(), "changed.plan");
  const signs = fc.constantFrom("0", "a", "}", " ", '"', "\n");
  await fc.assert(
    fc.asyncProperty(fc.nat(text.length - 2), signs, async (at, sign) => {
      fc.pre(text[at] !== sign);
      await writeFile(file, `${text.slice(0, at)}${sign}${text.slice(at + 1)}`);
      await expect(readPlanFile(file)).rejects.toThrow(UsageError);
    }),
    { numRuns: 60 },
  );
});

test.each([
  ["a list of users", "old,new\nann,anna\n"],
  ["another document", '{"a": 1}\n'],
])("nobody is told to write a plan over what never was one: %s", async (_what, text) => {
  const file = join(await temporaryFolder(), "users.csv");
  await writeFile(file, text);
  const error: unknown = await readPlanFile(file).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ exitCode: 2, message: expect.stringMatching(/Check the path/) });
  expect(String(error)).not.toContain(`-o ${file}`);
});

test("a folder is told as such, and nobody is told to remove it", async () => {
  const error: unknown = await readPlanFile(await temporaryFolder()).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ exitCode: 2, message: expect.stringMatching(/it is a folder/) });
  expect(String(error)).not.toMatch(/remove/);
});

test("a file that is not there is told as such", async () => {
  await expect(readPlanFile(join(await temporaryFolder(), "none.plan"))).rejects.toMatchObject({ exitCode: 10 });
});
