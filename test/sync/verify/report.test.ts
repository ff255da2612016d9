import { execFileSync, spawnSync } from "node:child_process";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import type { ComparedField, ComparedItem } from "../../../src/sync/verify/report/report-format.js";
import { DigestList, lineOf, readLine, rootLine, sha256 } from "../../../src/sync/verify/report/report-format.js";
import { checkReport, openReport, type ReportEnds } from "../../../src/sync/verify/report/write-report.js";
import { OLD_SITE } from "../../helpers/target-site.js";
import { temporaryFolder } from "../../helpers/temporary-folder.js";

const ENDS: ReportEnds = {
  source: OLD_SITE,
  target: { ...OLD_SITE, root: "https://new.example/api/2.0", origin: "https://new.example" },
  choices: { fit: "split" },
  counts: { items: 3, differences: 1 },
  now: Date.UTC(2026, 10, 21),
};

function item(id: number, fields: readonly Partial<ComparedField>[] = [{}]): ComparedItem {
  const whole = fields.map((field) => ({ ...FIELD, ...field }));
  const at = { id: String(id + 900), url: `https://new.example/Guide/-/${id + 900}` };
  return { key: `guide/${id}`, state: "compared", at, title: `Guide ${id}`, fields: whole, references: 2 };
}

const FIELD: ComparedField = { path: "title", verdict: "equal", expected: "Warp", actual: "Warp", codes: [] };

async function written(items: readonly ComparedItem[]): Promise<{ readonly file: string; readonly root: string }> {
  const file = join(await temporaryFolder(), "proof.jsonl");
  const report = await openReport(file);
  onTestFinished(() => report.close());
  for (const one of items) await report.add(one);
  return report.finish(ENDS);
}

const some = [item(3), item(1), item(20), item(2), item(10)];

