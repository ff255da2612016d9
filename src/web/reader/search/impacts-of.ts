import { termsOf } from "../../../../transforms/search/terms-of.js";

/** What an item is found by. */
export interface SearchedFields {
  readonly title: string;
  /** Tags and category. */
  readonly labels: string;
  readonly text: string;
  readonly remarks: string;
}

/** The place of a term that stands in several counts by the best one; `src/web/reader/browser/search-match.ts` knows what each is worth. */
const PLACES = ["remarks", "text", "labels", "title"] as const;
/** Terms that a field of usual length has. */
const USUAL = { remarks: 200, text: 200, labels: 6, title: 6 } as const;
/** From here on a place counts as one of the title: its words are found from their first letter on. */
const TITLED = PLACES.indexOf("labels");

/** How the worth of a word grows with the times it stands there, and falls with the length of its field: BM25's k1 and b, as most programs set them. */
const SATURATION = 1.2;
const LENGTH_SHARE = 0.7;

/** Before the beginnings of titles' words, one letter or two, which are terms of their own. No term of a text begins so. */
export const BEGINNING = "*";

/** Each term of an item with its impact: its best place in the two upper bits of six, and how much it counts there in the lower four. */
export function impactsOf(fields: SearchedFields): ReadonlyMap<string, number> {
  const impacts = new Map<string, number>();
  for (const [place, name] of PLACES.entries()) {
    const terms = termsOf(fields[name]);
    for (const [term, count] of countsOf(terms)) {
      const impact = place * 16 + strengthOf(count, terms.length / USUAL[name]);
      impacts.set(term, impact);
      if (place >= TITLED) for (const beginning of beginningsOf(term)) raise(impacts, beginning, impact);
    }
  }
  return impacts;
}

function countsOf(terms: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  return counts;
}

/** 0 to 15. */
function strengthOf(count: number, length: number): number {
  const share = count / (count + SATURATION * (1 - LENGTH_SHARE + LENGTH_SHARE * length));
  return Math.min(15, Math.floor(share * 16));
}

function beginningsOf(term: string): readonly string[] {
  const letters = [...term].slice(0, 2);
  return letters.map((_, at) => BEGINNING + letters.slice(0, at + 1).join(""));
}

function raise(impacts: Map<string, number>, term: string, impact: number): void {
  impacts.set(term, Math.max(impact, impacts.get(term) ?? 0));
}
