import { expect, onTestFinished, test } from "vitest";
import type { Issue } from "../../src/core/model/issue.js";
import { type Sandbox, type SandboxOptions, startSandbox } from "../../src/sandbox/index.js";
import { extractFrom, issuesOf, loadInto, type MigrationOptions, planAt } from "../helpers/migration.js";
import { pngOf } from "../helpers/png.js";
import { post, stepBody, twoGuides, upload } from "../helpers/small-sites.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";
import { keepGuides } from "./extract-site.js";

/**
 * Items that are at work side by side may see each other's ids earlier or later than a plan can
 * know.
 */
// What a probe sends no plan counts.
const ONE_AT_A_TIME = { concurrency: 1, assumeLimits: true } as const;

async function site(options: SandboxOptions = {}): Promise<Sandbox> {
  const sandbox = await startSandbox(options);
  onTestFinished(() => sandbox.close());
  return sandbox;
}

/** What a plan says, what the load then sends, and what the load says that it sent. */
async function planAndLoad(
  target: Sandbox,
  workspace: string,
  options: MigrationOptions = ONE_AT_A_TIME,
): Promise<{
  readonly planned: number;
  readonly sent: number;
  readonly told: number;
  readonly issues: readonly Issue[];
}> {
  const sentBefore = writesOf(target);
  const plan = await planAt(target, workspace, options);
  expect(writesOf(target)).toBe(sentBefore);
  const { writes } = await loadInto(target, workspace, options);
  const issues = plan.items.flatMap((item) => item.issues);
  return { planned: plan.requests, sent: writesOf(target) - sentBefore, told: writes, issues };
}

const writesOf = (sandbox: Sandbox): number => sandbox.recorded.filter(({ method }) => method !== "GET").length;

test("a plan of the sample site names the writes and the losses of the load that follows, each as often", async () => {
  const [source, target, workspace] = [await site({ site: "samples/site" }), await site(), await temporaryFolder()];
  await extractFrom(source, workspace);
  const { planned, sent, told, issues } = await planAndLoad(target, workspace);
  expect(sent).toBeGreaterThan(250);
  expect({ planned, told }).toEqual({ planned: sent, told: sent });
  expect(countsOf(issues)).toEqual(countsOf(await issuesOf({ target, workspace })));
  expect(countsOf(issues)["reference-dangling"]).toBeGreaterThan(5);
  expect(await planAndLoad(target, workspace)).toMatchObject({ planned: 0, sent: 0, told: 0 });
});

function countsOf(issues: readonly Issue[]): Readonly<Record<string, number>> {
  const codes = issues.map(({ code }) => code).toSorted();
  return Object.fromEntries(codes.map((code) => [code, codes.filter((other) => other === code).length]));
}

test("so does one of the sample site for an ifixit site, where uploads of files turn out to be none at the first of three", async () => {
  const [source, target] = [await site({ site: "samples/site" }), await site({ dialect: "ifixit" })];
  // All that have a document.
  keepGuides(source, [1, 2, 7, 9, 12, 22]);
  for (const { namespace, title } of source.state().wikis)
    if (namespace === "INFO" || namespace === "TEAM") source.edit.deleteWiki(namespace, String(title));
  target.edit.createWiki({ namespace: "CATEGORY", title: "Theirs", contents: "." });
  target.edit.createGuide({ category: "Theirs", type: "how-to", subject: "s", title: "Theirs", public: true });
  const workspace = await temporaryFolder();
  await extractFrom(source, workspace);
  const { planned, sent, told } = await planAndLoad(target, workspace);
  expect({ planned, told }).toEqual({ planned: sent + 2, told: sent });
});

test("a plan after changes at the source names what the load sends: new steps, their order, tags, pictures and references", async () => {
  const pair = await twoGuides();
  await pair.run();
  const picture = await upload(pair.source, "images", "shed.png", pngOf(800, 600));
  await post(pair.source, "guides/1/steps", { ...stepBody(1, "See."), media: { type: "image", data: [picture] } });
  pair.source.edit.setGuideTags(1, ["wool"]);
  pair.source.edit.setPublic(2, false);
  const third = pair.source.edit.createGuide({ category: "Looms", type: "how-to", subject: "3", title: "Third" });
  pair.source.edit.guide(2, { introduction: `See [guide|${third}|the third].`, prerequisites: [third] });
  await extractFrom(pair.source, pair.workspace);
  const { planned, sent } = await planAndLoad(pair.target, pair.workspace);
  expect(sent).toBeGreaterThan(6);
  expect(planned).toBe(sent);
});

test.each(["adopt", "update"] as const)(
  "a plan counts the attempt to make a page that is there, with %s",
  async (onExisting) => {
    const pair = await twoGuides();
    pair.target.edit.createWiki({ namespace: "WIKI", title: "Sheds", contents: "Theirs." });
    pair.source.edit.guide(1, { introduction: "See [[Sheds]]." });
    await extractFrom(pair.source, pair.workspace);
    const options = { ...ONE_AT_A_TIME, onExisting };
    const { planned, sent } = await planAndLoad(pair.target, pair.workspace, options);
    expect(planned).toBe(sent);
  },
);
