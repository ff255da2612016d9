/**
 * `root`: the path from the page to the root of the snapshot. `all`: the address of the page of all
 * results of what was typed; undefined: this is that page.
 */
function createSearchResults(
  results: HTMLElement,
  root: string,
  index: ReturnType<typeof createSearchIndex>,
  all?: (typed: string) => string,
) {
  const { row, showText } = createSearchList(root);
  const list = document.createElement("ul");
  list.className = "hits";
  list.setAttribute("role", "list");
  let drawn = 0;

  function links(): HTMLAnchorElement[] {
    return [...list.querySelectorAll("a")];
  }

  function allLink(address: string, count: number): HTMLLIElement {
    const link = document.createElement("a");
    link.href = address;
    link.textContent = count === 1 ? "Show the result on a page" : `Show all ${count.toLocaleString("en-US")} results`;
    const item = document.createElement("li");
    item.className = "hit all-hits";
    item.append(link);
    return item;
  }

  function draw(note: HTMLElement, { hits, count, near }: SearchOutcome, typed: string): void {
    // Keeps the focused link.
    if (list.contains(document.activeElement)) return;
    const looked = { typed: searchTerms.typed(typed), near };
    const rows = hits.map((hit) => ({ hit, item: row(hit, looked) }));
    list.replaceChildren(...rows.map(({ item }) => item));
    if (all !== undefined && count > 0) list.append(allLink(all(typed), count));
    results.replaceChildren(note, list);
    results.hidden = false;
    drawn += 1;
    void showTexts(rows, looked, drawn);
  }

  async function showTexts(
    rows: readonly { readonly hit: SearchHit; readonly item: HTMLLIElement }[],
    looked: Looked,
    own: number,
  ): Promise<void> {
    for (const { hit, item } of rows) {
      let text = "";
      try {
        text = await index.text(hit.segment, hit.item);
      } catch {
        // The item stays without its text.
        text = "";
      }
      if (own !== drawn) return;
      showText(item, text, looked);
    }
  }

  function clear(): void {
    drawn += 1;
    results.hidden = true;
    list.replaceChildren();
  }

  /**
   * Moves the focus by a key; `leave`: from the first link upward. Returns whether the key is
   * handled.
   */
  function move(key: string, leave: () => void): boolean {
    const all = links();
    const at = all.findIndex((link) => link.matches(":focus"));
    const goals: Readonly<Record<string, number>> = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      Home: 0,
      End: all.length - 1,
    };
    const goal = Object.hasOwn(goals, key) ? goals[key] : undefined;
    // In the field these keys move the cursor.
    if (goal === undefined || (at === -1 && key !== "ArrowDown")) return false;
    if (goal < 0) leave();
    else all[goal]?.focus();
    return true;
  }

  return { draw, clear, move, first: () => links()[0] };
}
