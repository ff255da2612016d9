import { type Key, languageIn } from "../../core/model/key.js";
import { halt } from "../halt.js";
import type { LoadJob } from "../load-job.js";
import { type Decision, NOTHING_KNOWN, type Noted, note, noted } from "./known-decision.js";
import { guideOfTranslation } from "./translation-key.js";

/**
 * Asks the target once, by a probe that makes one private guide and deletes it: no document says that sites take translations of guides, and
 * one that does not would write them over the text of the source language. The titles of the guide are noted before it is made, so that a
 * later load finds and deletes what a killed one left.
 *
 * @param keys the translations that are to be loaded, at least one
 */
export async function decide(job: LoadJob, keys: readonly Key[]): Promise<Decision> {
  const before = await cleared(job, await noted(job.ledger));
  if (before.left !== null || before.isTaken !== null) return before;
  if (job.options.allowed !== undefined) return open("what carries out a plan makes no probe");
  const guides = await Promise.all(keys.map((key) => job.ledger.written(guideOfTranslation(key))));
  const like = guides.find((guide) => guide !== undefined);
  if (like === undefined) return open("none of their guides is at the target");
  const { translations } = job.target;
  const titles = translations.titles();
  await note(job.ledger, { ...NOTHING_KNOWN, probing: titles });
  const languages = [...new Set(keys.flatMap((key) => languageIn(key) ?? []))];
  const { isTaken, says, left } = await translations.probe({ titles, like: like.id, languages }, job.control);
  await note(job.ledger, { isTaken, says, probing: left === null ? null : titles });
  halt(job.control);
  return { isTaken, says, left };
}

async function cleared(job: LoadJob, { probing, ...known }: Noted): Promise<Decision> {
  if (probing === null) return { ...known, left: null };
  const left = await job.target.translations.clear(probing, job.control.abort);
  if (left === null) await note(job.ledger, { ...known, probing: null });
  return { ...known, left };
}

function open(says: string): Decision {
  return { isTaken: null, says, left: null };
}
