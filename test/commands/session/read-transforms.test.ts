import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readTransforms } from "../../../src/commands/session/transforms.js";
import { UsageError } from "../../../src/core/errors.js";
import type { Issue } from "../../../src/core/model/issue.js";
import type { Item } from "../../../src/core/model/item.js";
import { guideItem, step } from "../../helpers/items.js";
import { temporaryFolder } from "../../helpers/temporary-folder.js";
import { contextOf } from "../../transforms/steps/run-transform.js";

async function moduleOf(content: string): Promise<string> {
  const path = join(await temporaryFolder(), "mine.mjs");
  await writeFile(path, content);
  return path;
}

const ITEM = guideItem(1, { steps: [step(1)] });

/** Loads a module's transform and runs it over a guide. */
async function run(content: string, options = {}, item: Item = ITEM) {
  const [make] = await readTransforms([{ name: await moduleOf(content), options }]);
  const issues: Issue<string>[] = [];
  return { items: make?.(contextOf({ "guide/1": "One" }))(item, (issue) => issues.push(issue)), issues };
}

/** The body of a function from an item. */
const body = (code: string): string => `export default (item, report) => { ${code} };`;

describe("a transform of one's own", () => {
  it("is a function, or an object that makes one of options and what it may ask", async () => {
    expect((await run("export default (item) => [item];")).items?.[0]).toBe(ITEM);
    const spec = `export default { name: "x", about: "y", create: ({ to }, { titleOf, source }) => (item) =>
      [{ ...item, body: { ...item.body, title: [to, titleOf("guide/1"), titleOf("guide/2"), source.origin].join() } }] };`;
    expect((await run(spec, { to: "Two" })).items).toMatchObject([{ body: { title: "Two,One,,https://old.example" } }]);
  });

  it("may check its options by anything that parses as zod does", async () => {
    const options = `{ safeParse: (given) => given.to === "a" ? { success: true, data: "A" } :
      { success: false, error: { issues: [{ code: "custom", path: ["to"], message: "expected a" }] } } }`;
    const spec = `export default { name: "x", about: "y", options: ${options}, create: (to) => (item) =>
      [{ ...item, body: { ...item.body, title: to } }] };`;
    expect((await run(spec, { to: "a" })).items).toMatchObject([{ body: { title: "A" } }]);
    await expect(run(spec, { to: "b" })).rejects.toThrow(/mine\.mjs: to is "b", expected a\.$/);
    await expect(run(spec)).rejects.toThrow(/mine\.mjs: to is missing, expected a\.$/);
  });

  it.each([
    ["export const x = 1;", /has no default export: export default a function/],
    ["throw new Error('no luck');", /could not be loaded: Error: no luck/],
    ["export default ;", /could not be loaded: /],
    ["export default { name: 'x', create: 5 };", /about must be a text; create must be a function/],
    ["export default { name: 'x', about: '', options: {}, create() {} };", /options must be a zod schema/],
    ["export default { name: 'x', about: '', create: () => 5 };", /create\(\) must return a function/],
    [
      "export default { name: 'x', about: '', create() { throw new Error('bad luck'); } };",
      /could not be created: Error: bad luck/,
    ],
  ])("that is none is refused: %s", async (content, message) => {
    await expect(run(content)).rejects.toThrow(message);
    await expect(run(content)).rejects.toThrow(UsageError);
  });

  it("that is not there, or a function with options, is refused", async () => {
    await expect(readTransforms([{ name: "/not/there.mjs", options: {} }])).rejects.toThrow(
      /\/not\/there\.mjs does not exist/,
    );
    await expect(run("export default (item) => [item];", { a: "1" })).rejects.toThrow(
      /there is no option "a", it has none/,
    );
  });

  it.each([
    ["throw new Error('no idea');", /failed on guide\/1: it threw "no idea"\. The item was not sent/],
    ["throw 5;", /it threw 5/],
    ["null.x;", /it threw "Cannot read properties of null/],
    ["item.body.title = 'x'; return [item];", /it changes its input item \(.*read only.*return a new one/],
    ["item.body.steps[0].lines[0].text = 'x'; return [item];", /it changes its input item/],
    ["item.body.tags.push('x'); return [item];", /it changes its input item/],
    ["delete item.raw; return [item];", /it changes its input item/],
    ["return item;", /it returned a value of type object instead of an array of items/],
    ["return null;", /it returned null/],
    ["return Promise.resolve([item]);", /it returned a promise/],
    ["return [{ ...item, body: { ...item.body, title: 5 } }];", /its result \[0\] is not an item: body\.title: /],
    ["return [item, 5];", /its result \[1\] is not an item/],
    ["return [{ ...item, key: 'wiki/WIKI/x' }];", /an item of kind guide with the key wiki\/WIKI\/x/],
    ["report({ code: 'x' }); return [item];", /it reported something that is not an issue: level: /],
  ])("that goes wrong on an item names itself and the item: %s", async (code, message) => {
    await expect(run(body(code))).rejects.toThrow(message);
    await expect(run(body(code))).rejects.toThrow(/The transform .*mine\.mjs failed on guide\/1/);
  });

  it("may report issues, leave items out and split them", async () => {
    const code =
      "report({ code: 'x', level: 'note', key: item.key, path: '', message: 'Split.' }); return [item, { ...item, key: 'guide/1+2' }];";
    expect(await run(body(code))).toMatchObject({
      items: [ITEM, { key: "guide/1+2" }],
      issues: [{ message: "Split." }],
    });
    expect((await run(body("return [];"))).items).toEqual([]);
  });
});

describe("a transform of guideferry's own", () => {
  it("is found by its name", async () => {
    const [make] = await readTransforms([{ name: "replace-host", options: { from: "a.example", to: "b.example" } }]);
    expect(make?.(contextOf())(guideItem(1, { summary: "http://a.example" }), () => undefined)).toMatchObject([
      { body: { summary: "http://b.example" } },
    ]);
  });

  it.each([
    [
      "relabel-bare-link",
      {},
      /no transform "relabel-bare-link"\. Did you mean "relabel-bare-links"\? The built-in transforms are replace-host, /,
    ],
    ["shout", {}, /no transform "shout"\. The built-in transforms are /],
    [
      "replace-host",
      { form: "a.example", to: "b.example" },
      /replace-host: from is missing, expected a host.*no option "form".*Did you mean "from"/,
    ],
    ["replace-host", { from: "http://a", to: "b.example" }, /from is "http:\/\/a", expected a host such as/],
    ["rename-category", { from: "Looms" }, /rename-category: expected from and to, or titles/],
    ["rename-category", { titles: { Looms: "A/B" } }, /titles\.Looms is "A\/B", expected the title/],
    ["normalise-syntax", { hard: true }, /there is no option "hard", it has none/],
  ])("names what is wrong with %s %j", async (name, options, message) => {
    await expect(readTransforms([{ name, options }])).rejects.toThrow(message);
  });
});
