import type { Issue } from "../../core/model/issue.js";
import { type Key, languageIn, originalGuide } from "../../core/model/key.js";
import { throwIfStopped } from "../control.js";
import type { Checked } from "./check.js";
import type { ItemPlanner } from "./item-planner.js";
import type { LoadJob } from "./load-job.js";
import { type Decision, NOTHING_KNOWN, type Noted, note, noted, PAGES } from "./target-facts.js";
import { isTranslation } from "./translation-key.js";

/** The translations to load. Where the target takes none, each is reported as a loss. */
export async function toTranslate(
  job: Pick<LoadJob, "workspace" | "ledger" | "target" | "options" | "control">,
  { map: { translations } }: Pick<Checked, "map">,
  planner: ItemPlanner,
): Promise<readonly Key[]> {
  await reportDeleted(job);
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

async function reportDeleted({
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
    const message = `Its translation into ${languageIn(key)} was deleted at the source and still exists at ${target.name}.`;
    const remedy = "Delete it by hand: the service has no public call for it.";
    await ledger.report(key, [{ code: "translation-gone", level: "note", key, path: "", message, remedy }]);
  }
}

const LEFTOVER_REMEDY = "Delete it on the site, or run the load again, which tries to delete it.";

function leftoverIssue(key: Key, left: string): Issue {
  const message = `The probe of translations could not delete ${left}.`;
  const remedy = LEFTOVER_REMEDY;
  return { code: "probe-left", level: "loss", key, path: "", message, remedy };
}

/**
 * Finds out once whether the target takes translations of guides. The probe creates a private guide
 * and deletes it. No document says that sites take them, and a site that does not would overwrite
 * the source language. The titles are recorded first, so that a later load deletes what a killed
 * one left.
 * | @param keys the translations to load, at least one
 */
async function decide(
  job: Pick<LoadJob, "ledger" | "target" | "options" | "control">,
  keys: readonly Key[],
): Promise<Decision> {
  const before = await cleared(job, await noted(job.ledger));
  if (before.left !== null || before.isTaken !== null) return before;
  if (job.options.allowed !== undefined) return open("a load that applies a plan makes no probe");
  const guides = await Promise.all(keys.map((key) => job.ledger.written(originalGuide(key))));
  const like = guides.find((guide) => guide !== undefined);
  if (like === undefined) return open("none of their guides is on the target");
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
 * ignores `langid` answers 200 and overwrites the page. The probe creates one page for each target
 * and deletes it. Its title is recorded first, so that the next load deletes what a killed one
 * left. A load by a plan makes no probe: it checks each answer.
 * | @param translated pages with translations to load, and their languages
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
    message: `The probe of translations could not delete the ${left}.`,
    remedy: LEFTOVER_REMEDY,
  };
  notes.add(issue);
}

type Known = Pick<Decision, "isTaken" | "says">;

function loadedWithout(key: Key, { isTaken, says }: Known): Issue {
  if (isTaken === false) return refused(key, says);
  const message = `Its translation into ${languageIn(key)} was not sent. It is unknown whether this site takes translations of guides (${says}).`;
  const remedy = "Run the same command again to repeat the probe.";
  return { code: "guide-translation", level: "loss", key, path: "", message, remedy, takenInBy: "" };
}

export function notTaken(key: Key, { isTaken, says }: Known): Issue {
  if (isTaken === false) return refused(key, says);
  const message = `A probe of the load finds out whether this site takes its translation into ${languageIn(key)}. It creates one private guide and deletes it.`;
  return { code: UNDECIDED, level: "note", key, path: "", message };
}

/** Code for a translation that a probe decides about. */
export const UNDECIDED = "translation-undecided";

function refused(key: Key, says: string): Issue {
  const message = `Its translation into ${languageIn(key)} was not sent. A probe found that ${says}.`;
  const remedy = "The workspace has the complete translation. If you need it, create it by hand.";
  return { code: "guide-translation", level: "loss", key, path: "", message, remedy };
}
