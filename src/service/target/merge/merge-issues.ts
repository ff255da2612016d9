import type { Body } from "../../../core/contracts.js";
import type { ClashTexts } from "../../../core/errors.js";
import type { Issue } from "../../../core/model/issue.js";
import { digest } from "../../../core/util/digest.js";
import { type ReadableNames, readableField } from "../../wire/write/readable-field.js";
import type { Work } from "../parts.js";
import type { Clash } from "./merge-bodies.js";

type Told = Omit<Issue, "key">;

/** Fields that both sides changed, each with its three texts. */
export function tellClashes(work: Work, clashes: readonly Clash[]): void {
  for (const { field, base, theirs, ours } of clashes) {
    const texts = { base: textOf(field, base), theirs: textOf(field, theirs), ours: textOf(field, ours) };
    work.report({
      code: "merge-clash",
      level: "loss",
      path: modelPath(field),
      message:
        "Both sides changed it since they agreed, each otherwise, so it stays as it is at the target. " +
        shownTexts(texts),
      remedy: "Make both sides equal there, or run with --on-conflict update to put the source's over it.",
      texts,
    });
  }
}

/** Fields that only somebody at the target changed, and that stay so. */
export function keptTheirs(
  fields: readonly string[],
  { base, there }: { readonly base: Body; readonly there: Body },
): readonly Told[] {
  return fields.map((field) => ({
    code: "merge-kept-theirs",
    level: "note",
    path: modelPath(field),
    message:
      `Somebody changed it at the target and nobody at the source, so it stays as it is there. ` +
      `Before: ${shown(textOf(field, base[field]))}. At the target: ${shown(textOf(field, there[field]))}.`,
    remedy: "Take it over at the source, or run with --on-conflict update once the source changed.",
  }));
}

/** Steps of ours that somebody deleted at the target, and that stay deleted. */
export async function keptGone({ context }: Work, base: unknown, there: unknown): Promise<readonly Told[]> {
  const told: Told[] = [];
  const present = new Set(idsOf(there));
  for (const id of idsOf(base).filter((each) => !present.has(each))) {
    const key = await context.keyOf("step", id);
    if (key === undefined) continue;
    told.push({
      code: "merge-kept-theirs",
      level: "note",
      path: key,
      message: "Somebody deleted the step at the target, and it didn't change at the source, so it stays deleted.",
      remedy: "Delete it at the source too, or run with --on-conflict update once it changed there.",
    });
  }
  return told;
}

/** The ids of a list of steps. */
export function idsOf(steps: unknown): readonly string[] {
  return Array.isArray(steps) ? steps.map(String) : [];
}

/** The three texts of a clash as a person reads them. */
export function shownTexts({ base, theirs, ours }: ClashTexts): string {
  return `Before: ${shown(base)}. At the target: ${shown(theirs)}. At the source: ${shown(ours)}.`;
}

/** Characters of a text that a message shows. */
const SHOWN = 160;

/** A short text is shown whole; a long one by its beginning, its length and the first digits of its digest. */
export function shown(text: string | null): string {
  if (text === null) return "nothing";
  if (text.length <= SHOWN) return JSON.stringify(text);
  return `${JSON.stringify(text.slice(0, SHOWN))}… (${text.length} characters, sha256 ${digest(text).slice(0, 12)})`;
}

/** A field of a body as a person reads it, whole; null: nothing is there. */
export function textOf(field: string, value: unknown): string | null {
  return value === undefined || value === null ? null : readableField(field, value, IDS);
}

/** A body as a person reads it, field by field. */
export function textOfBody(body: Body): string {
  const texts = Object.entries(body).map(([field, value]) => [modelPath(field), textOf(field, value)] as const);
  return texts.flatMap(([path, text]) => (text === null || text === "" ? [] : [`${path}: ${text}`])).join("\n");
}

/** By their ids at the target. */
const IDS: ReadableNames = { named: (kind, id) => `${kind} ${id}`, text: (text) => text };

/** Where a field of writing is found in the model. */
export function modelPath(field: string): string {
  return PATHS[field] ?? field;
}

const PATHS: Readonly<Record<string, string>> = {
  objectid: "introductionVideo",
  featured_documentid: "featuredDocument",
  time_required_min: "timeRequired",
  time_required_max: "timeRequired",
  work_log_enabled: "workLogEnabled",
  display_title: "displayTitle",
  table_of_contents: "tableOfContents",
  page_title: "pageTitle",
  steps: "steps.order",
};
