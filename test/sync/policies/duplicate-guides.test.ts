import { cp } from "node:fs/promises";
import { expect, onTestFinished, test } from "vitest";
import { EXIT } from "../../../src/core/errors.js";
import { type Sandbox, startSandbox } from "../../../src/sandbox/index.js";
import { extractFrom, issuesOf, loadInto, planAt } from "../../helpers/migration.js";
import { temporaryFolder } from "../../helpers/temporary-folder.js";

async function sandbox(site?: string): Promise<Sandbox> {
  const started = await startSandbox(site === undefined ? {} : { site });
  onTestFinished(() => started.close());
  return started;
}

/** Small guides, and what they need. */
const SOME_GUIDES = [5, 6, 8, 14, 15, 24].map((id) => `guide/${id}`);

const writesTo = (site: Sandbox): readonly string[] =>
  site.recorded.filter(({ method }) => method !== "GET").map(({ method, path }) => `${method} ${path}`);

/** The sample site, moved once, and a new workspace with the same content. */
async function movedOnce(include: readonly string[] = []) {
  const [source, target] = [await sandbox("samples/site"), await sandbox()];
  const [first, second] = [await temporaryFolder(), await temporaryFolder()];
  await extractFrom(source, first, { include });
  await cp(first, second, { recursive: true });
  await loadInto(target, first);
  return { source, target, first, second };
}

test("a new workspace does not double a site: load and plan end with 2, name the ways on, and write nothing", async () => {
  const { target, first, second } = await movedOnce(SOME_GUIDES);
  const refusal = {
    exitCode: EXIT.usage,
    message: expect.stringMatching(/--match title.*guideferry undo.*--allow-duplicates/s),
  };
  const before = writesTo(target).length;
  await expect(loadInto(target, second)).rejects.toMatchObject(refusal);
  await expect(planAt(target, second)).rejects.toMatchObject(refusal);
  expect(writesTo(target)).toHaveLength(before);
  // The workspace that made them goes on, and another choice of it too.
  expect((await loadInto(target, first)).writes).toBe(0);
  const guides = target.state().guides.length;
  await loadInto(target, second, { allowDuplicates: true });
  expect(target.state().guides).toHaveLength(2 * guides);
});

test("with --match title the guides are linked, and no medium goes up that no written item needs", async () => {
  const { source, target, second } = await movedOnce(SOME_GUIDES);
  const before = writesTo(target).length;
  // One that is new, with the picture of another one; and one of which nobody knows which is meant.
  const [picture] = source.state().guides.flatMap(({ image }) => (typeof image === "number" ? [image] : []));
  const category = String(source.state().guides[0]?.["category"]);
  const guide = source.edit.createGuide({ category, type: "how-to", subject: "s", title: "Quite new", image: picture });
  source.edit.addStep(guide, { orderby: 1, title: "", lines: [{ text: "Do it.", bullet: "black", level: 0 }] });
  await extractFrom(source, second, { include: [...SOME_GUIDES, `guide/${guide}`] });
  const { items } = await planAt(target, second, { match: "title" });
  const summary = await loadInto(target, second, { match: "title" });
  expect(summary.adopted).toBeGreaterThan(10);
  const uploads = writesTo(target)
    .slice(before)
    .filter((write) => write.includes("/user/media/"));
  expect(uploads).toHaveLength(picture === undefined ? 0 : 1);
  expect(items.flatMap(({ kinds }) => kinds["upload"] ?? [])).toEqual(uploads.map(() => 1));
  const codes = new Set((await issuesOf({ target, workspace: second })).map(({ code }) => code));
  expect(codes).not.toContain("media-not-there");
});

test("a few guides of equal names stop nobody, nor does a first load that was killed", async () => {
  const source = await sandbox("samples/site");
  const [target, workspace] = [await sandbox(), await temporaryFolder()];
  const named = source.state().guides.filter(({ guideid }) => [5, 6, 8].includes(Number(guideid)));
  for (const { category } of named)
    if (!target.state().wikis.some(({ title }) => title === category))
      target.edit.createWiki({ namespace: "CATEGORY", title: String(category), contents: "Theirs." });
  for (const { title, category, type } of named) {
    const guide = target.edit.createGuide({
      title: String(title),
      category: String(category),
      type: String(type),
      subject: "s",
    });
    target.edit.setPublic(guide, true);
  }
  await extractFrom(source, workspace, { include: SOME_GUIDES });
  const killed = new AbortController();
  let steps = 0;
  target.faults.decide(({ method, path }) => {
    steps += method === "POST" && path.endsWith("/steps") ? 1 : 0;
    if (steps === 8) killed.abort();
    return undefined;
  });
  await expect(loadInto(target, workspace, { kill: killed.signal })).rejects.toThrow();
  target.faults.clear();
  expect(await loadInto(target, workspace)).toMatchObject({ failed: 0 });
  const titles = target.state().guides.map(({ title }) => title);
  expect(titles.length - new Set(titles).size).toBe(3);
});

test("a first load that was killed with its first guide on the way goes on, whatever the site got of it", async () => {
  const source = await sandbox("samples/site");
  const workspace = await temporaryFolder();
  await extractFrom(source, workspace, { include: SOME_GUIDES });
  const [target] = [await sandbox()];
  const killed = new AbortController();
  let pages = 0;
  target.faults.decide(({ method, path }) => {
    pages += method === "POST" && path.endsWith("/wikis") ? 1 : 0;
    // Guides come after all pages; those that are made before are probes.
    if (pages < 10 || method !== "POST" || !path.endsWith("/guides")) return undefined;
    killed.abort();
    return { kind: "reset", applied: true };
  });
  await expect(loadInto(target, workspace, { kill: killed.signal })).rejects.toThrow();
  target.faults.clear();
  const { found, failed } = await loadInto(target, workspace);
  expect(found).toBeGreaterThan(0);
  expect(failed).toBe(0);
  const titles = target.state().guides.map(({ title }) => title);
  expect(new Set(titles).size).toBe(titles.length);
});
