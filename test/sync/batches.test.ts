import { expect, onTestFinished, test } from "vitest";
import { type Sandbox, type SandboxOptions, startSandbox } from "../../src/sandbox/index.js";
import type { MappedThing } from "../../src/sync/map/read-map.js";
import { plan } from "../../src/sync/plan/plan.js";
import { extractFrom, issuesOf, loadInto, planAt, verifyAt, withTarget } from "../helpers/migration.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";
import { keepGuides } from "./extract-site.js";

async function sandbox(site?: string, options: SandboxOptions = {}): Promise<Sandbox> {
  const started = await startSandbox(site === undefined ? options : { ...options, site });
  onTestFinished(() => started.close());
  return started;
}

/** What one run leaves at an empty site. */
async function inOneRun(source: Sandbox): Promise<unknown> {
  const [target, workspace] = [await sandbox(), await temporaryFolder()];
  await extractFrom(source, workspace);
  await loadInto(target, workspace);
  return target.namedState();
}

interface Moved {
  readonly target: Sandbox;
  readonly workspace: string;
}

/** Each batch is extracted and loaded with the same workspace; an empty one is everything. */
async function inBatches(source: Sandbox, batches: readonly (readonly string[])[]): Promise<Moved> {
  const [target, workspace] = [await sandbox(), await temporaryFolder()];
  for (const include of batches) {
    await extractFrom(source, workspace, { include });
    await loadInto(target, workspace);
  }
  expect((await loadInto(target, workspace)).writes).toBe(0);
  expect((await verifyAt(target, workspace)).differences).toEqual([]);
  return { target, workspace };
}

test("a site moved in batches ends as one moved at once: in parts that have nothing in common, and with everything last", async () => {
  const source = await sandbox("samples/site");
  // Videos, documents, and guides that need and name each other.
  keepGuides(source, [2, 5, 9, 10, 11, 24]);
  for (const { namespace, title } of source.state().wikis)
    if (namespace === "ITEM" || namespace === "INFO" || namespace === "TEAM")
      source.edit.deleteWiki(namespace, String(title));
  const whole = await inOneRun(source);
  const apart = [["guide/?"], ["guide/1?", "wiki/WIKI/*"], ["guide/**", "wiki/**", "category/**"]];
  for (const batches of [apart, [["guide/1*", "guide/5*"], []]]) {
    const { target } = await inBatches(source, batches);
    expect(target.namedState()).toEqual(whole);
  }
});

/** Guide 1 needs and names guide 2; category Looms hangs below Machines. */
function fill(source: Sandbox): void {
  const { edit } = source;
  edit.createWiki({ namespace: "CATEGORY", title: "Machines", contents: "All machines. See [guide|2|oil]." });
  edit.createWiki({ namespace: "CATEGORY", title: "Looms", contents: "All looms." });
  edit.setParent("CATEGORY", "Looms", "Machines");
  edit.createWiki({ namespace: "ITEM", title: "Shuttle", contents: "It carries the weft." });
  for (const title of ["Warp", "Oil"]) {
    const guide = edit.createGuide({ category: "Looms", type: "how-to", subject: "loom", title });
    edit.addStep(guide, {
      orderby: 1,
      title: "Begin",
      lines: [{ text: `Do it: ${title}.`, bullet: "black", level: 0 }],
    });
    edit.setPublic(guide, true);
  }
  edit.guide(1, {
    introduction: "See [guide|2|oil] and [guide|999|nowhere].",
    prerequisites: [2],
    parts: [{ name: "Shuttle", quantity: 1 }],
  });
}

const alone = { selection: { dependencies: false } } as const;

test("a link, a prerequisite and a parent that come in a later batch are written then, whatever is selected in it", async () => {
  const source = await sandbox();
  fill(source);
  const [target, workspace] = [await sandbox(), await temporaryFolder()];
  await extractFrom(source, workspace, { include: ["guide/1", "category/Looms"], ...alone });
  await loadInto(target, workspace);
  const codes = async () =>
    (await issuesOf({ target, workspace }, "guide/1"))
      .map(({ code }) => code)
      .filter((code) => /^(pre|ref)/.test(code));
  expect(await codes()).toEqual(["reference-dangling", "reference-dangling", "prerequisite-not-moved"]);
  await extractFrom(source, workspace, { include: ["guide/2", "category/Machines", "wiki/ITEM/Shuttle"], ...alone });
  const selected = new Set(["guide/2", "category/Machines", "wiki/ITEM/Shuttle"] as const);
  const { items } = await planAt(target, workspace, { selected });
  expect(items.map(({ key, action, requests }) => [key, action, requests])).toEqual(
    expect.arrayContaining([
      ["guide/1", "change", 1],
      ["category/Looms", "change", 1],
    ]),
  );
  const planned = items.reduce((sum, { requests }) => sum + requests, 0);
  expect((await loadInto(target, workspace, { selected, concurrency: 1 })).writes).toBe(planned);
  // What is nowhere at the source stays a link to it.
  expect(await codes()).toEqual(["reference-dangling"]);
  expect(target.namedState()).toEqual(await inOneRun(source));
});

