import { describe, expect, it } from "vitest";
import { json } from "../../helpers/local-server.js";
import { failureOf, forever } from "../helpers/test-stack.js";
import { answering, calls, moduleSite, type TestModuleSite } from "./helpers/module-site.js";

type Row = Readonly<Record<string, unknown>>;

const row = (id: number): Row => ({ id, title: `Module ${id}` });
const rows = (count: number): readonly Row[] => Array.from({ length: count }, (_, at) => row(at + 1));

/** A site that gives pages of what `list` has at that request. */
function paging(list: (count: number) => readonly Row[], most = 200): Promise<TestModuleSite> {
  return moduleSite(({ path }, response, count) => {
    const query = new URL(path, "http://site.example").searchParams;
    const offset = Number(query.get("offset"));
    const limit = Math.min(most, Number(query.get("limit")));
    json(response, list(count).slice(offset, offset + limit));
  });
}

const idsOf = async ({ site }: TestModuleSite): Promise<readonly number[]> =>
  (await site.modules(forever)).map(({ id }) => Number(id));

describe("the list of modules", () => {
  it.each([
    ["a list", rows(3)],
    ["a list in a field", { modules: rows(3), total: 3 }],
    ["a list in any field", { items: rows(3), total: 3, limit: 200 }],
    ["a list in an envelope", { status: "success", data: { modules: rows(3) } }],
    ["modules by their ids", { 1: { title: "Module 1" }, 2: { title: "Module 2" }, 3: { title: "Module 3" } }],
    ["modules in wrappers of their own", rows(3).map((module) => ({ module }))],
  ])("is read from %s", async (_what, body) => {
    const { site } = await answering(body);
    expect(await site.modules(forever)).toEqual(
      [1, 2, 3].map((id) => ({ id: String(id), title: `Module ${id}`, currentImport: null })),
    );
  });

  it.each([[[]], [{}], [null], [{ data: [] }]])("is empty in %j", async (body) => {
    expect(await (await answering(body)).site.modules(forever)).toEqual([]);
  });

  it.each([[5], ["soon"], [{ message: "soon" }], [{ one: [], two: [] }]])("is none in %j", async (body) => {
    const failure = await failureOf((await answering(body)).site.modules(forever));
    expect(failure.message).toMatch(/current answered .* instead of a list.*training probe/);
    expect(failure.message).not.toContain("soon");
    expect(failure).toMatchObject({ exitCode: 9 });
  });

  it("with a row that has no id is an error, since a module would be missed", async () => {
    const failure = await failureOf((await answering([...rows(2), { title: "Secret plan" }])).site.modules(forever));
    expect(failure.message).toContain("lists an entry without an id: an object with title");
    expect(failure.message).not.toContain("Secret");
  });
});

describe("a long list", () => {
  it.each([20, 100, 200])("is read over pages of %i", async (most) => {
    expect(await idsOf(await paging(() => rows(450), most))).toEqual(rows(450).map(({ id }) => id));
  });

  it("is whole although rows before the page vanish meanwhile", async () => {
    const site = await paging((count) => (count < 2 ? rows(450) : rows(450).slice(40)), 100);
    const ids = await idsOf(site);
    expect(
      rows(450)
        .slice(40)
        .filter(({ id }) => !ids.includes(Number(id))),
    ).toEqual([]);
  });

  it("that the site gives whole, whatever is asked for, is read once more and no further", async () => {
    const server = await answering(rows(300));
    expect(await idsOf(server)).toHaveLength(300);
    expect(server.arrivals).toHaveLength(2);
  });

  it("that repeats its last page for ever has an end", async () => {
    const server = await moduleSite(({ path }, response) => {
      const offset = Number(new URL(path, "http://site.example").searchParams.get("offset"));
      json(response, rows(150).slice(Math.min(offset, 100), Math.min(offset, 100) + 50));
    });
    expect(await idsOf(server)).toHaveLength(150);
  });

  it("that always has something new has an end too", async () => {
    const server = await moduleSite((_, response, count) => json(response, [row(count)]));
    expect((await failureOf(server.site.modules(forever))).message).toContain("returns a list without an end");
  });

  it("is asked for without pages where the site refuses them", async () => {
    const server = await moduleSite(({ path }, response) =>
      path.includes("?") ? json(response, { message: "unknown parameter limit" }, 422) : json(response, rows(30)),
    );
    expect(await idsOf(server)).toHaveLength(30);
  });
});

it("a short history of a module takes one request", async () => {
  const server = await answering([{ importid: 9, status: "COMPLETE" }]);
  expect(await server.site.imports("7", forever)).toEqual([
    { id: "9", phase: "complete", state: "COMPLETE", message: "", warnings: [], source: null },
  ]);
  expect(calls(server)).toEqual(["GET 7/imports?limit=200&offset=0"]);
});

it("a long history of a module is read whole", async () => {
  expect(await (await paging(() => rows(230))).site.imports("7", forever)).toHaveLength(230);
});
