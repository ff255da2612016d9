import type { Issue } from "../../core/model/issue.js";
import { type Key, languageIn } from "../../core/model/key.js";
import { halt } from "../control.js";
import type { Checked } from "./check.js";
import type { ItemPlanner } from "./item-planner.js";
import type { LoadJob } from "./load-state.js";
import { decide, loadedWithout } from "./translation-decision.js";
import { guideOfTranslation, isTranslation } from "./translation-key.js";

/**
 * The translations of guides that are to be loaded now, after the guides themselves. Where the
 * target takes none, or nobody knows, each is told as a loss, and there are none.
 */
export async function toTranslate(
  job: Pick<LoadJob, "workspace" | "ledger" | "target" | "options" | "control">,
  { map: { translations } }: Pick<Checked, "map">,
  planner: ItemPlanner,
): Promise<readonly Key[]> {
  await tellGone(job);
  if (translations.length === 0) return [];
  const decision = await decide(job, translations);
  job.target.translations.decide(decision.isTaken === true);
  const keys: Key[] = [];
  for (const [place, key] of translations.entries()) {
    halt(job.control);
    const probe = place === 0 && decision.left !== null ? [probeLeft(key, decision.left)] : [];
    const issues = decision.isTaken === true ? await refusedIn(job, planner, key) : [loadedWithout(key, decision)];
    await job.ledger.report(key, [...issues, ...probe]);
    if (issues.length === 0 && (await isOurs(job, key))) keys.push(key);
  }
  return keys;
}

/** A guide that was there before us and stays as it is keeps its translations too. */
async function isOurs({ ledger }: Pick<LoadJob, "ledger">, key: Key): Promise<boolean> {
  return (await ledger.written(guideOfTranslation(key)))?.adopted === false;
}

/** Why the site would refuse it, with all that was found on it. */
async function refusedIn(
  { workspace }: Pick<LoadJob, "workspace">,
  planner: ItemPlanner,
  key: Key,
): Promise<readonly Issue[]> {
  const item = await workspace.items.get(key);
  if (item === undefined) return [];
  const takenInBy = planner.optionFor(item);
  return planner
    .prepare(item)
    .flatMap(({ issues, refused }) =>
      refused.length > 0 ? [...issues, ...refused.map((each) => ({ ...each, takenInBy }))] : [],
    );
}

/** One that is gone at the source stays: no call deletes it without its guide. */
async function tellGone({
  workspace,
  ledger,
  options,
  target,
}: Pick<LoadJob, "workspace" | "ledger" | "target" | "options">): Promise<void> {
  if (options.selected !== undefined || options.keys !== undefined) return;
  for (const { key, state } of workspace.items.entries("guide")) {
    if (state !== "gone" || !isTranslation(key)) continue;
    const { operations } = await ledger.loaded(key);
    if (operations.get(key)?.state !== "done") continue;
    const message = `Its translation into ${languageIn(key)} is gone at the source and stays at ${target.name}.`;
    const remedy = "Delete it by hand: no public call does.";
    await ledger.report(key, [{ code: "translation-gone", level: "note", key, path: "", message, remedy }]);
  }
}

function probeLeft(key: Key, left: string): Issue {
  const message = `The probe of translations left ${left}.`;
  const remedy = "Delete it at the site; the next load tries it again.";
  return { code: "probe-left", level: "loss", key, path: "", message, remedy };
}
