import type { Entry } from "./catalogue.js";

type Compare = (one: Entry, other: Entry) => number;

/** How lists are ordered, by the rules of a site's language; what no language knows is English. Equal ones stand by their keys. */
export interface Orders {
  readonly byName: (one: string, other: string) => number;
  readonly byTitle: Compare;
  readonly byKey: Compare;
  /** As the site's tree has it; those without a place behind the others, by title. */
  readonly byPlace: Compare;
  readonly byLanguage: Compare;
  readonly byNamespace: Compare;
}

export function orderOf(language: string): Orders {
  const names = collatorOf(language, "base");
  const keys = collatorOf("en", "variant");
  const byName: Orders["byName"] = (one, other) => names.compare(one, other) || plain(one, other);
  const byKey: Compare = (one, other) => keys.compare(one.key, other.key) || plain(one.key, other.key);
  const byTitle: Compare = (one, other) => names.compare(one.title, other.title) || byKey(one, other);
  const places = ({ more }: Entry): number => more?.position ?? Number.POSITIVE_INFINITY;
  return {
    byName,
    byTitle,
    byKey,
    byPlace: (one, other) => plain(places(one), places(other)) || byTitle(one, other),
    byLanguage: (one, other) => plain(one.more?.language ?? "", other.more?.language ?? "") || byKey(one, other),
    byNamespace: (one, other) => plain(namespaceOf(one), namespaceOf(other)) || byTitle(one, other),
  };
}

function namespaceOf({ key }: Entry): string {
  return key.split("/", 2).join("/");
}

function collatorOf(language: string, sensitivity: "base" | "variant"): Intl.Collator {
  const tag = /^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/.test(language) ? language : "en";
  return new Intl.Collator([tag, "en"], { numeric: true, sensitivity });
}

function plain<T extends string | number>(one: T, other: T): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
