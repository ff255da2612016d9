import type { Item } from "../../core/model/item.js";
import { isRecord } from "./is-record.js";
import { namedRows } from "./named-rows.js";

/** A field that differs between two versions of an item, in the model's words. */
export interface FieldChange {
  /** `title`, `steps[step/456].lines[0].text`; `steps` with the keys of both where only their order differs. */
  readonly path: string;
  /** undefined: it was not there. */
  readonly before: unknown;
  readonly after: unknown;
}

/** What differs between two versions of an item: in its body, and where that is the same, in what the site answered. */
export function fieldChanges(before: Item, after: Item): readonly FieldChange[] {
  const found = changes(before.body, after.body, "");
  if (found.length > 0) return found;
  const rest = ["media", "translations", "issues", "raw", "revision"] as const;
  return rest.flatMap((field) => changes(before[field], after[field], field));
}

function changes(before: unknown, after: unknown, path: string): readonly FieldChange[] {
  if (Object.is(before, after)) return [];
  if (Array.isArray(before) && Array.isArray(after)) return listChanges(before, after, path);
  if (!isRecord(before) || !isRecord(after)) return [{ path, before, after }];
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].flatMap((name) => changes(before[name], after[name], path === "" ? name : `${path}.${name}`));
}

type Elements = readonly unknown[];

/** What has a key or an id is found again by it, wherever it stands now. */
function listChanges(before: Elements, after: Elements, path: string): readonly FieldChange[] {
  const named = namedRows(before, after);
  if (named === undefined) return placeChanges(before, after, path);
  const [old, now] = named;
  const names = new Set([...old.keys(), ...now.keys()]);
  const inside = [...names].flatMap((name) => changes(old.get(name), now.get(name), `${path}[${name}]`));
  const kept = [...old.keys()].filter((name) => now.has(name));
  const order = [...now.keys()].filter((name) => old.has(name));
  const isMoved = kept.some((name, at) => name !== order[at]);
  return isMoved ? [...inside, { path, before: [...old.keys()], after: [...now.keys()] }] : inside;
}

/** By place where as many stand there, else as a whole. */
function placeChanges(before: Elements, after: Elements, path: string): readonly FieldChange[] {
  if (before.length !== after.length) return [{ path, before, after }];
  return before.flatMap((each, index) => changes(each, after[index], `${path}[${index}]`));
}
