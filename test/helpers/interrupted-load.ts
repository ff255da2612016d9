import { onTestFinished } from "vitest";
import { type Fault, type Sandbox, startSandbox } from "../../src/sandbox/index.js";
import { extractFrom, loadInto, type MigrationOptions } from "./migration.js";
import { stepBody } from "./small-sites.js";
import { temporaryFolder } from "./temporary-folder.js";

/** Guides of the source by their numbers. */
const TITLES = ["Warp", "Weft", "Heddle", "Selvage", "Bobbin"];
/** What the last load makes; it is killed when the site has done that and has not answered. */
const LAST = "Shuttle";

/** Two sites and a workspace with loads that met all that a ledger can hold. */
export interface InterruptedLoad {
  readonly source: Sandbox;
  readonly target: Sandbox;
  readonly workspace: string;
}

/**
 * Three loads into a site on which others work too. At the end:
 *
 * - a page that was there before is adopted;
 * - Warp was merged with what somebody wrote at the target, which stays;
 * - Weft was edited on both sides, and the edit of the source was skipped;
 * - a step of Heddle failed in each load, and the guide is private for that reason;
 * - Selvage went at the source, was deleted at the target, and is back at the source;
 * - Bobbin was deleted at the target by somebody and was made again;
 * - with `isKilled`, the third load was killed while Shuttle was created.
 */
export async function interruptedLoad(isKilled: boolean): Promise<InterruptedLoad> {
  const [source, target] = [await startSandbox(), await startSandbox()];
  onTestFinished(() => source.close());
  onTestFinished(() => target.close());
  const workspace = await temporaryFolder();
  fill(source);
  target.edit.createWiki({ namespace: "WIKI", title: "Sheds", contents: "Somebody wrote this before." });
  const run = async (options: MigrationOptions = {}): Promise<void> => {
    await extractFrom(source, workspace, { concurrency: 1 });
    refuseStep(target);
    await loadInto(target, workspace, { concurrency: 1, maxDeletions: { share: 1 }, ...options });
    target.faults.clear();
  };
  await run();

  edit(target, "Warp", { summary: "Somebody's summary." });
  source.edit.guide(1, { introduction: "Wind it evenly, twice." });
  source.edit.deleteGuide(4);
  await run({ onConflict: "merge", deleteRemoved: true });

  source.edit.restoreGuide(4);
  source.edit.guide(2, { introduction: "The source's weft." });
  edit(target, "Weft", { introduction: "Somebody's weft." });
  target.edit.deleteGuide(idAt(target, "Bobbin"));
  addGuide(source, LAST);
  if (!isKilled) {
    await run({ deleteRemoved: true });
    return { source, target, workspace };
  }
  const kill = new AbortController();
  await extractFrom(source, workspace, { concurrency: 1 });
  refuseStep(target, { kind: "stall", applied: true, reached: () => kill.abort(new Error("killed by the test")) });
  await loadInto(target, workspace, { concurrency: 1, deleteRemoved: true, kill: kill.signal }).catch(
    (error: unknown) => {
      if (!kill.signal.aborted) throw error;
    },
  );
  if (!kill.signal.aborted) throw new Error(`The load came to its end before it made ${LAST}.`);
  target.faults.clear();
  return { source, target, workspace };
}

function fill(source: Sandbox): void {
  source.edit.createWiki({
    namespace: "CATEGORY",
    title: "Looms",
    contents: "On looms. [guide|4|How edges stay straight].",
  });
  source.edit.createWiki({ namespace: "WIKI", title: "Sheds", contents: "On sheds." });
  for (const title of TITLES) addGuide(source, title);
  source.edit.setGuideTags(1, ["wool"]);
}

function addGuide(source: Sandbox, title: string): void {
  const introduction = `On the ${title.toLowerCase()}; begin with [guide|1|the warp].`;
  const id = source.edit.createGuide({ category: "Looms", type: "how-to", subject: title, title, introduction });
  for (const [index, text] of ["First", "Second"].entries())
    source.edit.addStep(id, stepBody(index + 1, `${text}: ${title}.`));
  source.edit.setPublic(id, true);
}

/** Somebody else's edit at the target. */
function edit(target: Sandbox, title: string, fields: Readonly<Record<string, unknown>>): void {
  target.edit.guide(idAt(target, title), fields);
}

function idAt(target: Sandbox, title: string): number {
  return Number(target.state().guides.find((guide) => guide["title"] === title)?.["guideid"]);
}

/**
 * The target refuses the steps of Heddle. `last`: what the third creation of a guide meets, after
 * those of Selvage and Bobbin.
 */
function refuseStep(target: Sandbox, last?: Fault): void {
  let made = 0;
  target.faults.decide(({ method, path, isApi }) => {
    if (!isApi || method !== "POST") return undefined;
    if (path === `/guides/${idAt(target, "Heddle")}/steps`) return { kind: "status", status: 422 };
    if (path !== "/guides") return undefined;
    made += 1;
    return made === 3 ? last : undefined;
  });
}
