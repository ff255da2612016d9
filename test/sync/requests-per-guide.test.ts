import { expect, onTestFinished, test } from "vitest";
import { type Sandbox, startSandbox } from "../../src/sandbox/index.js";
import { extractFrom, loadInto } from "../helpers/migration.js";
import { stepBody } from "../helpers/small-sites.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";

const STEPS = [1, 2, 3, 5, 10, 17, 30];

test("a guide of n steps costs n + 2 requests, one more for each tag, one for flags, and one for each picture", async () => {
  const [source, target] = [await startSandbox(), await startSandbox()];
  onTestFinished(() => source.close());
  onTestFinished(() => target.close());
  source.edit.createWiki({ namespace: "CATEGORY", title: "Looms", contents: "On looms." });
  for (const steps of STEPS) addGuide(source, steps);
  const workspace = await temporaryFolder();
  await extractFrom(source, workspace);
  await loadInto(target, workspace);

  const creates = target.recorded.filter(({ method, path }) => method === "POST" && path === "/guides").length;
  expect(creates).toBe(STEPS.length);
  const each = target.state().guides.map((guide) => {
    const path = `/guides/${guide["guideid"]}`;
    const own = target.recorded.filter((request) => request.path === path || request.path.startsWith(`${path}/`));
    // The request that made it has no id yet.
    return { title: guide["title"], requests: own.length + 1 };
  });
  const expected = STEPS.map((steps) => ({
    title: `Guide of ${steps} steps`,
    requests: steps + 2 + tagsOf(steps) + (hasFlags(steps) ? 1 : 0),
  }));
  expect(each.toSorted((one, other) => one.requests - other.requests)).toEqual(
    expected.toSorted((one, other) => one.requests - other.requests),
  );
  const uploads = target.recorded.filter(({ method, path }) => method === "POST" && path.startsWith("/user/media/"));
  expect(uploads).toHaveLength(STEPS.reduce((sum, steps) => sum + picturesOf(steps), 0));
  // Whatever else was sent is for the whole site, once, however many guides there are.
  const others = target.recorded.length - uploads.length - each.reduce((sum, { requests }) => sum + requests, 0);
  expect(others).toBeLessThanOrEqual(20);

  const before = target.recorded.length;
  await extractFrom(source, workspace);
  await loadInto(target, workspace);
  const again = target.recorded.slice(before);
  expect(again.filter(({ method }) => method !== "GET")).toEqual([]);
});

/** None, one or two; no two guides come to the same number of requests. */
function tagsOf(steps: number): number {
  return steps < 10 ? 0 : steps < 20 ? 1 : 2;
}

/** Other flags than the site gives to new guides by itself. */
function hasFlags(steps: number): boolean {
  return steps === 5;
}

function picturesOf(steps: number): number {
  return Math.floor(steps / 5);
}

function addGuide(site: Sandbox, steps: number): void {
  const title = `Guide of ${steps} steps`;
  const id = site.edit.createGuide({ category: "Looms", type: "how-to", subject: title, title, difficulty: "Easy" });
  for (let step = 1; step <= steps; step += 1) {
    const image = step <= picturesOf(steps) ? site.edit.newImage(`${steps} ${step}`) : null;
    const media = image === null ? {} : { media: { type: "image", data: [image] } };
    site.edit.addStep(id, { ...stepBody(step, `Step ${step}.`), ...media });
  }
  site.edit.setGuideTags(
    id,
    Array.from({ length: tagsOf(steps) }, (_, tag) => `tag ${tag}`),
  );
  if (hasFlags(steps)) site.edit.setGuideFlags(id, ["GUIDE_USER_CONTRIBUTED"]);
  site.edit.setPublic(id, true);
}
