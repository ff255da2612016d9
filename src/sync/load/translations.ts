import type { Issue } from "../../core/model/issue.js";
import { type Key, languageIn, originalGuide } from "../../core/model/key.js";
import { throwIfStopped } from "../control.js";
import type { Checked } from "./check.js";
import type { ItemPlanner } from "./item-planner.js";
import type { LoadJob } from "./load-job.js";
import { type Decision, NOTHING_KNOWN, type Noted, note, noted, PAGES } from "./target-facts.js";
import { isTranslation } from "./translation-key.js";

/**
 * The translations of guides that this run loads, after the guides. Where the target takes none, or
 * that is unknown, each is reported as a loss.
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
    throwIfStopped(job.control);
    const probe = place === 0 && decision.left !== null ? [leftoverIssue(key, decision.left)] : [];
    const issues = decision.isTaken === true ? await refusedIn(job, planner, key) : [loadedWithout(key, decision)];
    await job.ledger.report(key, [...issues, ...probe]);
    if (issues.length === 0 && (await isOurs(job, key))) keys.push(key);
  }
  return keys;
}

/** An adopted guide keeps its translations too. */
async function isOurs({ ledger }: Pick<LoadJob, "ledger">, key: Key): Promise<boolean> {
  return (await ledger.written(originalGuide(key)))?.adopted === false;
}

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

/** No call deletes a translation without its guide. */
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

function leftoverIssue(key: Key, left: string): Issue {
  const message = `The probe of translations left ${left}.`;
  const remedy = "Delete it at the site; the next load tries it again.";
  return { code: "probe-left", level: "loss", key, path: "", message, remedy };
}

/**
 * Asks the target once, by a probe that creates a private guide and deletes it: no document says
 * that sites take translations of guides, and a site that does not would write them over the source
 * language. The titles are noted before, so that a later load deletes what a killed one left.
 *
 * @param keys the translations that are to be loaded, at least one
 */
async function decide(
  job: Pick<LoadJob, "ledger" | "target" | "options" | "control">,
  keys: readonly Key[],
): Promise<Decision> {
  const before = await cleared(job, await noted(job.ledger));
  if (before.left !== null || before.isTaken !== null) return before;
  if (job.options.allowed !== undefined) return open("what carries out a plan makes no probe");
  const guides = await Promise.all(keys.map((key) => job.ledger.written(originalGuide(key))));
  const like = guides.find((guide) => guide !== undefined);
  if (like === undefined) return open("none of their guides is at the target");
  const { translations } = job.target;
  const titles = translations.titles();
  await note(job.ledger, { ...NOTHING_KNOWN, probing: titles });
  const languages = [...new Set(keys.flatMap((key) => languageIn(key) ?? []))];
  const { isTaken, says, left } = await translations.probe({ titles, like: like.id, languages }, job.control);
  await note(job.ledger, { isTaken, says, probing: left === null ? null : titles });
  throwIfStopped(job.control);
  return { isTaken, says, left };
}

async function cleared(
  job: Pick<LoadJob, "ledger" | "target" | "control">,
  { probing, ...known }: Noted,
): Promise<Decision> {
  if (probing === null) return { ...known, left: null };
  const left = await job.target.translations.clear(probing, job.control.abort);
  if (left === null) await note(job.ledger, { ...known, probing: null });
  return { ...known, left };
}

function open(says: string): Decision {
  return { isTaken: null, says, left: null };
}

/**
 * Finds out whether the target takes translations of pages, before the first is sent: a site that
 * ignores `langid` answers 200 and writes the translation over the page. One probe page a target,
 * deleted at once; its title is noted before, so that the next load deletes what a killed one left.
 * A load by a plan makes no probe: it checks each answer.
 *
 * @param translated pages with translations that are to be loaded, with their languages
 */
export async function decidePages(
  job: Pick<LoadJob, "ledger" | "target" | "options" | "control" | "notes">,
  translated: ReadonlyMap<Key, readonly string[]>,
): Promise<void> {
  const [first] = translated.keys();
  if (first === undefined) return;
  const before = await noted(job.ledger, PAGES);
  const trial = job.target.pageTranslations;
  if (before.probing !== null) {
    const left = await trial.clear(before.probing, job.control.abort);
    if (left !== null) return reportLeftover(job, first, left);
    await note(job.ledger, { ...before, probing: null }, PAGES);
  }
  if (before.isTaken !== null || job.options.allowed !== undefined) return;
  const titles = trial.titles();
  await note(job.ledger, { ...NOTHING_KNOWN, probing: titles }, PAGES);
  const languages = [...new Set([...translated.values()].flat())];
  const { isTaken, says, left } = await trial.probe({ titles, languages }, job.control);
  const now: Noted = { isTaken, says, probing: left === null ? null : titles };
  await note(job.ledger, now, PAGES);
  trial.decide(isTaken);
  if (left !== null) reportLeftover(job, first, left);
  throwIfStopped(job.control);
}

function reportLeftover({ notes }: Pick<LoadJob, "notes">, key: Key, left: string): void {
  const issue: Issue = {
    code: "probe-left",
    level: "loss",
    key,
    path: "",
    message: `The probe of translations left the ${left}.`,
    remedy: "Delete it at the site; the next load tries it again.",
  };
  notes.add(issue);
}

type Known = Pick<Decision, "isTaken" | "says">;

/** Of a translation that the load left out. */
function loadedWithout(key: Key, { isTaken, says }: Known): Issue {
  if (isTaken === false) return refused(key, says);
  const message = `Its translation into ${languageIn(key)} is not carried: whether this site takes translations of guides could not be found out (${says}).`;
  const remedy = "Run again: it is asked again then.";
  return { code: "guide-translation", level: "loss", key, path: "", message, remedy, takenInBy: "" };
}

/** Before a load, which asks where it is unknown. */
export function notTaken(key: Key, { isTaken, says }: Known): Issue {
  if (isTaken === false) return refused(key, says);
  const message = `Whether this site takes its translation into ${languageIn(key)} a probe decides when loading: it makes one private guide and deletes it.`;
  return { code: UNDECIDED, level: "note", key, path: "", message };
}

/** Code of a translation that a probe decides on. */
export const UNDECIDED = "translation-undecided";

function refused(key: Key, says: string): Issue {
  const message = `Its translation into ${languageIn(key)} is not carried: a probe found that ${says}.`;
  const remedy = "It is whole in the workspace; make it by hand where it matters.";
  return { code: "guide-translation", level: "loss", key, path: "", message, remedy };
}
