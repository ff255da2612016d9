import type { FitContext } from "../../transforms/fit/context.js";
import type { Issue } from "../model/issue.js";
import type { Item } from "../model/item.js";
import { type ItemKind, type Key, languageIn, wikiKey } from "../model/key.js";
import type { Bench } from "./bench.js";
import { checkMedia } from "./check-media.js";
import { fitContext } from "./fit-context.js";
import { halt } from "./halt.js";
import type { LoadMap } from "./load-map.js";
import type { Needs } from "./order.js";
import { prepare } from "./prepare.js";

/** What the check decided, and what it found on the way. */
export interface Checked {
  readonly map: LoadMap;
  /** Asked again for each item on its way to the target: the same answers give the same pieces. */
  readonly fit: FitContext;
  /** Media that will not be there, each with its reason. */
  readonly mediaIssues: ReadonlyMap<Key, readonly Issue[]>;
  /** Of media with equal bytes the one that goes up, by kind and hash: the same in every run, whoever is first to need it. */
  readonly uploads: ReadonlyMap<string, Key>;
}

/**
 * Looks at every item as it will be sent, before the first write: what the site would refuse is known by then, and so is
 * who moves, since a reference to somebody who doesn't becomes a link, which is longer.
 */
export async function check(bench: Bench): Promise<Checked> {
  const media = await checkMedia(bench);
  let refused: ReadonlyMap<Key, readonly Issue[]> = new Map();
  for (;;) {
    const moving = await movingKeys(bench, refused, media.refused);
    const fit = fitContext(bench, moving, media);
    const found = await refusedItems(bench, moving, fit);
    if (found.refused.size === 0)
      return {
        map: mapOf(bench, moving, refused, media.refused, found.needs),
        fit,
        mediaIssues: media.issues,
        uploads: media.uploads,
      };
    // Who is refused doesn't move, so texts that refer to it grow: the rest is looked at again, until nothing changes.
    refused = new Map([...refused, ...found.refused]);
  }
}

const LOADED: readonly ItemKind[] = ["category", "wiki", "guide"];

/** Everything that the workspace holds and that isn't refused, steps included. */
async function movingKeys(
  bench: Bench,
  refused: ReadonlyMap<Key, unknown>,
  mediaRefused: ReadonlySet<Key>,
): Promise<ReadonlySet<Key>> {
  const moving = new Set<Key>();
  for (const entry of bench.workspace.items.entries()) {
    if (entry.kind === "record" || entry.state === "gone" || refused.has(entry.key) || mediaRefused.has(entry.key))
      continue;
    if (!isSelected(bench, entry.key, entry.kind) || languageIn(entry.key) !== undefined) continue;
    moving.add(entry.key);
    if (entry.kind !== "guide") continue;
    halt(bench.control);
    const item = await bench.workspace.items.get(entry.key);
    if (item?.kind === "guide") for (const step of item.body.steps) moving.add(step.key);
  }
  return moving;
}

function isSelected(bench: Bench, key: Key, kind: ItemKind): boolean {
  return bench.options.selected === undefined || !LOADED.includes(kind) || bench.options.selected.has(key);
}

async function refusedItems(
  bench: Bench,
  moving: ReadonlySet<Key>,
  fit: FitContext,
): Promise<{ readonly refused: ReadonlyMap<Key, readonly Issue[]>; readonly needs: Needs }> {
  const refused = new Map<Key, readonly Issue[]>();
  const needs = new Map<Key, readonly Key[]>();
  let done = 0;
  for (const kind of LOADED) {
    for (const entry of bench.workspace.items.entries(kind)) {
      if (!moving.has(entry.key)) continue;
      halt(bench.control);
      const item = await bench.workspace.items.get(entry.key);
      if (item === undefined) continue;
      const prepared = prepare(item, bench.transforms, fit);
      const reasons = prepared.flatMap((each) => each.refused);
      if (reasons.length > 0) refused.set(entry.key, [...prepared.flatMap((each) => each.issues), ...reasons]);
      needs.set(entry.key, needsOf(item));
      done += 1;
      bench.control.progress({ stage: "check", done, total: null, key: entry.key, failed: refused.size });
    }
  }
  return { refused, needs };
}

function needsOf(item: Item): readonly Key[] {
  if (item.kind === "guide") return item.body.prerequisites;
  if (item.kind === "category" && item.body.parent !== null) return [wikiKey("CATEGORY", item.body.parent)];
  return [];
}

function mapOf(
  bench: Bench,
  moving: ReadonlySet<Key>,
  refused: ReadonlyMap<Key, readonly Issue[]>,
  mediaRefused: ReadonlySet<Key>,
  needs: Needs,
): LoadMap {
  const keysOf = (kind: ItemKind): readonly Key[] =>
    [...bench.workspace.items.entries(kind)]
      .map((entry) => entry.key)
      .filter((key) => moving.has(key) && (bench.options.keys?.has(key) ?? true));
  return {
    categories: keysOf("category"),
    wikis: keysOf("wiki"),
    guides: keysOf("guide"),
    refused,
    mediaRefused,
    moving,
    needs,
  };
}
