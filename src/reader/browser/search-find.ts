type Tier = 0 | 1 | 2;

/** A found item. */
interface SearchHit {
  readonly shard: number;
  readonly id: number;
  readonly entry: FoundEntry;
  readonly score: number;
  /** 0: by its title, tags or category; 1: by those without the word that is being typed; 2: by its text. */
  readonly tier: Tier;
  readonly terms: ReadonlySet<string>;
}

/** What was found so far. */
interface SearchOutcome {
  /** The best ones, best first. */
  readonly hits: readonly SearchHit[];
  readonly count: number;
  readonly isDone: boolean;
  /** Nothing has just these words: words like them were looked for. */
  readonly isNear: boolean;
}

/** Searches the loaded parts, one after the other, giving way to the page between them. */
function createSearchFind(shards: readonly LoadedShard[]) {
  /** Hits that a list shows. */
  const most = 30;
  /** Milliseconds of work after which the page has its turn, and after which what was found is shown although there may be more. */
  const atOnce = 10;
  const shownAfter = 70;
  const channel = new MessageChannel();
  const turns: (() => void)[] = [];
  channel.port1.onmessage = () => turns.shift()?.();
  let since = 0;
  /** Searches by their order: a newer one ends those before it. */
  let latest = 0;

  async function giveWay(): Promise<void> {
    if (performance.now() - since < atOnce) return;
    // Sooner than a timer, which browsers delay.
    await new Promise<void>((resolve) => {
      turns.push(resolve);
      channel.port2.postMessage(0);
    });
    since = performance.now();
  }

  const isJoined = (term: string): boolean =>
    /[\u0E00-\u0EFF\u1000-\u109F\u1780-\u17FF\u3040-\u30FF\u3400-\u9FFF]/.test(term);

  interface Pass {
    readonly tier: Tier;
    readonly terms: readonly string[];
    readonly options: object;
  }

  const common = {
    combineWith: "AND",
    boost: { title: 4, tags: 2, where: 1 },
    weights: { prefix: 0.6, fuzzy: 0.3 },
    processTerm: (term: string) => term,
  };

  /** By titles any beginning of a word counts; texts have too many words that begin with one letter or two. */
  function exactly(terms: readonly string[], isOpen: boolean): readonly Pass[] {
    const last = terms.at(-1) ?? "";
    const isShort = (term: string): boolean => term.length < 3 && !isJoined(term);
    // The word that is being typed counts once it is long enough.
    const isTyping = isOpen && terms.length > 1 && isShort(last);
    const words = isTyping ? terms.slice(0, -1) : terms;
    const anyBeginning = { ...common, prefix: true };
    return [
      { tier: 0, terms, options: anyBeginning },
      ...(isTyping ? [{ tier: 1, terms: words, options: anyBeginning } as const] : []),
      { tier: 2, terms: words, options: { ...common, prefix: (term: string) => !isShort(term) } },
    ];
  }

  /** A letter more, less or another in words of four; two of them, or two that changed places, in words of six. */
  function nearly(terms: readonly string[]): readonly Pass[] {
    const fuzzy = (term: string): number | false => (term.length < 4 ? false : term.length < 6 ? 1 : 2);
    const options = { ...common, prefix: (term: string) => term.length >= 3, fuzzy };
    return [
      { tier: 0, terms, options },
      { tier: 2, terms, options },
    ];
  }

  /** Shows what it finds, more than once. `typed`: as it stands in the field. Throws nothing; ends without a word when a newer search began. */
  async function find(typed: string, show: (outcome: SearchOutcome) => void): Promise<void> {
    latest += 1;
    const own = latest;
    const begun = performance.now();
    since = begun;
    const terms = searchTerms.typed(typed).slice(0, 12);
    let shown = false;

    async function run(passes: readonly Pass[], isNear: boolean): Promise<number | undefined> {
      let hits: SearchHit[] = [];
      let count = 0;
      const titled = shards.map(() => new Set<number>());
      for (const pass of passes) {
        for (const [number, shard] of shards.entries()) {
          await giveWay();
          if (own !== latest) return undefined;
          const index = pass.tier === 2 ? shard.words : shard.titles;
          const before = titled[number];
          const found = (index === undefined ? [] : index.search("-", optionsOf(pass))).filter(
            ({ id }) => before?.has(id) !== true,
          );
          if (pass.tier < 2) for (const { id } of found) before?.add(id);
          count += found.length;
          hits = [...hits, ...found.slice(0, most).map((hit) => hitOf(shard, number, pass.tier, hit))]
            .sort(byRank)
            .slice(0, most);
          if (hits.length > 0 && !shown && performance.now() - begun > shownAfter) {
            shown = true;
            show({ hits, count, isDone: false, isNear });
          }
        }
      }
      if (count > 0 || isNear) show({ hits, count, isDone: true, isNear });
      return count;
    }

    if (terms.length === 0) return show({ hits: [], count: 0, isDone: true, isNear: false });
    const count = await run(exactly(terms, !/\s$/.test(typed)), false);
    if (count === 0) await run(nearly(terms), true);
  }

  /** The terms are known already: MiniSearch is not to divide anything. */
  function optionsOf({ terms, options }: Pass): object {
    return { ...options, tokenize: () => terms };
  }

  function hitOf({ entries }: LoadedShard, shard: number, tier: Tier, { id, score, terms }: IndexHit): SearchHit {
    return { shard, id, entry: entries[id] ?? ["", "", "", "", ""], score, tier, terms: new Set(terms) };
  }

  function byRank(one: SearchHit, other: SearchHit): number {
    return one.tier - other.tier || other.score - one.score || one.shard - other.shard || one.id - other.id;
  }

  function stop(): void {
    latest += 1;
  }

  return { find, stop };
}
