import type { Item } from "../../core/model/item.js";
import type { Key } from "../../core/model/key.js";

/** What our last write left of a thing, in the names of writing. */
export type LeftOf = (key: Key) => Readonly<Record<string, unknown>> | undefined;

/**
 * The text that stands at the target for a path of an item, as we left it there. A line that went into several is all of its step's lines, since
 * only they together say what it said. null: nothing is known of it.
 */
export function targetText(item: Item, path: string, left: LeftOf): string | null {
  const line = /^steps\[(\d+)\]\.lines\[(\d+)\]\.text$/.exec(path);
  if (line !== null && item.kind === "guide") return lineText(item.body.steps[Number(line[1])], Number(line[2]), left);
  const title = /^steps\[(\d+)\]\.title$/.exec(path);
  if (title !== null && item.kind === "guide")
    return textIn(stepLeft(item.body.steps[Number(title[1])], left), "title");
  return textIn(left(item.key), NAMES[path] ?? path);
}

type StepOf = { readonly key: Key; readonly lines: readonly unknown[] };

/** Where writing has another name. */
const NAMES: Readonly<Record<string, string>> = { displayTitle: "display_title", pageTitle: "page_title" };

function stepLeft(step: StepOf | undefined, left: LeftOf): ReturnType<LeftOf> {
  return step === undefined ? undefined : left(step.key);
}

function lineText(step: StepOf | undefined, place: number, left: LeftOf): string | null {
  const lines = stepLeft(step, left)?.["lines"];
  if (!Array.isArray(lines) || step === undefined) return null;
  const texts = lines.map((line: unknown) => textIn(line, "text")).filter((text) => text !== null);
  return texts.length === step.lines.length ? (texts[place] ?? null) : texts.join("\n");
}

function textIn(body: unknown, name: string): string | null {
  if (typeof body !== "object" || body === null) return null;
  const value = (body as Readonly<Record<string, unknown>>)[name];
  return typeof value === "string" ? value : null;
}
