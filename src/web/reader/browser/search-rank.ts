/**
 * Collects matches segment by segment and keeps the best items with all words. `most`: items of the
 * result; infinite: all.
 */
function createSearchRanking(words: readonly SearchWord[], most: number) {
  const taken: { readonly segment: SearchSegment; readonly matches: readonly WordMatch[] }[] = [];

  interface Place {
    readonly segment: SearchSegment;
    readonly item: number;
    readonly tier: Tier;
    readonly score: number;
  }

  function add(segment: SearchSegment, matches: readonly WordMatch[]): void {
    taken.push({ segment, matches });
  }

  /** The inverse document frequency of each word (BM25). */
  function rarities(): readonly number[] {
    const items = taken.reduce((sum, { segment }) => sum + segment.items, 0);
    return words.map((_, at) => {
      const count = taken.reduce((sum, { matches }) => sum + (matches[at]?.count ?? 0), 0);
      return Math.log(1 + (items - count + 0.5) / (count + 0.5));
    });
  }

  function best(): { readonly hits: readonly SearchHit[]; readonly count: number } {
    const worthOf = rarities();
    const places: Place[] = [];
    let count = 0;
    for (const { segment, matches } of taken)
      for (let item = 0; item < segment.items; item += 1) {
        const place = placeOf(segment, item, matches, worthOf);
        if (place === undefined) continue;
        count += 1;
        if (most === Number.POSITIVE_INFINITY) places.push(place);
        else keep(places, place);
      }
    places.sort(order);
    return { hits: places.map(hitOf), count };
  }

  /** undefined: a required word is missing. */
  function placeOf(
    segment: SearchSegment,
    item: number,
    matches: readonly WordMatch[],
    worthOf: readonly number[],
  ): Place | undefined {
    let score = 0;
    let isTitled = true;
    let hasTyped = true;
    for (let at = 0; at < words.length; at += 1) {
      const worth = matches[at]?.worth[item] ?? 0;
      const inTitle = matches[at]?.titled[item] === 1;
      if (words[at]?.isNeeded === false) hasTyped = inTitle;
      else if (worth === 0) return undefined;
      else if (!inTitle) isTitled = false;
      score += worth * (worthOf[at] ?? 0);
    }
    return { segment, item, tier: isTitled ? (hasTyped ? 0 : 1) : 2, score };
  }

  /** Inserts an item into the sorted best ones. */
  function keep(places: Place[], place: Place): void {
    const last = places.at(-1);
    if (places.length >= most && last !== undefined && order(last, place) <= 0) return;
    let at = places.length;
    for (; at > 0; at -= 1) {
      const other = places[at - 1];
      if (other === undefined || order(other, place) <= 0) break;
    }
    places.splice(at, 0, place);
    if (places.length > most) places.pop();
  }

  function order(one: Place, other: Place): number {
    return (
      one.tier - other.tier ||
      other.score - one.score ||
      one.segment.number - other.segment.number ||
      one.item - other.item
    );
  }

  function hitOf({ segment, item, tier, score }: Place): SearchHit {
    return { segment: segment.number, item, tier, score, entry: segment.entries[item] ?? ["", "", "", "", ""] };
  }

  return { add, best };
}