test("items come in the order of keys, whatever order they were compared in, and the report is whole", async () => {
  const { file, root } = await written(some);
  const again = await written(some.toReversed());
  expect(readFileSync(again.file, "utf8")).toBe(readFileSync(file, "utf8"));
  const keys = [...readFileSync(file, "utf8").matchAll(/"key":"(.*?)"/g)].map(([, key]) => key);
  expect(keys).toEqual(["guide/1", "guide/10", "guide/2", "guide/20", "guide/3"]);
  expect(await checkReport(file)).toEqual({ root, items: 5, fields: { equal: 5 }, damage: [] });
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test("more items than are held in memory, many at a time, are all there", async () => {
  const file = join(await temporaryFolder(), "proof.jsonl");
  const report = await openReport(file);
  onTestFinished(() => report.close());
  await Promise.all(Array.from({ length: 9000 }, (_, index) => report.add(item(index + 1))));
  await report.finish(ENDS);
  expect(await checkReport(file)).toMatchObject({ items: 9000, fields: { equal: 9000 }, damage: [] });
});

test("no byte can be another one", async () => {
  const { file } = await written(some);
  const bytes = readFileSync(file);
  await fc.assert(
    fc.asyncProperty(fc.nat(bytes.length - 2), fc.integer({ min: 1, max: 255 }), async (place, flip) => {
      const other = Buffer.from(bytes);
      other[place] = (bytes[place] ?? 0) ^ flip;
      writeFileSync(`${file}.other`, other);
      expect((await checkReport(`${file}.other`)).damage).not.toEqual([]);
    }),
    { numRuns: 200 },
  );
});

const DAMAGES: Readonly<Record<string, (lines: readonly string[]) => readonly string[]>> = {
  "two lines swapped": ([first = "", second = "", third = "", ...rest]) => [first, third, second, ...rest],
  "a line taken out": ([first = "", , ...rest]) => [first, ...rest],
  "a line taken out, and not counted": ([first = "", , ...rest]) => [
    first,
    ...rest.slice(0, -1),
    (rest.at(-1) ?? "").replace(/\d+\}$/, `${rest.length}}`),
  ],
  "a line twice": ([first = "", second = "", ...rest]) => [first, second, second, ...rest],
  "the last lines cut off": (lines) => lines.slice(0, -3),
  "the last line alone cut off": (lines) => lines.slice(0, -1),
  "a line behind the end": (lines) => [...lines, lines[1] ?? ""],
  "a value changed and its digest made anew": (lines) =>
    lines.map((line) => line.replace('"title":"Guide 1"', '"title":"Guide 7"')),
  "nothing at all": () => [],
};

function rewrite(file: string, change: (lines: readonly string[]) => readonly string[]): void {
  const lines = readFileSync(file, "utf8").trimEnd().split("\n");
  const changed = change(lines).map((line) => `${line}\n`);
  writeFileSync(file, changed.join(""));
}

test.each(Object.entries(DAMAGES))("is told: %s", async (_what, change) => {
  const { file } = await written(some);
  rewrite(file, change);
  expect((await checkReport(file)).damage).not.toEqual([]);
});

test("a report that was made whole with an item twice, or out of order, is no report either", async () => {
  const { file } = await written(some);
  const contents = readFileSync(file, "utf8")
    .trimEnd()
    .split("\n")
    .flatMap((line) => readLine(line)?.content ?? []);
  const [first = "", second = "", third = "", ...rest] = contents;
  for (const order of [contents, [first, second, second, third, ...rest], [first, third, second, ...rest]]) {
    writeFileSync(file, sealed(order));
    const { damage } = await checkReport(file);
    expect(damage.map(({ what }) => what)).toEqual(order === contents ? [] : ["is out of order"]);
  }
});

/** As somebody would make it who wants to deceive: every digest, proof and the root are right. */
function sealed(contents: readonly string[]): string {
  const digests = new DigestList();
  for (const content of contents) digests.add(sha256(content));
  const tree = digests.tree();
  const lines = contents.map((content, place) => lineOf(content, tree.proof(place)));
  return [...lines, rootLine(tree.root, contents.length), ""].join("\n");
}

test("one item is checked with its line and the last line alone", async () => {
  const { file, root } = await written(some);
  const lines = readFileSync(file, "utf8").trimEnd().split("\n");
  const line = lines.find((one) => one.includes('"guide/20"')) ?? "";
  writeFileSync(file, `${line}\n${lines.at(-1)}\n`);
  const check = await checkReport(file, "guide/20");
  expect(check).toMatchObject({ root, items: 1, damage: [], item: { key: "guide/20", title: "Guide 20" } });
  writeFileSync(file, `${line.replace('"references":2', '"references":3')}\n${lines.at(-1)}\n`);
  expect((await checkReport(file, "guide/20")).damage).toMatchObject([
    { line: 1, key: "guide/20", what: "its digest does not match its content" },
  ]);
});

test("what is equal and who people are stand as digests only; long values are cut", async () => {
  const secret = "Hold the shuttle. ".repeat(60);
  const { file } = await written([
    item(1, [
      { path: "introduction", expected: "A trade secret.", actual: "A trade secret." },
      { path: "author", verdict: "different", expected: "odile", actual: "bram" },
      { path: "viewers.users", verdict: "named", codes: ["viewers-switched-off"], expected: ["odile"], actual: [] },
      { path: "conclusion", verdict: "different", expected: secret, actual: "Short." },
      { path: "image", verdict: "different", expected: "image/5", actual: null },
    ]),
    {
      ...item(2, [{ path: "displayTitle", verdict: "named", codes: ["page-name"], expected: "Odile F.", actual: "7" }]),
      key: "wiki/USER/7",
      title: "Odile",
      at: { id: "USER/9", url: "https://new.example/User/9/Odile" },
    },
  ]);
  const text = readFileSync(file, "utf8");
  expect(text).not.toMatch(/trade secret|odile|bram/i);
  const { item: found } = await checkReport(file, "guide/1");
  expect(found?.fields).toMatchObject([
    { verdict: "equal", sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
    { verdict: "different", expected: { sha256: expect.any(String) }, actual: { sha256: expect.any(String) } },
    { verdict: "named", codes: ["viewers-switched-off"] },
    {
      expected: { sha256: expect.any(String), begins: JSON.stringify(secret).slice(0, 200) },
      actual: { value: "Short." },
    },
    { expected: { value: "image/5" }, actual: null },
  ]);
});

test("nothing stands under the name before the end, and what stood there stays", async () => {
  const folder = await temporaryFolder();
  const file = join(folder, "proof.jsonl");
  writeFileSync(file, "an older one\n");
  const report = await openReport(file);
  await report.add(item(1));
  await report.close();
  expect([readdirSync(folder), readFileSync(file, "utf8")]).toEqual([["proof.jsonl"], "an older one\n"]);
  const refused = await openReport(join(file, "inside"));
  onTestFinished(() => refused.close());
  await refused.add(item(1));
  await expect(refused.finish(ENDS)).rejects.toThrow(/While writing/);
});

const PAGE = new URL("../../../docs/design/verify-report.md", import.meta.url).pathname;

function recipe(language: string): string {
  return new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, "s").exec(readFileSync(PAGE, "utf8"))?.[1] ?? "";
}

test("the page's Python checks a report without guideferry", { tags: ["python3"] }, async () => {
  const { file, root } = await written([...some, item(4, [{ expected: "Schnürplan \u2028 „4“", actual: "" }])]);
  const python = (...words: readonly string[]) =>
    spawnSync("python3", ["-c", recipe("python"), ...words], { encoding: "utf8" });
  expect(python(file).stdout).toBe(`8 whole, root ${root}\n`);
  expect(python(file, "guide/4").stdout).toBe(`1 whole, root ${root}\n`);
  expect(python(file, "guide/5").status).toBe(1);
  writeFileSync(file, readFileSync(file, "utf8").replace('"title":"Guide 4"', '"title":"Guide 5"'));
  expect([python(file).status, python(file, "guide/4").status, python(file, "guide/3").status]).toEqual([1, 1, 0]);
});

test.each(Object.entries(DAMAGES))("the page's Python finds %s", { tags: ["python3"] }, async (_what, change) => {
  const { file } = await written(some);
  rewrite(file, change);
  const { status, stderr } = spawnSync("python3", ["-c", recipe("python"), file], { encoding: "utf8" });
  expect([status, stderr]).toEqual([1, expect.not.stringMatching(/Traceback/)]);
});

test("the page's line for the shell gives a digest", { tags: ["sha256sum"] }, async () => {
  const { file } = await written(some);
  const printed = execFileSync("sh", ["-c", recipe("sh").replaceAll("FILE", file)], { encoding: "utf8" });
  const line = readFileSync(file, "utf8").split("\n")[4] ?? "";
  expect(printed.slice(0, 64)).toBe(JSON.parse(line).digest);
});
