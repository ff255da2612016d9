import { expect, onTestFinished, test } from "vitest";
import { type Sandbox, startSandbox } from "../../../src/sandbox/index.js";
import { openWorkspace } from "../../../src/storage/workspace/workspace.js";
import { extractFrom, loadInto, type MigrationOptions, verifyAt } from "../../helpers/migration.js";
import { temporaryFolder } from "../../helpers/temporary-folder.js";
import { shownAt } from "../../helpers/two-editors.js";
import { undoAt } from "../../helpers/undo.js";
import { REAL_SITE } from "../extract-site.js";

const POLICIES = ["skip", "merge", "fail", "update"] as const;
/** Guides of which only the source, only the target, and both change. */
const [OURS, THEIRS, BOTH] = [0, 1, 2];

test("the 64 real guides are migrated to a dozuki and an ifixit site, edited at both sides, migrated again with each policy, and each run is undone", {
  tags: ["shared"],
}, async () => {
  const source = await start({ site: REAL_SITE, dialect: "dozuki", mediaOrigin: "other-port" });
  const target = await start({});
  const workspace = await temporaryFolder();
  await extractFrom(source, workspace);
  await expectNoIssues(workspace);
  // Each medium once, and the token to the API only.
  const media = source.recorded.filter(({ isApi }) => !isApi);
  expect(new Set(media.map(({ path }) => path)).size).toBe(media.length);
  expect(media.filter(({ authorization }) => authorization !== "none")).toEqual([]);
  await expectWhole(target, workspace);
  expect(contentsOf(target)).toEqual(contentsOf(source));
  expect((await loadInto(target, workspace)).writes).toBe(0);
  // The loss ledger names what that dialect has no call for.
  await expectWhole(await start({ dialect: "ifixit" }), workspace);
  const ids = source.state().guides.map(({ guideid }) => Number(guideid));
  const titles = source.state().guides.map(({ title }) => String(title));
  const at = (place: number): Record<string, unknown> =>
    guideAt(target, titles[place] ?? "") as Record<string, unknown>;
  source.edit.guide(ids[OURS] ?? 0, { introduction: "Ours alone." });
  source.edit.guide(ids[BOTH] ?? 0, { introduction: "Ours of both.", subject: "ours" });
  target.edit.guide(Number(at(THEIRS)["guideid"]), { introduction: "Theirs alone." });
  target.edit.guide(Number(at(BOTH)["guideid"]), { introduction: "Theirs of both." });
  const before = shownAt(target);
  await extractFrom(source, workspace);

  for (const onConflict of POLICIES) {
    const options: MigrationOptions = { onConflict };
    const loaded = await loadInto(target, workspace, options);
    expect([onConflict, loaded.failed]).toEqual([onConflict, onConflict === "fail" ? 1 : 0]);
    expect([onConflict, at(OURS)["introduction"]]).toEqual([onConflict, "Ours alone."]);
    expect([onConflict, at(THEIRS)["introduction"]]).toEqual([onConflict, "Theirs alone."]);
    const both = onConflict === "update" ? "Ours of both." : "Theirs of both.";
    expect([onConflict, at(BOTH)["introduction"]]).toEqual([onConflict, both]);
    expect([onConflict, at(BOTH)["subject"] === "ours"]).toEqual([
      onConflict,
      onConflict === "merge" || onConflict === "update",
    ]);
    const { refusals, summary } = await undoAt(target, workspace);
    expect([onConflict, refusals, summary.failed]).toEqual([onConflict, [], 0]);
    expect(shownAt(target)).toEqual(before);
  }

  await loadInto(target, workspace, { onConflict: "merge" });
  const { differences } = await verifyAt(target, workspace, { onConflict: "merge" });
  // Of what only the target changed nothing was written since, so that no run has met it.
  expect(differences.map(({ at: id, path }) => [id, path.replace(".rendered", "")])).toEqual(
    differences.map(() => [String(at(THEIRS)["guideid"]), "introduction"]),
  );
});

async function expectNoIssues(directory: string): Promise<void> {
  const workspace = await openWorkspace(directory, { create: false, command: "test" });
  for (const { key } of workspace.items.entries())
    expect([key, (await workspace.items.get(key))?.issues]).toEqual([key, []]);
  await workspace.close();
}

/** Loads the 64 guides; verify finds no difference that the ledger does not name. */
async function expectWhole(target: Sandbox, workspace: string): Promise<void> {
  expect(await loadInto(target, workspace)).toMatchObject({ failed: 0, refused: 0, heldBack: [] });
  expect(target.state().guides).toHaveLength(64);
  expect((await verifyAt(target, workspace)).differences).toEqual([]);
}

/** The sha256 of everything that the guides show. */
function contentsOf(sandbox: Sandbox): readonly string[] {
  return [...new Set(JSON.stringify(sandbox.state().guides).match(/"[0-9a-f]{64}"/g))].sort();
}

async function start(options: Parameters<typeof startSandbox>[0]): Promise<Sandbox> {
  const sandbox = await startSandbox(options);
  onTestFinished(() => sandbox.close());
  return sandbox;
}

function guideAt(sandbox: Sandbox, title: string): unknown {
  return sandbox.state().guides.find((guide) => guide["title"] === title);
}