test("a plan finds what another workspace moved, although its own ledger has nothing", async () => {
  const source = await sandbox();
  fill(source);
  const [target, workspace] = [await sandbox(), await temporaryFolder()];
  await extractFrom(source, workspace, { include: ["guide/1"], ...alone });
  const codes = async (things: readonly MappedThing[]) => {
    const parts = { rate: null, because: new Map(), movedElsewhere: () => iterate(things) };
    const { items } = await withTarget(target, workspace, {}, (given) => plan({ ...given, ...parts }));
    return items.flatMap(({ issues }) => issues.map(({ code }) => code)).filter((code) => /^(pre|ref)/.test(code));
  };
  expect(await codes([])).toEqual(["reference-dangling", "reference-dangling", "prerequisite-not-moved"]);
  expect(await codes([{ key: "guide/2", id: "77" }])).toEqual(["reference-dangling"]);
});

async function* iterate<T>(values: readonly T[]): AsyncGenerator<T> {
  yield* values;
}

test("a reference that comes in a later batch is not written in an item that the policy of this batch refuses", async () => {
  const source = await sandbox(undefined, { stepLimits: "none" });
  fill(source);
  const long = { text: `See [guide|2|oil]. ${"Turn it once more. ".repeat(80)}`, bullet: "black", level: 0 };
  source.edit.addStep(1, { orderby: 2, title: "Long", lines: [long] });
  const [target, workspace] = [await sandbox(), await temporaryFolder()];
  await extractFrom(source, workspace, { include: ["guide/1", "category/Looms"], ...alone });
  await loadInto(target, workspace, { fit: "split", assumeLimits: true });
  await extractFrom(source, workspace, { include: ["guide/2", "category/Machines", "wiki/ITEM/Shuttle"], ...alone });
  const selected = new Set(["guide/2", "category/Machines", "wiki/ITEM/Shuttle"] as const);
  const refusing = { fit: "refuse", assumeLimits: true, concurrency: 1, selected } as const;
  const planned = (await planAt(target, workspace, refusing)).requests;
  const guide = () => JSON.stringify(target.state().guides.find(({ title }) => title === "Warp"));
  const before = guide();
  expect(await loadInto(target, workspace, refusing)).toMatchObject({ failed: 0, writes: planned });
  expect(guide()).toBe(before);
  await loadInto(target, workspace, { fit: "split", assumeLimits: true });
  expect((await verifyAt(target, workspace, { fit: "split", assumeLimits: true })).differences).toEqual([]);
});

test("a load that was killed before its references were written writes them in the next one, although nothing changed", async () => {
  const source = await sandbox();
  fill(source);
  const [target, workspace] = [await sandbox(), await temporaryFolder()];
  await extractFrom(source, workspace, { include: ["guide/1"], ...alone });
  await extractFrom(source, workspace, { include: ["category/**", "wiki/**"], ...alone });
  await loadInto(target, workspace);
  await extractFrom(source, workspace, { include: ["guide/2"], ...alone });
  const killed = new AbortController();
  target.faults.decide(({ method, path }) => {
    // The first write of the guide that was there before.
    if (method === "PATCH" && /\/guides\/\d+$/.test(path)) killed.abort();
    return undefined;
  });
  await expect(loadInto(target, workspace, { kill: killed.signal })).rejects.toThrow();
  target.faults.clear();
  await loadInto(target, workspace, { selected: new Set(["guide/2"]) });
  expect(target.namedState()).toEqual(await inOneRun(source));
});

test("the page of a part comes along with its guide and is made before it", async () => {
  const source = await sandbox();
  fill(source);
  const [target, workspace] = [await sandbox(), await temporaryFolder()];
  await extractFrom(source, workspace, { include: ["guide/1"] });
  expect(await loadInto(target, workspace)).toMatchObject({ adopted: 0 });
  const [page] = target.state().wikis.filter(({ namespace }) => namespace === "ITEM");
  expect(page).toMatchObject({ title: "Shuttle", contents: "It carries the weft." });
});

test("a page that the target made beside a guide of ours is filled; somebody's stays as it is, also an empty one", async () => {
  const source = await sandbox();
  fill(source);
  source.edit.createWiki({ namespace: "ITEM", title: "Reed", contents: "It beats the weft." });
  source.edit.createWiki({ namespace: "ITEM", title: "Comb", contents: "It combs." });
  source.edit.guide(1, { parts: [{ name: "Shuttle" }, { name: "Comb" }], tools: [{ name: "Reed" }] });
  const [target, workspace] = [await sandbox(), await temporaryFolder()];
  // Somebody's own, with a text; and somebody's own without one.
  target.edit.createWiki({ namespace: "ITEM", title: "Comb", contents: "Ours, thank you." });
  await extractFrom(source, workspace, { include: ["guide/*", "category/**"], ...alone });
  await loadInto(target, workspace);
  target.edit.createWiki({ namespace: "ITEM", title: "Bobbin", contents: "" });
  source.edit.createWiki({ namespace: "ITEM", title: "Bobbin", contents: "It holds the yarn." });
  const pages = () =>
    Object.fromEntries(
      target
        .state()
        .wikis.flatMap(({ namespace, title, contents }) => (namespace === "ITEM" ? [[title, contents]] : [])),
    );
  expect(pages()).toEqual({ Shuttle: "", Reed: "", Comb: "Ours, thank you.", Bobbin: "" });
  await extractFrom(source, workspace);
  const { items } = await planAt(target, workspace);
  const { adopted } = await loadInto(target, workspace);
  expect(pages()).toEqual({
    Shuttle: "It carries the weft.",
    Reed: "It beats the weft.",
    Comb: "Ours, thank you.",
    Bobbin: "",
  });
  expect(adopted).toBe(2);
  expect(items.filter(({ action }) => action === "adopt").map(({ key }) => key)).toHaveLength(2);
  expect((await verifyAt(target, workspace)).differences).toEqual([]);
});
