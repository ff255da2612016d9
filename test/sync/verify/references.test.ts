import { expect, onTestFinished, test } from "vitest";
import { type Sandbox, startSandbox } from "../../../src/sandbox/index.js";
import { extractFrom, loadInto, verifyAt } from "../../helpers/migration.js";
import { pngOf } from "../../helpers/png.js";
import { post, stepBody, upload } from "../../helpers/small-sites.js";
import { temporaryFolder } from "../../helpers/temporary-folder.js";

interface Linked {
  readonly source: Sandbox;
  readonly target: Sandbox;
  readonly workspace: string;
  /** Loads what the source has now. */
  run(): Promise<void>;
  /** What verify finds, and the requests that it sent for it. */
  verify(): Promise<{
    readonly paths: readonly string[];
    readonly asked: readonly string[];
    readonly followed: number;
    readonly unfollowed: number;
  }>;
}

/** Two guides and a page that refer to each other, and a target with two things of its own. */
async function linked(): Promise<Linked> {
  // Elsewhere a guide is asked for what kind of site it is.
  const [source, target] = [await startSandbox(), await startSandbox({ dialect: "dozuki" })];
  onTestFinished(() => source.close());
  onTestFinished(() => target.close());
  target.edit.createWiki({ namespace: "CATEGORY", title: "Others", contents: "Before us." });
  target.edit.createWiki({ namespace: "WIKI", title: "House Rules", contents: "Before us." });
  const theirs = target.edit.createGuide({ category: "Others", type: "how-to", subject: "x", title: "Theirs" });
  target.edit.setPublic(theirs, true);
  source.edit.createWiki({ namespace: "CATEGORY", title: "Looms", contents: "On looms." });
  const image = await upload(source, "images", "shed.png", pngOf(800, 600));
  const document = await upload(source, "uploads", "manual.pdf", Buffer.from("%PDF-1.4 invented"));
  for (const title of ["First", "Second"])
    await post(source, "guides", {
      category: "Looms",
      type: "how-to",
      subject: title,
      title,
      public: true,
      image,
      documents: [document],
    });
  source.edit.guide(2, {
    prerequisites: [1],
    introduction: `[guide|1|first] [image|${image}] [document|${document}|a.pdf] [[Category:Looms]]`,
  });
  await post(source, "guides/1/steps", { ...stepBody(1, "Mind [guide|2]."), media: { type: "image", data: [image] } });
  const workspace = await temporaryFolder();
  const run = async (): Promise<void> => {
    await extractFrom(source, workspace);
    await loadInto(target, workspace);
  };
  await run();
  const verify: Linked["verify"] = async () => {
    const before = target.recorded.length;
    const { differences, summary } = await verifyAt(target, workspace);
    const asked = target.recorded.slice(before).map(({ path }) => path);
    const paths = differences.map(({ key, path }) => `${key} ${path}`).sort();
    return { paths, asked, followed: summary.references, unfollowed: summary.unfollowed };
  };
  return { source, target, workspace, run, verify };
}

test("what the ledger knows costs no request", async () => {
  const { verify, target } = await linked();
  const { paths, asked, followed, unfollowed } = await verify();
  expect([paths, unfollowed]).toEqual([[], 0]);
  // Each goal once an item: category, image, document and the other guide; the second one has a
  // picture with an id of its own.
  expect(followed).toBe(9);
  const media = asked.filter((path) => path.includes("/media/"));
  const guides = asked.filter((path) => /\/guides\/\d+$/.test(path));
  expect([media, guides.length, new Set(guides).size]).toEqual([[], 2, 2]);
  expect(target.state().guides).toHaveLength(3);
});

test("links to things of the target are asked for once, whoever has them; what is not there is a difference of its field", async () => {
  const { source, target, run, verify } = await linked();
  const there = `${target.origin}/Guide/Theirs/1 and ${target.origin}/Wiki/House_Rules`;
  source.edit.guide(1, { introduction: there, conclusion: there });
  source.edit.guide(2, { introduction: there, conclusion: `${there} and ${target.origin}/Search` });
  await run();
  const found = await verify();
  expect(found.paths).toEqual([]);
  expect(found.unfollowed).toBe(1);
  expect(found.asked.filter((path) => path.endsWith("/guides/1") || path.endsWith("House%20Rules"))).toHaveLength(2);
  source.edit.guide(1, {
    introduction: `[${target.origin}/Guide/Nothing/999|nothing]`,
    conclusion: `${target.origin}/c/Nothing`,
  });
  await run();
  expect((await verify()).paths).toEqual(["guide/1 conclusion.reference", "guide/1 introduction.reference"]);
});

test("a page that the target lost, and that a text leads to, is a difference of each text", async () => {
  const { source, target, run, verify } = await linked();
  source.edit.addStep(2, stepBody(1, `${target.origin}/Guide/Theirs/1`));
  source.edit.guide(1, { conclusion: `${target.origin}/Guide/Theirs/1` });
  await run();
  expect((await verify()).paths).toEqual([]);
  target.edit.deleteGuide(1);
  expect((await verify()).paths).toEqual(["guide/1 conclusion.reference", "guide/2 steps[0].lines[0].text.reference"]);
});

test("a link to the old site whose goal does not move is a named loss and no difference", async () => {
  const { source, run, verify } = await linked();
  source.edit.guide(1, {
    conclusion: `[guide|777|gone] ${source.origin}/Answers/5 https://elsewhere.example/Guide/x/1`,
  });
  await run();
  expect((await verify()).paths).toEqual([]);
});
