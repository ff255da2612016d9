/** All results of a search, twenty on a page: `search.html?q=WORDS&kind=guide&page=2`. */
function searchPage(field: HTMLInputElement, results: HTMLElement, kinds: HTMLElement): void {
  const root = results.dataset["root"] ?? "";
  const perPage = 20;
  /** Milliseconds between two requests for the state of a server's index. */
  const askEvery = 1500;
  const title = document.title;
  const index = createSearchIndex(createSearchLoad(root));
  const { find, stop } = createSearchFind(index, Number.POSITIVE_INFINITY);
  const list = createSearchResults(results, root, index);
  const { note, spoken, tell, silence } = createSearchNote(index);
  const asked = new URLSearchParams(location.search);
  const kind = asked.get("kind") ?? "";
  /** Typing begins at the first page. */
  let page = Math.max(1, Math.trunc(Number(asked.get("page"))) || 1);
  let searched = 0;
  document.querySelector("main search")?.append(spoken);

  function queryOf(ofKind: string, ofPage: number): URLSearchParams {
    const query = new URLSearchParams();
    if (field.value.trim() !== "") query.set("q", field.value.trim());
    if (ofKind !== "") query.set("kind", ofKind);
    if (ofPage > 1) query.set("page", String(ofPage));
    return query;
  }

  function draw(outcome: SearchOutcome): void {
    const hits = outcome.hits.filter(({ entry }) => kind === "" || entry[1] === kind);
    const pages = Math.ceil(hits.length / perPage);
    const at = Math.max(1, Math.min(page, pages));
    tell({ ...outcome, hits, count: hits.length });
    list.draw(note, { ...outcome, hits: hits.slice((at - 1) * perPage, at * perPage) }, field.value);
    const pager = pagerOf(at, pages, (to) => `?${queryOf(kind, to)}`);
    results.querySelector(".pager")?.remove();
    if (pager !== undefined) results.append(pager);
    drawKinds(outcome.hits);
    if (!outcome.isDone) return;
    rewriteAddress(queryOf(kind, at));
    document.title = field.value.trim() === "" ? title : `${field.value.trim()} · ${title}`;
  }

  function drawKinds(hits: readonly SearchHit[]): void {
    const counts = new Map<string, number>();
    for (const { entry } of hits) counts.set(entry[1], (counts.get(entry[1]) ?? 0) + 1);
    const links = ["", ...Object.keys(searchKinds)].flatMap((each) => {
      const count = each === "" ? hits.length : (counts.get(each) ?? 0);
      if (count === 0 && each !== kind) return [];
      const link = document.createElement("a");
      link.className = "chip";
      link.href = `?${queryOf(each, 1)}`;
      link.textContent = `${each === "" ? "All" : searchKindsOf(each)} ${count.toLocaleString("en-US")}`;
      if (each === kind) link.setAttribute("aria-current", "true");
      return [link];
    });
    kinds.replaceChildren(...links);
    kinds.hidden = links.length < 2;
  }

  function search(): void {
    searched = index.segments.length;
    if (field.value.trim() !== "") {
      if (index.isThere()) void find(field.value, draw);
      return;
    }
    stop();
    silence();
    list.clear();
    kinds.hidden = true;
    rewriteAddress(queryOf(kind, 1));
  }

  function load(): void {
    index.update(changed);
    if (index.state().state === "building") window.setTimeout(load, askEvery);
  }

  /** More items can be found, or loading failed. */
  function changed(): void {
    if (index.hasFailed()) draw({ hits: [], count: 0, isDone: true, near: undefined });
    else if (searched === 0 || index.segments.length !== searched || index.state().state !== "building") search();
  }

  field.value = asked.get("q") ?? "";
  field.addEventListener("input", () => {
    page = 1;
    search();
  });
  for (const place of [field, results])
    place.addEventListener("keydown", (event) => {
      if (list.move(event.key, () => field.focus())) event.preventDefault();
    });
  if (field.value === "") field.focus();
  load();
}

for (const results of document.querySelectorAll<HTMLElement>("#all-results")) {
  const [field, kinds] = [
    document.querySelector<HTMLInputElement>("#search"),
    document.querySelector<HTMLElement>("#search-kinds"),
  ];
  if (field !== null && kinds !== null) searchPage(field, results, kinds);
}
