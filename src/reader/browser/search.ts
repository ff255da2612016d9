/** Finds while one types. The list is one of links: arrows move in it, Enter opens the first, Esc closes. */
function searchBox(box: HTMLElement, field: HTMLInputElement, results: HTMLElement): void {
  const root = box.dataset["root"] ?? "";
  const files = createSearchShards(root);
  const { find, stop } = createSearchFind(files.shards);
  const { row, showText } = createSearchList(root);
  /** Milliseconds between two questions how far a server's index is, and of rest before a number is spoken. */
  const askEvery = 1500;
  const speakAfter = 600;

  const list = document.createElement("ul");
  list.className = "hits";
  const note = document.createElement("p");
  note.className = "muted";
  const spoken = document.createElement("p");
  spoken.className = "unseen";
  spoken.setAttribute("role", "status");
  box.append(spoken);

  let speaking = 0;
  let asking = 0;
  /** Nobody searches any more when it settles. */
  let busy: Promise<void> = Promise.resolve();
  /** What the list shows. */
  let outcome: SearchOutcome | undefined;
  let drawn = 0;
  let opensFirst = false;
  /** Somebody waits for a list, or looks at one. */
  let isWanted = false;

  function links(): HTMLAnchorElement[] {
    return [...list.querySelectorAll("a")];
  }

  const numbers = new Intl.NumberFormat("en");

  function countWords({ count, isDone, isNear }: SearchOutcome): string {
    const number = numbers.format(count);
    if (!isDone) return `${number} results so far`;
    if (count === 0) return "Nothing found";
    const words = count === 1 ? "1 result" : `${number} results`;
    return isNear ? `Nothing has just these words; ${words} with words like them` : words;
  }

  /** Empty: all can be found. */
  function progressWords(): string {
    const { state, done, total, shards } = files.state();
    if (files.hasFailed()) return "Search can't be loaded here.";
    if (state === "broken")
      return `Only ${numbers.format(done)} of ${numbers.format(total)} items can be found: reading the archive ended early.`;
    if (state === "building") return `${numbers.format(done)} of ${numbers.format(total)} items can be found so far.`;
    if (files.isLoaded()) return "";
    const loaded = files.shards.filter(({ words }) => words !== undefined).length;
    return `Texts are being loaded: ${loaded} of ${shards} parts.`;
  }

  function speak(words: string): void {
    window.clearTimeout(speaking);
    speaking = window.setTimeout(() => {
      spoken.textContent = words;
    }, speakAfter);
  }

  function draw(next: SearchOutcome): void {
    outcome = next;
    const words = [countWords(next), progressWords()].filter((each) => each !== "").join(". ");
    note.textContent =
      next.count > next.hits.length && next.isDone ? `${words}, the best ${next.hits.length} are shown` : words;
    if (next.isDone) speak(note.textContent);
    // Nobody's place in the list is taken away.
    if (list.contains(document.activeElement)) return;
    const typed = searchTerms.typed(field.value);
    const rows = next.hits.map((hit) => ({ hit, item: row(hit, typed) }));
    list.replaceChildren(...rows.map(({ item }) => item));
    results.replaceChildren(note, list);
    results.hidden = false;
    drawn += 1;
    void showTexts(rows, typed, drawn);
    if (opensFirst && next.isDone) links()[0]?.click();
  }

  async function showTexts(
    rows: readonly { readonly hit: SearchHit; readonly item: HTMLLIElement }[],
    typed: readonly string[],
    own: number,
  ): Promise<void> {
    for (const { hit, item } of rows) {
      let text = "";
      try {
        text = await files.text(hit.shard, hit.id);
      } catch {
        // The hit stands without its text.
        text = "";
      }
      if (own !== drawn) return;
      showText(item, text, typed, hit.terms);
    }
  }

  function search(): void {
    if (field.value.trim() === "") close();
    else {
      isWanted = true;
      busy = find(field.value, draw);
    }
  }

  function load(): void {
    files.update(changed, () => busy);
    window.clearTimeout(asking);
    if (files.state().state === "building") asking = window.setTimeout(again, askEvery);
  }

  function again(): void {
    if (box.contains(document.activeElement)) load();
  }

  /** More can be found now. */
  function changed(): void {
    if (isWanted && box.contains(document.activeElement) && outcome?.isDone !== false) search();
  }

  function close(): void {
    stop();
    isWanted = false;
    opensFirst = false;
    outcome = undefined;
    results.hidden = true;
    list.replaceChildren();
    window.clearTimeout(speaking);
    spoken.textContent = "";
  }

  function move(event: KeyboardEvent): void {
    const all = links();
    const at = all.findIndex((link) => link.matches(":focus"));
    const goals: Readonly<Record<string, number>> = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      Home: 0,
      End: all.length - 1,
    };
    const goal = Object.hasOwn(goals, event.key) ? goals[event.key] : undefined;
    // In the field itself they move in what was typed.
    if (goal === undefined || (at === -1 && event.key !== "ArrowDown")) return;
    event.preventDefault();
    if (goal < 0) field.focus();
    else all[goal]?.focus();
  }

  function enter(event: KeyboardEvent): void {
    if (event.target !== field || event.isComposing) return;
    event.preventDefault();
    const first = links()[0];
    if (first !== undefined && outcome?.isDone === true) first.click();
    else opensFirst = field.value.trim() !== "";
  }

  function leave(event: KeyboardEvent): void {
    if (results.hidden) return;
    event.preventDefault();
    field.focus();
    close();
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
