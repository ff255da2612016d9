import { idIn, type Key } from "../../src/core/model/key.js";
import type { PeekedRoot } from "../xml/read-xml.js";
import { derivedId, idOf, type PathSet, resolvePath, topFolder } from "./addresses.js";
import type { ManualCategory } from "./manual.js";

/** Relations between the documents of a package. */
export interface Bundle extends PathSet {
  readonly guides: ReadonlyMap<string, Key>;
  /** Keys of a guide in all its languages, by id. */
  readonly languages: ReadonlyMap<number, readonly Key[]>;
  /** The category that lists a guide, by the guide's path. */
  readonly listedIn: ReadonlyMap<string, string>;
}

/** `paths`: all files, also media. A single document is a package of one. */
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

/** For an answer of the service, which refers to images and steps by their ids. */
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

export interface BundleDocument {
  readonly path: string;
  readonly root: PeekedRoot;
  /** Of a category or manifest: its guides and the category's name. */
  readonly index: {
    readonly category: string | null;
    /** `file`: as written. */
    readonly rows: readonly { readonly file: string | null; readonly id: string | null }[];
  } | null;
}

interface BundleRow {
  readonly path: string;
  readonly id: string | null;
  /** null: a manifest lists it. */
  readonly category: string | null;
}

/**
 * Keys of guides by path: the id on the root, else in an index, else in the folder's or file's name
 * (omanual 7), else derived from the path. Of equal ids the source comes first; another language
 * becomes a translation, others get a key from their path.
 */
function guideKeys(
  documents: readonly BundleDocument[],
  rows: readonly BundleRow[],
  top: string,
): ReadonlyMap<string, Key> {
  const listed = new Map(rows.map(({ path, id }) => [path, idOf(id)]));
  const keys = new Map<string, Key>();
  const languages = new Map<number, string>();
  const taken = new Set<Key>();
  for (const { path, root } of sourcesFirst(documents)) {
    if (!GUIDES.has(root.name)) continue;
    const id =
      idOf(root.attributes.get("id")) ?? idOf(root.attributes.get("guideid")) ?? listed.get(path) ?? namedId(path);
    const locale = localeOf(root);
    const key = freeKey(id, locale, languages, taken) ?? `guide/${derivedId(path.slice(top.length))}`;
    if (id !== null && !languages.has(id)) languages.set(id, locale);
    taken.add(key);
    keys.set(path, key);
  }
  return keys;
}

export const GUIDES: ReadonlySet<string> = new Set(["guide", "procedure"]);

/**
 * guideferry's folders mark translations (`Weben-de-12`); else the most frequent language is first.
 */
function sourcesFirst(documents: readonly BundleDocument[]): readonly BundleDocument[] {
  const locales = documents.map(({ root }) => localeOf(root));
  const counts = new Map<string, number>();
  for (const locale of locales) counts.set(locale, (counts.get(locale) ?? 0) + 1);
  const rank = new Map(
    documents.map((document, index) => {
      const locale = locales[index] ?? "";
      const marked = isNamedFor(locale, document.path) ? documents.length : 0;
      return [document, marked - (counts.get(locale) ?? 0)] as const;
    }),
  );
  return documents.toSorted((a, b) => (rank.get(a) ?? 0) - (rank.get(b) ?? 0));
}

function isNamedFor(locale: string, path: string): boolean {
  const folder = path.split("/").at(-2)?.toLowerCase() ?? "";
  return locale !== "" && folder.replace(/-\d+$/, "").endsWith(`-${locale.toLowerCase()}`);
}

function localeOf({ attributes }: BundleDocument["root"]): string {
  return attributes.get("locale") ?? attributes.get("lang") ?? "";
}

/** `Loom-Repair-3140/guide.xml`, `guide-3140.xml` */
function namedId(path: string): number | null {
  const [file = "", folder = ""] = path.split("/").toReversed();
  return idOf(/^(?:guide|procedure)-(\d+)\.\w+$/i.exec(file)?.[1]) ?? idOf(/-(\d+)$/.exec(folder)?.[1]);
}

function freeKey(
  id: number | null,
  locale: string,
  languages: ReadonlyMap<number, string>,
  taken: ReadonlySet<Key>,
): Key | undefined {
  if (id === null) return undefined;
  const plain: Key = `guide/${id}`;
  if (!taken.has(plain)) return plain;
  const translated: Key = `guide/${id}@${locale}`;
  return locale !== "" && languages.get(id) !== locale && !taken.has(translated) ? translated : undefined;
}

export function categoryName({ name, title }: Pick<ManualCategory, "name" | "title">, path: string): string {
  const file =
    path
      .split("/")
      .at(-1)
      ?.replace(/\.[^.]*$/, "") ?? "";
  return [name, title, file].map((each) => each?.trim() ?? "").find((each) => each !== "") ?? "";
}
