import type { Key } from "../../../src/core/model/key.js";
import type { BundleDocument, BundleRow } from "./bundle-document.js";
import { derivedId, idOf } from "./derived-id.js";

/**
 * The key of each guide of a package, by its path: the id on its root, else the one that a category or manifest gives it,
 * else the one that its folder or file is named for (omanual 7), else a number derived from its path. Where several claim one
 * id, sources come first (`sourcesFirst`): a second language becomes a translation, and anything else goes by its path.
 */
export function guideKeys(
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
 * A translation has its language in its folder's name where guideferry wrote it (`Weben-de-12`); elsewhere the language that
 * most documents of the package have is that of the sources. All else being equal, the order of paths decides.
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

/** `Loom-Repair-3140/guide.xml`, `guide-3140.xml`. */
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
