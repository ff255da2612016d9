import type { SiteIdentity, TransformContext } from "../../../src/core/contracts.js";
import { type Key, wikiKey } from "../../../src/core/model/key.js";

/** What becomes of the titles of categories; all names are those at the source. */
export interface Renaming {
  readonly source: SiteIdentity;
  /** The title that a category has at the target. */
  titleOf(name: string): string;
  /** The category of the source that this one becomes one with; undefined: it stays one of its own. */
  mergedInto(name: string): string | undefined;
  /** What a guide or child that names this category is to name. */
  namedAs(name: string): string;
  /** Keys of categories that become one with another, with its name. */
  readonly merged: ReadonlyMap<Key, string>;
}

/**
 * Two categories whose titles become equal become one: the one that has the title already, else the first that is renamed to
 * it. One that is itself renamed away has its title no more.
 */
export function renamingOf(titles: ReadonlyMap<string, string>, { source, titleOf }: TransformContext): Renaming {
  const isThere = (name: string): boolean => titleOf(wikiKey("CATEGORY", name)) !== undefined;
  const owners = ownersOf(titles, isThere);
  const mergedInto = (name: string): string | undefined => {
    const to = titles.get(name);
    const owner = to === undefined ? undefined : owners.get(to);
    return owner === name ? undefined : owner;
  };
  const merged = [...titles.keys()].flatMap((name) => {
    const into = mergedInto(name);
    return into === undefined ? [] : [[wikiKey("CATEGORY", name), into] as const];
  });
  return {
    source,
    titleOf: (name) => titles.get(name) ?? name,
    mergedInto,
    // A category that is not in the workspace has no key that others could follow: there the title itself is changed.
    namedAs: (name) => mergedInto(name) ?? (isThere(name) ? name : (titles.get(name) ?? name)),
    merged: new Map(merged),
  };
}

/** By the title at the target: the name of the category that has it. */
function ownersOf(
  titles: ReadonlyMap<string, string>,
  isThere: (name: string) => boolean,
): ReadonlyMap<string, string> {
  const owners = new Map<string, string>();
  for (const [name, to] of titles) {
    const holder = isThere(to) && (titles.get(to) ?? to) === to ? to : name;
    if (!owners.has(to) && isThere(holder)) owners.set(to, holder);
  }
  return owners;
}
