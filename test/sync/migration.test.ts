import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { type Sandbox, type SandboxOptions, startSandbox } from "../../src/sandbox/index.js";
import { crashSite, kindOf, PART } from "../helpers/crash-site.js";
import { extractFrom, loadInto, verifyAt } from "../helpers/migration.js";
import { stepBody, twoGuides } from "../helpers/small-sites.js";
import { removeFolder, temporaryFolder } from "../helpers/temporary-folder.js";

async function site(options: SandboxOptions = {}): Promise<Sandbox> {
  const sandbox = await startSandbox(options);
  onTestFinished(() => sandbox.close());
  return sandbox;
}

const writesOf = (sandbox: Sandbox): number => sandbox.recorded.filter(({ method }) => method !== "GET").length;

const part = crashSite(PART);
/**
 * Of the probe of limits, which one long line of the whole site needs; `step-limits.test.ts` kills
 * that.
 */
const PROBE = ["DELETE /guides/N", "DELETE /wikis/CATEGORY/T", "GET /guides/N", "GET /wikis/CATEGORY/T"];

/** Moved once; each test takes the two sites as the one before it left them. */
describe("the sample site", () => {
  let source: Sandbox;
  let target: Sandbox;
  let workspace: string;
  let loaded: Awaited<ReturnType<typeof loadInto>>;
  /** The requests of the first load. */
  let sent: Sandbox["recorded"];

  beforeAll(async () => {
    [source, target] = [await startSandbox({ site: "samples/site" }), await startSandbox()];
    workspace = await mkdtemp(join(tmpdir(), "guideferry-migration-"));
    await extractFrom(source, workspace);
    loaded = await loadInto(target, workspace);
    sent = [...target.recorded];
  });

  afterAll(() => Promise.all([source.close(), target.close(), removeFolder(workspace)]));

  test("arrives whole: verify finds no difference that the ledger does not name, and the same load again makes no write", async () => {
    expect(loaded).toMatchObject({ failed: 0, heldBack: [] });
    const { summary, differences } = await verifyAt(target, workspace);
    expect(differences).toEqual([]);
    expect(summary.items).toBe(loaded.items);
    expect(target.state().guides).toHaveLength(20);
    const before = writesOf(target);
    expect((await loadInto(target, workspace)).writes).toBe(0);
    expect(writesOf(target)).toBe(before);
  });

  test("sends no kind of request that the part of it which the crash tests kill does not send", () => {
    const kinds = new Set(sent.map(kindOf));
    const left = [...kinds].filter((kind) => !part.undisturbed().kinds.has(kind));
    expect(left.toSorted()).toEqual(PROBE);
    expect(part.undisturbed().requests).toBeLessThan(sent.length / 2);
  });

  test("a change at the source sends only what it touches, and a second extract asks for the changed guide only", async () => {
    const [requests, writes] = [source.recorded.length, writesOf(target)];
    source.edit.guide(3, { summary: "A changed summary." });
    await extractFrom(source, workspace);
    const asked = source.recorded.slice(requests).map(({ path }) => path);
    expect(asked.filter((path) => /^\/guides\/\d+$/.test(path))).toEqual(["/guides/3"]);
    await loadInto(target, workspace);
    const sent = target.recorded.filter(({ method }) => method !== "GET").slice(writes);
    expect(sent.map(({ method, path }) => `${method} ${path.replace(/\d+/, "N")}`)).toEqual(["PATCH /guides/N"]);
  });

  test("a guide that somebody edits at the target is left alone and listed, and everything else goes on", async () => {
    const title = String(source.state().guides.find(({ guideid }) => guideid === 3)?.["title"]);
    const id = Number(target.state().guides.find((guide) => guide["title"] === title)?.["guideid"]);
    target.edit.guide(id, { summary: "The editor's." });
    source.edit.guide(3, { summary: "The source's." });
    source.edit.guide(4, { summary: "Another change." });
    await extractFrom(source, workspace);
    expect(await loadInto(target, workspace)).toMatchObject({ failed: 0 });
    const summaries = target.state().guides.map((guide) => guide["summary"]);
    expect(summaries).toContain("The editor's.");
    expect(summaries).toContain("Another change.");
    expect(summaries).not.toContain("The source's.");
    expect((await verifyAt(target, workspace)).differences).toEqual([]);
    await loadInto(target, workspace, { onConflict: "update" });
    expect(target.state().guides.map((guide) => guide["summary"])).toContain("The source's.");
  });

  test("verify finds what was changed at the target behind our back, and where", async () => {
    const stepsOf = (guide?: Readonly<Record<string, unknown>>) => (guide?.["steps"] ?? []) as { stepid: number }[];
    const guide = target.state().guides.find((one) => stepsOf(one).length > 0);
    const id = Number(guide?.["guideid"]);
    const [first] = stepsOf(guide);
    target.edit.guide(id, { summary: "Vandalised." });
    target.edit.step(id, first?.stepid ?? 0, { lines: [{ text: "Vandalised.", bullet: "black", level: 0 }] });
    const { differences } = await verifyAt(target, workspace);
    expect(differences.map(({ path }) => path)).toEqual(expect.arrayContaining(["summary", "steps[0].lines[0].text"]));
    expect(differences.every(({ at }) => at === String(id))).toBe(true);
  });

  test("verify finds a guide that was deleted at the target", async () => {
    const [guide] = target.state().guides;
    target.edit.deleteGuide(Number(guide?.["guideid"]));
    const { differences } = await verifyAt(target, workspace);
    expect(differences).toContainEqual(expect.objectContaining({ path: "", actual: "no longer exists there" }));
  });

  test("an emptied target stops the run before any write", async () => {
    target.edit.clear();
    const before = writesOf(target);
    await expect(loadInto(target, workspace)).rejects.toThrow(/emptied/);
    expect(writesOf(target)).toBe(before);
  });
});

test("--fit refuse sends nothing of an item that the site would refuse, and the rest arrives", async () => {
  const pair = await twoGuides({ source: { stepLimits: "none" } });
  pair.source.edit.addStep(1, stepBody(3, "Turn it once more. ".repeat(500)));
  const refusing = { fit: "refuse", assumeLimits: true } as const;
  expect(await pair.run(refusing)).toMatchObject({ failed: 0, refused: 1 });
  expect(pair.target.state().guides.map(({ title }) => title)).toEqual(["Weft"]);
  expect((await pair.verify(refusing)).differences).toEqual([]);
});

test("of a page that was there before nothing is written or lost: the attempt to make it is all that is sent", async () => {
  const [source, target, workspace] = [await site(), await site(), await temporaryFolder()];
  for (const each of [source, target]) each.edit.createWiki({ namespace: "WIKI", title: "Sheds", contents: "Some." });
  await extractFrom(source, workspace);
  expect(await loadInto(target, workspace)).toMatchObject({ adopted: 1, writes: 1, failed: 0 });
});
