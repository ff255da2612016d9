type Tier = 0 | 1 | 2;

interface SearchHit {
  readonly segment: number;
  readonly item: number;
  readonly entry: FoundEntry;
  readonly score: number;
  /** Zero: title, tags or category have all words; 1: all but the word being typed; 2: the text. */
  readonly tier: Tier;
}

interface SearchOutcome {
  /** Best first. */
  readonly hits: readonly SearchHit[];
  readonly count: number;
  readonly isDone: boolean;
  /** Similar terms that were searched where nothing has the words; else undefined. */
  readonly near: ReadonlySet<string> | undefined;
}

/** Searches segment by segment and yields to the page between them. `most`: hits of an outcome. */
function createSearchFind(index: ReturnType<typeof createSearchIndex>, most: number) {
  /** Milliseconds of work between yields, and before partial results are shown. */
  const atOnce = 8;
  const shownAfter = 60;
  const channel = new MessageChannel();
  const turns: (() => void)[] = [];
  channel.port1.onmessage = () => turns.shift()?.();
  let since = 0;
  /** Number of the newest search; it ends older ones. */
  let latest = 0;

  async function giveWay(): Promise<void> {
    if (performance.now() - since < atOnce) return;
    // Browsers delay timers.
    await new Promise<void>((resolve) => {
      turns.push(resolve);
      channel.port2.postMessage(0);
    });
    since = performance.now();
  }

  type ProbesOf = (word: SearchWord, segment: SearchSegment) => Promise<readonly Probe[]>;

  /** Loads what a search needs of a segment. Rejects where that fails. */
  async function loaded(segment: SearchSegment, words: readonly SearchWord[], probesOf: ProbesOf) {
    const needs = await Promise.all(
      words.map(async (word) => {
        const probes = await probesOf(word, segment);
        const numbers = new Set(probes.flatMap((probe) => searchMatch.partsOf(segment, probe)));
        const parts = [...numbers].map(async (at) => [at, await index.part(segment, at)] as const);
        return { probes, parts: new Map(await Promise.all(parts)) };
      }),
    );
    return () => needs.map(({ probes, parts }) => searchMatch.match(segment, probes, parts));
  }

  /**
   * Calls `show` with partial results too. `typed`: the content of the field. Ends silently when a
   * newer search began, or the index can't be loaded.
   */
  async function find(typed: string, show: (outcome: SearchOutcome) => void): Promise<void> {
    latest += 1;
    const own = latest;
    const begun = performance.now();
    since = begun;
    const words = searchProbes.words(typed);
    let shown = false;

    /** Returns the number of items; undefined: a newer search began. */
    async function run(probesOf: ProbesOf, near: ReadonlySet<string> | undefined): Promise<number | undefined> {
      const ranking = createSearchRanking(words, most);
      const loading = index.segments.map((segment) => loaded(segment, words, probesOf));
      for (const each of loading) each.catch(() => undefined);
      for (const [at, segment] of [...index.segments].entries()) {
        const matches = await loading[at];
        await giveWay();
        if (own !== latest || matches === undefined) return undefined;
        ranking.add(segment, matches());
        if (!shown && performance.now() - begun > shownAfter) {
          const { hits, count } = ranking.best();
          shown = count > 0;
          if (shown) show({ hits, count, isDone: false, near });
        }
      }
      const { hits, count } = ranking.best();
      if (count > 0 || near !== undefined) show({ hits, count, isDone: true, near });
      return count;
    }

    if (words.length === 0) return show({ hits: [], count: 0, isDone: true, near: undefined });
    try {
      const count = await run(async (word) => searchProbes.exact(word), undefined);
      if (count !== 0) return;
      const near = new Set<string>();
      await run(async (word, segment) => {
        const probes = [...searchProbes.exact(word)];
        if (searchProbes.limit(word) === 0) return probes;
        const all = await index.allTerms(segment);
        await giveWay();
        if (own !== latest) return probes;
        const like = searchProbes.near(word, all);
        for (const { from } of like) near.add(from);
        return [...probes, ...like];
      }, near);
    } catch {
      index.fail();
      if (own === latest) show({ hits: [], count: 0, isDone: true, near: undefined });
    }
  }

  function stop(): void {
    latest += 1;
  }

  return { find, stop };
}
