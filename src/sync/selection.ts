import { ITEM_KINDS, type ItemKind, isMediaKind, type Key, kindOf } from "../core/model/key.js";

/**
 * The items of a run: `--only`, `--include`, `--exclude`, `--since`, `--no-include-private`,
 * `--no-dependencies`.
 */
export interface Selection {
  readonly only: ReadonlySet<ItemKind>;
  /** Globs; empty: everything. */
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  /**
   * UNIX seconds: only items that changed since then; null: no limit. Items without a date are
   * included.
   */
  readonly since: number | null;
  readonly includePrivate: boolean;
  /** Include what the chosen items need. */
  readonly dependencies: boolean;
}

export const EVERYTHING: Selection = {
  only: new Set(ITEM_KINDS),
  include: [],
  exclude: [],
  since: null,
  includePrivate: true,
  dependencies: true,
};

/** Complete extracts in which everything is read again once. */
export const DEFAULT_CYCLE = 14;

/**
 * The facts that decide whether an item is chosen; rows of lists and entries of a workspace have
 * them.
 */
export interface Candidate {
  readonly key: Key;
  /** Guides: the category's title. Categories: their parent's title. */
  readonly category: string | null;
  readonly modified: number | null;
}

export function takesEverything(selection: Selection): boolean {
  const { include, exclude, since, only } = selection;
  return include.length === 0 && exclude.length === 0 && since === null && ITEM_KINDS.every((kind) => only.has(kind));
}

/**
 * Is an item chosen? A glob that begins with a kind and a slash matches keys: `guide/12*`,
 * `wiki/ITEM/*`. Any other glob, also after `category:`, matches the path of titles from the top to
 * a category, joined by slashes: `Looms/**` takes the categories that match and the guides in them.
 * | `?` is one character and `*` any number, both without the slash; `**` includes it. Next to a
 * slash at an edge it may be empty: `Looms/**` takes Looms too.
 * | @param path the titles from the top to a category, the category last
 */
export function isChosen(
  selection: Selection,
  candidate: Candidate,
  path: (category: string) => readonly string[],
): boolean {
  const { only, include, exclude, since } = selection;
  const kind = kindOf(candidate.key) as ItemKind;
  if (!only.has(kind)) return false;
  // Media have no date. Unless a glob names them, they are included with what uses them.
  if (since !== null && include.length === 0 && isMediaKind(kind)) return false;
  if (since !== null && candidate.modified !== null && candidate.modified < since) return false;
  const matches = (glob: string) => matchesGlob(glob, candidate, path);
  return (include.length === 0 || include.some(matches)) && !exclude.some(matches);
}

/** Do the globs need the tree of categories? */
export function asksForTree({ include, exclude }: Selection): boolean {
  return [...include, ...exclude].some((glob) => !KEY_GLOB.test(glob));
}

/** The keys that `--include` names, sorted; undefined: it has another glob, or is empty. */
export function namedKeys({ include }: Selection): readonly Key[] | undefined {
  if (include.length === 0 || !include.every((glob) => KEY_GLOB.test(glob) && !/[*?]/.test(glob))) return undefined;
  return [...new Set(include as readonly Key[])].sort();
}

const KEY_GLOB = new RegExp(`^(?:${ITEM_KINDS.join("|")})/`);
const CATEGORY_PREFIX = "category:";

function matchesGlob(glob: string, candidate: Candidate, path: (category: string) => readonly string[]): boolean {
  if (KEY_GLOB.test(glob)) return patternOf(glob).test(candidate.key);
  const titles = categoryPath(candidate, path);
  const pattern = glob.startsWith(CATEGORY_PREFIX) ? glob.slice(CATEGORY_PREFIX.length) : glob;
  return titles !== undefined && patternOf(pattern).test(titles.join("/"));
}

function categoryPath(
  { key, category }: Candidate,
  path: (category: string) => readonly string[],
): readonly string[] | undefined {
  if (kindOf(key) === "category") return path(key.slice("category/".length));
  return category === null ? undefined : path(category);
}

function patternOf(glob: string): RegExp {
  const pieces = glob.split(/(^\*\*\/|\/\*\*$|\*\*|\*|\?)/).map((piece) => WILDCARDS[piece] ?? literally(piece));
  return new RegExp(`^${pieces.join("")}$`, "su");
}

const WILDCARDS: Readonly<Record<string, string>> = {
  "**/": "(?:.*/)?",
  "/**": "(?:/.*)?",
  "**": ".*",
  "*": "[^/]*",
  "?": "[^/]",
};

function literally(text: string): string {
  return text.replaceAll(/[\\^$.|?*+()[\]{}/]/g, "\\$&");
}

/** The path of titles to each category. A parent that is its own ancestor ends the path. */
export function pathsOf(parents: ReadonlyMap<string, string | null>): (category: string) => readonly string[] {
  return (category) => {
    const titles: string[] = [];
    for (
      let title: string | null = category;
      title !== null && !titles.includes(title);
      title = parents.get(title) ?? null
    ) {
      titles.unshift(title);
    }
    return titles;
  };
}
