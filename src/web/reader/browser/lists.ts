/** Equals `ListedRow` of `src/web/reader/pages/listing.tsx`. */
type ListedRow = readonly [
  title: string,
  path: string,
  picture: string,
  note: string,
  summary: string,
  isPrivate: 0 | 1,
  lang: string,
  dir: string,
  modified: number,
];

/**
 * Orders and filters a list of cards. All rows are loaded when somebody asks for the first time.
 * The page shows as many cards as before, and its address holds what was asked.
 */
function listing(box: HTMLElement, tools: HTMLElement, cards: HTMLElement): void {
  const { rows: name = "", id = "", root = "", media = "" } = box.dataset;
  const perPage = 60;
  const load = createSearchLoad(root);
  const field = tools.querySelector<HTMLInputElement>("input");
  const order = tools.querySelector<HTMLSelectElement>("select");
  const told = tools.querySelector<HTMLElement>("[role=status]");
  const [empty, chip] = [
    tools.querySelector(".listing-samples > .empty"),
    tools.querySelector(".listing-samples > .chip"),
  ];
  const asked = new URLSearchParams(location.search);
  /** What the page had without a question. */
  const before = { cards: [...cards.children], pager: box.querySelector(".pager") };
  const titles = new Intl.Collator("en", { numeric: true });
  let loading: Promise<readonly ListedRow[]> | undefined;
  let page = Math.max(1, Math.trunc(Number(asked.get(`${id}-page`))) || 1);
  let latest = 0;

  function rows(): Promise<readonly ListedRow[]> {
    loading ??= load(name, String(Date.now())).then((json) => JSON.parse(json) as ListedRow[]);
    loading.catch(() => {
      loading = undefined;
    });
    return loading;
  }

  function queryOf(ofPage: number): URLSearchParams {
    const query = new URLSearchParams(location.search);
    const values = {
      filter: field?.value.trim() ?? "",
      order: order?.value ?? "",
      page: ofPage > 1 ? String(ofPage) : "",
    };
    for (const [key, value] of Object.entries(values))
      if (value === "") query.delete(`${id}-${key}`);
      else query.set(`${id}-${key}`, value);
    return query;
  }

  async function show(): Promise<void> {
    latest += 1;
    const own = latest;
    if (field?.value.trim() === "" && order?.value === "") {
      draw(before.cards, before.pager ?? undefined, "", 1);
      return;
    }
    try {
      const all = await rows();
      if (own === latest) drawRows(chosen(all), all.length);
    } catch {
      // The list stays as it was.
      if (own === latest && told !== null) told.textContent = "The list cannot be loaded. Reload the page.";
    }
  }

  function chosen(all: readonly ListedRow[]): readonly ListedRow[] {
    const words = searchTerms.typed(field?.value ?? "");
    const fits = ([title, , , , summary]: ListedRow): boolean => {
      const terms = [...searchTerms.placed(`${title} ${summary}`)].map(({ term }) => term);
      return words.every((word) => terms.some((term) => term.startsWith(word)));
    };
    const found = words.length === 0 ? [...all] : all.filter(fits);
    if (order?.value === "title") found.sort(([one], [other]) => titles.compare(one, other));
    if (order?.value === "updated") found.sort((one, other) => other[8] - one[8]);
    return found;
  }

  function drawRows(found: readonly ListedRow[], all: number): void {
    const pages = Math.ceil(found.length / perPage);
    const at = Math.max(1, Math.min(page, pages));
    const pager = pagerOf(at, pages, (to) => `?${queryOf(to)}#${id}`);
    const words =
      found.length === all ? "" : `${found.length.toLocaleString("en-US")} of ${all.toLocaleString("en-US")}`;
    draw(found.slice((at - 1) * perPage, at * perPage).map(card), pager, words, at);
  }

  function draw(shown: readonly Element[], pager: Element | undefined, words: string, at: number): void {
    cards.replaceChildren(...shown);
    box.querySelector(".pager")?.remove();
    if (pager !== undefined) box.append(pager);
    if (told !== null) told.textContent = words;
    rewriteAddress(queryOf(at));
  }

  function card([title, path, picture, note, summary, isPrivate, lang, dir]: ListedRow): HTMLLIElement {
    const words = document.createElement("div");
    words.className = "card-words";
    if (lang !== "") words.lang = lang;
    words.dir = dir;
    const link = document.createElement("a");
    link.className = "card-title";
    link.href = root + path;
    link.append(isolated(title));
    words.append(link);
    if (note !== "") words.append(withClass("span", "muted", document.createTextNode(note)));
    if (summary !== "") words.append(withClass("p", "card-text", isolated(summary)));
    if (isPrivate === 1 && chip !== null) words.append(chip.cloneNode(true));
    const item = document.createElement("li");
    item.className = "card";
    item.append(...pictureOf(picture), words);
    return item;
  }

  function pictureOf(address: string): readonly Node[] {
    const none = empty === null ? [] : [empty.cloneNode(true)];
    if (address === "") return none;
    const image = document.createElement("img");
    image.className = "card-picture";
    image.alt = "";
    image.loading = "lazy";
    image.decoding = "async";
    image.addEventListener("error", () => image.replaceWith(...none));
    image.src = media + address;
    return [image];
  }

  /** Its direction does not affect other text. */
  function isolated(text: string): HTMLElement {
    const made = document.createElement("bdi");
    made.textContent = text;
    return made;
  }

  function withClass(element: string, className: string, content: Node): HTMLElement {
    const made = document.createElement(element);
    made.className = className;
    made.append(content);
    return made;
  }

  function change(): void {
    page = 1;
    void show();
  }

  if (field === null || order === null) return;
  tools.hidden = false;
  field.value = asked.get(`${id}-filter`) ?? "";
  order.value = asked.get(`${id}-order`) ?? "";
  // A value that is not in the list.
  if (order.selectedIndex < 0) order.value = "";
  field.addEventListener("input", change);
  field.addEventListener("focus", () => void rows().catch(() => undefined));
  order.addEventListener("change", change);
  if (field.value.trim() !== "" || order.value !== "") void show();
}

for (const box of document.querySelectorAll<HTMLElement>(".listing")) {
  const [tools, cards] = [box.querySelector<HTMLElement>(".listing-tools"), box.querySelector<HTMLElement>(".cards")];
  if (tools !== null && cards !== null) listing(box, tools, cards);
}
