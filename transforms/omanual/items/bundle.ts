import { idIn, type Key } from "../../../src/core/model/key.js";
import type { BundleDocument, BundleRow } from "./bundle-document.js";
import { guideKeys } from "./guide-keys.js";
import { type PathSet, resolvePath, topFolder } from "./resolve-path.js";

/** What the documents of a package are to each other. */
export interface Bundle extends PathSet {
  /** By path, of every guide in it. */
  readonly guides: ReadonlyMap<string, Key>;
  /** By id, the keys of a guide in all its languages. */
  readonly languages: ReadonlyMap<number, readonly Key[]>;
  /** The name of the category that lists a guide, by the guide's path. */
  readonly listedIn: ReadonlyMap<string, string>;
}

/** `paths`: all files, media too. A single document is a package of one. */
export function createBundle(paths: readonly string[], documents: readonly BundleDocument[]): Bundle {
  const set: PathSet = { paths: new Set(paths), top: topFolder(paths) };
  const rows = documents.flatMap((document) => rowsOf(document, set));
  const guides = guideKeys(documents, rows, set.top);
  return {
    ...set,
    guides,
    languages: languagesOf(guides.values()),
    listedIn: new Map(rows.flatMap(({ path, category }) => (category === null ? [] : [[path, category] as const]))),
  };
}

/** A package of one guide whose key is known: a service's answer, which names images and steps by their ids. */
export function bundleOfOne(path: string, key: Key): Bundle {
  return { ...createBundle([path], []), guides: new Map([[path, key]]) };
}

function rowsOf({ path: from, index }: BundleDocument, set: PathSet): readonly BundleRow[] {
  if (index === null) return [];
  const { category, rows } = index;
  return rows.flatMap(({ file, id }): readonly BundleRow[] => {
    const path = file === null ? undefined : resolvePath(file, from, set);
    return path === undefined ? [] : [{ path, id, category }];
  });
}

function languagesOf(guides: Iterable<Key>): ReadonlyMap<number, readonly Key[]> {
  const languages = new Map<number, readonly Key[]>();
  for (const key of guides) languages.set(idIn(key), [...(languages.get(idIn(key)) ?? []), key]);
  return languages;
}
