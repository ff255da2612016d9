import { describe, expect, it } from "vitest";
import type { Endpoint } from "../../../src/service/endpoints/endpoints.js";
import { family, ONCE } from "../../../src/service/endpoints/endpoints.js";
import { askFamily } from "../../../src/service/source/records.js";
import { json, type LocalServer, localServer } from "../../helpers/local-server.js";
import { testStack } from "../helpers/test-stack.js";
import { never } from "./look.js";

const [GET] = family("things", [["GET", "/things", ONCE]]);
const [POST] = family("things", [["POST", "/things", ONCE]]);

interface Query {
  readonly limit: number | null;
  readonly offset: number;
}

type Answering = (query: Query) => { readonly status?: number; readonly body: unknown };

function siteWith(answer: Answering): Promise<LocalServer> {
  return localServer(({ path }, response) => {
    const { searchParams } = new URL(path, "http://site.invalid");
    const limit = searchParams.get("limit");
    const { status = 200, body } = answer({
      limit: limit === null ? null : Number(limit),
      offset: Number(searchParams.get("offset") ?? 0),
    });
    json(response, body, status);
  });
}

async function ask(
  site: LocalServer,
  more: {
    readonly paged?: "short" | "hiding";
    readonly ids?: readonly string[];
    readonly endpoint?: Endpoint | undefined;
  } = {},
) {
  const { client } = testStack(site.origin, {});
  const { paged = "hiding", ids = [], endpoint = GET } = more;
  if (endpoint === undefined) throw new Error("no endpoint");
  return askFamily(client, { endpoint, path: "things", paged, ids }, never);
}

const rows = (from: number, to: number): readonly object[] =>
  Array.from({ length: Math.max(0, to - from) }, (_, index) => ({ id: from + index, text: "same" }));

describe("a list of a family whose paging nobody knows", () => {
  it("is taken in pages, whole, where its rows have ids", async () => {
    const site = await siteWith(({ limit, offset }) => ({ body: rows(offset, Math.min(offset + (limit ?? 20), 450)) }));
    const { answer, cut } = await ask(site, { ids: ["thingid", "id"] });
    expect(answer).toEqual(rows(0, 450));
    expect(cut).toBeUndefined();
    // No page of the first sweep twice; the second one finds nothing new.
    const sweep = [180, 360, 540];
    const offsets = site.arrivals.map(({ path }) =>
      Number(new URL(path, "http://a.invalid").searchParams.get("offset")),
    );
    expect(offsets).toEqual([0, 200, ...sweep, 0, ...sweep]);
  });

  it("is one answer, as it came, where the site gives all of it each time", async () => {
    const body = { results: rows(0, 300), total: 300 };
    const site = await siteWith(() => ({ body }));
    expect((await ask(site, { ids: ["id"] })).answer).toEqual(body);
    expect(site.arrivals).toHaveLength(2);
  });

  it("is asked for without limit and offset where the site refuses them", async () => {
    const site = await siteWith(({ limit }) => (limit === null ? { body: rows(0, 3) } : { status: 422, body: {} }));
    expect(await ask(site)).toMatchObject({ status: 200, answer: rows(0, 3), query: {} });
    expect(site.arrivals).toHaveLength(2);
  });

  it("is taken page by page where rows cannot be told apart, to an empty page or one that repeats", async () => {
    const page = (offset: number): readonly object[] =>
      rows(offset, Math.min(offset + 50, 170)).map((row) => ({ ...row, id: undefined, n: offset }));
    const site = await siteWith(({ offset }) => ({ body: page(offset) }));
    expect((await ask(site)).answer).toHaveLength(170);
    // A site that gives its last page for every later offset.
    const stuck = await siteWith(({ offset }) => ({ body: page(Math.min(offset, 100)) }));
    expect((await ask(stuck)).answer).toHaveLength(150);
  });

  it("says so when the site refuses the rest", async () => {
    const site = await siteWith(({ offset }) =>
      offset > 300 ? { status: 422, body: {} } : { body: rows(offset, offset + 200) },
    );
    const { answer, status, cut } = await ask(site, { ids: ["id"] });
    expect(status).toBe(200);
    expect(Array.isArray(answer) && answer.length > 300).toBe(true);
    expect(cut).toMatch(/refused \(422\) the rows after row \d+/);
  });

  it("ends with a short page where rows are not hidden, and with an empty one where they are", async () => {
    const hiding = await siteWith(({ offset }) => ({ body: offset < 60 ? rows(offset, offset + 3) : [] }));
    expect((await ask(hiding, { paged: "short" })).answer).toHaveLength(3);
    expect(hiding.arrivals).toHaveLength(1);
    expect((await ask(hiding, { paged: "hiding" })).answer).toHaveLength(60);
  });

  it("that is none is kept as it is", async () => {
    const site = await siteWith(() => ({ body: { name: "one", parts: [1], more: [2] } }));
    expect((await ask(site)).answer).toEqual({ name: "one", parts: [1], more: [2] });
    expect(site.arrivals).toHaveLength(1);
  });
});

it("a read that is a POST sends an empty body, and its refusal is an answer", async () => {
  const site = await localServer(({ method, body }, response) => json(response, { method, body }));
  expect((await ask(site, { endpoint: POST })).answer).toEqual({ method: "POST", body: "{}" });
  const refusing = await siteWith(() => ({ status: 404, body: { message: "Endpoint not found" } }));
  expect(await ask(refusing, { endpoint: POST })).toMatchObject({ status: 404, answer: null, absent: true });
});
