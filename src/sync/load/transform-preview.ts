import type { Transform, TransformContext } from "../../core/formats.js";
import type { SiteIdentity } from "../../core/model/identity.js";
import type { Issue } from "../../core/model/issue.js";
import type { Item } from "../../core/model/item.js";
import type { ItemKind, Key } from "../../core/model/key.js";
import type { ItemReader } from "../../storage/workspace/item-store.js";
import type { Workspace } from "../../storage/workspace/workspace.js";
import type { Control } from "../control.js";
import { throwIfStopped } from "../control.js";

/** The effects of the user's transforms on the whole workspace. */
export interface TransformPreview {
  /** Items that a transform failed on, with the error. They are not sent. */
  readonly failed: ReadonlyMap<Key, unknown>;
  readonly dropped: ReadonlyMap<Key, readonly Issue[]>;
  /** By item: the keys of its pieces and their steps, where they differ from its own. */
  readonly keys: ReadonlyMap<Key, readonly Key[]>;
  /** New titles by the keys of the source. Always has the personal pages with a match. */
  readonly titles: ReadonlyMap<Key, string>;
  /** Filled only when all items were read. */
  readonly types: ReadonlySet<string>;
  readonly categories: ReadonlySet<string>;
  /** The keys of a stored guide and its steps, if all items were read. Saves a second read. */
  ownKeys(guide: Key): readonly Key[] | undefined;
}

const OWN_KEYS = "keys at the source";

/** The kinds that transforms get. Media and records are sent unchanged. */
export const TRANSFORMED: readonly ItemKind[] = ["category", "wiki", "guide"];

/** Runs the transforms once over every item. `see` gets each stored item. */
export async function previewTransforms(
  { items, scratch }: Workspace,
  transforms: readonly Transform[],
  control: Control,
  see?: (item: Item) => void,
): Promise<TransformPreview> {
  const failed = new Map<Key, unknown>();
  const dropped = new Map<Key, readonly Issue[]>();
  const keys = new Map<Key, readonly Key[]>();
  const titles = new Map<Key, string>();
  const types = new Set<string>();
  const categories = new Set<string>();
  scratch.clear(OWN_KEYS);
  for (const kind of transforms.length === 0 && see === undefined ? [] : TRANSFORMED) {
    for (const { key, state } of items.entries(kind)) {
      throwIfStopped(control);
      const item = state === "gone" ? undefined : await items.get(key);
      if (item === undefined) continue;
      see?.(item);
      for (const title of categoriesIn(item)) categories.add(title);
      if (item.kind === "guide") types.add(item.body.type);
      if (kind === "guide") scratch.put(OWN_KEYS, key, JSON.stringify(keysOf([item])));
      if (transforms.length === 0) continue;
      try {
        const made = transformed(item, transforms);
        if (made.items.length === 0) dropped.set(key, [...made.issues, left(key)]);
        if (!isSame(keysOf([item]), keysOf(made.items))) keys.set(key, keysOf(made.items));
        for (const [page, title] of newTitles(item, made.items)) titles.set(page, title);
      } catch (error) {
        failed.set(key, error);
      }
    }
  }
  const ownKeys = (guide: Key): readonly Key[] | undefined => {
    const noted = scratch.get(OWN_KEYS, guide);
    return noted === undefined ? undefined : (JSON.parse(noted) as readonly Key[]);
  };
  return { failed, dropped, keys, titles, types, categories, ownKeys };
}

function categoriesIn(item: Item): readonly string[] {
  if (item.kind === "guide") return item.body.category === "" ? [] : [item.body.category];
  return item.kind === "category" ? [item.body.title, ...(item.body.parent === null ? [] : [item.body.parent])] : [];
}

export function keysOf(items: readonly Item[]): readonly Key[] {
  return items.flatMap((item) => [item.key, ...(item.kind === "guide" ? item.body.steps.map(({ key }) => key) : [])]);
}

function isSame(one: readonly Key[], other: readonly Key[]): boolean {
  return one.length === other.length && one.every((key, index) => key === other[index]);
}

function newTitles(item: Item, made: readonly Item[]): readonly (readonly [Key, string])[] {
  const before = titleOf(item);
  return made.flatMap((each) => {
    const title = each.key === item.key ? titleOf(each) : undefined;
    return title === undefined || title === before ? [] : [[each.key, title] as const];
  });
}

function titleOf(item: Item): string | undefined {
  return item.kind === "category" || item.kind === "wiki" ? item.body.title : undefined;
}

function left(key: Key): Issue {
  return {
    code: "left-out",
    level: "note",
    key,
    path: "",
    message: "A transform leaves it out. What earlier runs created from it stays on the target.",
  };
}

interface Transformed {
  readonly items: readonly Item[];
  readonly issues: readonly Issue[];
}

/** Throws what a transform throws: a defect of it, with its name. */
export function transformed(item: Item, transforms: readonly Transform[]): Transformed {
  const issues: Issue[] = [];
  // A person's own transform reports codes of its own.
  const report = (issue: Issue<string>): void => {
    issues.push(issue as Issue);
  };
  let items: readonly Item[] = [item];
  for (const transform of transforms) items = items.flatMap((each) => transform(each, report));
  return { items, issues };
}

export function composeTransforms(
  chosen: readonly ((context: TransformContext) => Transform)[],
  source: SiteIdentity,
  items: ItemReader,
  lineLength?: () => number,
): readonly Transform[] {
  const titleOf = (key: Key): string | undefined => {
    const entry = items.entry(key);
    return entry?.state === "present" ? entry.title : undefined;
  };
  return chosen.map((make) => make({ source, titleOf, ...(lineLength === undefined ? {} : { lineLength }) }));
}
