/**
 * Searches while people type. In the list arrows move, Enter opens the first item, Shift and Enter
 * the page of all results, Esc closes.
 */
function searchBox(box: HTMLElement, field: HTMLInputElement, results: HTMLElement): void {
  const root = box.dataset["root"] ?? "";
  const index = createSearchIndex(createSearchLoad(root));
  /** Hits that a list below the field shows. */
  const most = 30;
  const { find, stop } = createSearchFind(index, most);
  const all = (typed: string): string => `${root}search.html?${new URLSearchParams({ q: typed.trim() })}`;
  const list = createSearchResults(results, root, index, all);
  const { note, spoken, tell, silence } = createSearchNote(index);
  box.append(spoken);
  /** Milliseconds between two requests for the state of a server's index. */
  const askEvery = 1500;
  let asking = 0;
  let outcome: SearchOutcome | undefined;
  /** Segments of that search. */
  let searched = 0;
  let opensFirst = false;
  /** The user waits for a list or sees one. */
  let isWanted = false;

  function draw(next: SearchOutcome): void {
    outcome = next;
    tell(next);
    list.draw(note, next, field.value);
    if (opensFirst && next.isDone) list.first()?.click();
  }

  function search(): void {
    isWanted = field.value.trim() !== "";
    searched = index.segments.length;
    // `changed` searches after loading.
    if (!isWanted) close();
    else if (index.isThere()) void find(field.value, draw);
  }

  function load(): void {
    index.update(changed);
    window.clearTimeout(asking);
    if (index.state().state === "building") asking = window.setTimeout(again, askEvery);
  }

  function again(): void {
    if (box.contains(document.activeElement)) load();
  }

  /** More items can be found, or loading failed. */
  function changed(): void {
    if (!isWanted || !box.contains(document.activeElement)) return;
    if (index.hasFailed()) draw({ hits: [], count: 0, isDone: true, near: undefined });
    else if (outcome === undefined || index.segments.length !== searched) search();
    else tell(outcome);
  }

  function close(): void {
    stop();
    isWanted = false;
    opensFirst = false;
    outcome = undefined;
    list.clear();
    silence();
  }

  function enter(event: KeyboardEvent): void {
    if (event.target !== field || event.isComposing) return;
    event.preventDefault();
    if (event.shiftKey) location.assign(all(field.value));
    else if (outcome?.isDone === true) list.first()?.click();
    else opensFirst = field.value.trim() !== "";
  }

  function leave(event: KeyboardEvent): void {
    if (results.hidden) return;
    event.preventDefault();
    field.focus();
    close();
  }

  function move(event: KeyboardEvent): void {
    if (list.move(event.key, () => field.focus())) event.preventDefault();
  }

  const keys: Readonly<Record<string, (event: KeyboardEvent) => void>> = { Enter: enter, Escape: leave };

  box.addEventListener("keydown", (event) => {
    const act = Object.hasOwn(keys, event.key) ? keys[event.key] : move;
    act?.(event);
  });
  field.addEventListener("input", () => {
    opensFirst = false;
    outcome = undefined;
    load();
    search();
  });
  field.addEventListener("focus", () => {
    load();
    if (results.hidden) search();
  });
  document.addEventListener("click", (event) => {
    if (event.target instanceof Node && !box.contains(event.target)) close();
  });
  box.addEventListener("focusout", ({ relatedTarget }) => {
    if (relatedTarget instanceof Node && !box.contains(relatedTarget)) close();
  });
}

for (const box of document.querySelectorAll<HTMLElement>("search")) {
  const field = box.querySelector<HTMLInputElement>("#search");
  const results = box.querySelector<HTMLElement>("#search-results");
  if (field !== null && results !== null) searchBox(box, field, results);
}
