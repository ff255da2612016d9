const searchKinds: Readonly<Record<string, string>> = {
  guide: "Guide",
  category: "Category",
  wiki: "Page",
  document: "File",
};

/** `Guides`, for more than one. */
function searchKindsOf(kind: string): string {
  return kind === "category" ? "Categories" : `${searchKinds[kind] ?? "Item"}s`;
}

interface Looked {
  readonly typed: readonly string[];
  readonly near: ReadonlySet<string> | undefined;
}

/**
 * Renders found items as a list of links. `root`: the path to the root of the snapshot.
 */
function createSearchList(root: string) {
  /** Characters of a shown text, and of those before the first match. */
  const longest = 180;
  const before = 50;
  /** Matches that are compared for the best part of a text. */
  const mostPlaces = 300;

  type Range = readonly [start: number, end: number];

  /**
   * Ranges of the matched words. One or two letters match at the beginning of words of titles, and
   * whole words of texts.
   */
  function found(text: string, isTitle: boolean, { typed, near }: Looked): Range[] {
    const ranges: Range[] = [];
    const isOne = (term: string): boolean =>
      near?.has(term) === true ||
      typed.some((each) =>
        each.length < 3 && !isTitle && !searchTerms.isJoined(each) ? term === each : term.startsWith(each),
      );
    for (const { term, start, end } of searchTerms.placed(text)) {
      if (!isOne(term)) continue;
      const last = ranges.at(-1);
      // Pairs of neighbouring characters overlap.
      if (last !== undefined && start < last[1]) ranges[ranges.length - 1] = [last[0], Math.max(end, last[1])];
      else ranges.push([start, end]);
      if (ranges.length >= mostPlaces) break;
    }
    return ranges;
  }

  /** The part of a text with the most matches. */
  function bestPart(text: string, ranges: readonly Range[]): Range {
    let [best, most] = [0, 0];
    for (const [at, [start]] of ranges.entries()) {
      const words = new Set<string>();
      for (let next = at; next < ranges.length; next += 1) {
        const range = ranges[next];
        if (range === undefined || range[1] > start + longest - before) break;
        words.add(text.slice(...range).toLowerCase());
      }
      if (words.size > most) [best, most] = [start, words.size];
    }
    const start = best <= before ? 0 : wordAt(text, best - before);
    return [start, Math.min(text.length, start + longest)];
  }

  function wordAt(text: string, place: number): number {
    const blank = text.indexOf(" ", place);
    return blank === -1 || blank > place + before ? place : blank + 1;
  }

  /** The characters from `start` to `end` with marked matches. */
  function marked(text: string, ranges: readonly Range[], [start, end]: Range): Node[] {
    const nodes: Node[] = [];
    let at = start;
    for (const [from, to] of ranges) {
      if (from < at || to > end) continue;
      if (from > at) nodes.push(document.createTextNode(text.slice(at, from)));
      const mark = document.createElement("mark");
      mark.textContent = text.slice(from, to);
      nodes.push(mark);
      at = to;
    }
    if (at < end) nodes.push(document.createTextNode(text.slice(at, end)));
    return nodes;
  }

  function span(name: string, nodes: readonly Node[]): HTMLSpanElement {
    const made = document.createElement("span");
    made.className = name;
    made.append(...nodes);
    return made;
  }

  function row({ entry }: SearchHit, looked: Looked): HTMLLIElement {
    const [title, kind, where, path, language] = entry;
    const link = document.createElement("a");
    link.href = root + path;
    const name = span("hit-title", marked(title, found(title, true, looked), [0, title.length]));
    if (/^[a-z]{2,3}(?:-[a-z0-9]{1,8})*$/i.test(language)) name.lang = language;
    name.dir = "auto";
    const place = [searchKinds[kind] ?? "", where].filter((each) => each !== "").join(" · ");
    const text = span("hit-text", []);
    text.dir = "auto";
    link.append(name, span("hit-where", [document.createTextNode(place)]), text);
    const item = document.createElement("li");
    item.className = "hit";
    item.append(link);
    return item;
  }

  /** Adds the matching part of a text to its row. */
  function showText(item: HTMLLIElement, text: string, looked: Looked): void {
    const ranges = found(text, false, looked);
    const [start, end] = bestPart(text, ranges);
    const ends = (isCut: boolean): Node[] => (isCut ? [document.createTextNode("…")] : []);
    const nodes = [...ends(start > 0), ...marked(text, ranges, [start, end]), ...ends(end < text.length)];
    item.querySelector(".hit-text")?.replaceChildren(...nodes);
  }

  return { row, showText };
}
