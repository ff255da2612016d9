import type { Issue } from "../../core/model/issue.js";
import type { Key } from "../../core/model/key.js";
import { halt } from "../halt.js";
import type { LoadJob } from "../load-job.js";
import { NOTHING_KNOWN, type Noted, note, noted, PAGES } from "./known-decision.js";

/**
 * Finds out whether the target takes translations of pages, before the first is sent: the call is documented, yet a site that ignores `langid`
 * answers 200 and writes the translation over the page. One probe page a target, which is deleted at once; its title is noted before it is made,
 * so that the next load deletes what a killed one left. What carries out a plan makes no probe: there each answer is checked.
 *
 * @param translated pages with translations that are to be loaded, with their languages
 */
export async function decidePages(job: LoadJob, translated: ReadonlyMap<Key, readonly string[]>): Promise<void> {
  const [first] = translated.keys();
  if (first === undefined) return;
  const before = await noted(job.ledger, PAGES);
  const trial = job.target.pageTranslations;
  if (before.probing !== null) {
    const left = await trial.clear(before.probing, job.control.abort);
    if (left !== null) return tellLeft(job, first, left);
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
  if (left !== null) tellLeft(job, first, left);
  halt(job.control);
}

/** Told of a page that has translations. */
function tellLeft({ notes }: LoadJob, key: Key, left: string): void {
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
