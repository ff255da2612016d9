/** A row of a block, see `packedEntries` in entries.ts: places in its texts. */
type PackedRow = readonly [result: number, ...texts: readonly number[]];

interface EntryBlock {
  readonly texts: readonly string[];
  readonly rows: readonly PackedRow[];
}

interface ShownEntry {
  readonly block: EntryBlock;
  readonly row: PackedRow;
}

/** Places of the fields in a row. */
const FIELD = { key: 1, title: 2, code: 3, field: 4, message: 5, remedy: 6, command: 7, old: 8, now: 10 } as const;

/** A word of the filter: `code:dates`, `-kind:wiki`, `"two words"`. */
interface Term {
  readonly field: string;
  readonly text: string;
  readonly isNot: boolean;
}

const PREFIXES: readonly string[] = ["result", "kind", "code", "field", "key"];
/** Rows of a page. */
const WINDOW = 50;

/** Results with their words, in the order of the page. */
type Results = readonly (readonly [name: string, words: string])[];

/** The list of all entries: its filter, its pages of rows, and the addresses of both. */
class EntryTable {
  readonly #section: HTMLElement;
  readonly #body: HTMLElement;
  readonly #parts: ReturnType<typeof filterParts>;
  readonly #results: Results;
  readonly #blocks: readonly EntryBlock[];
  readonly #all: readonly ShownEntry[];
  readonly #addresses: ReadonlyMap<string, string>;
  readonly #chips = new Map<string, HTMLButtonElement>();
  #found: readonly ShownEntry[] = [];
  #from = 0;

  constructor(section: HTMLElement, filter: HTMLElement, body: HTMLElement) {
    this.#section = section;
    this.#body = body;
    this.#results = JSON.parse(section.dataset["results"] ?? "[]");
    this.#blocks = [...document.querySelectorAll("script.entries-data")].map(
      ({ textContent }): EntryBlock => JSON.parse(textContent),
    );
    const all = this.#blocks.flatMap((block) => block.rows.map((row): ShownEntry => ({ block, row })));
    this.#all = all.sort((one, other) => one.row[0] - other.row[0]);
    this.#addresses = newAddresses(this.#all);
    this.#parts = filterParts(filter);
    this.#addChips();
    this.#listen();
    this.search();
    this.#follow();
  }

  #addChips(): void {
    const counts = new Map<number, number>();
    for (const { row } of this.#all) counts.set(row[0], (counts.get(row[0]) ?? 0) + 1);
    for (const [at, [name, words]] of this.#results.entries()) {
      const count = counts.get(at);
      if (count === undefined) continue;
      const chip = element("button", "chip", `${words} ${count.toLocaleString("en-US")}`);
      chip.type = "button";
      chip.addEventListener("click", () => this.#toggle(`result:${name}`));
      this.#chips.set(name, chip);
      this.#parts.chips.append(chip);
    }
  }

  #listen(): void {
    const { form, input, pages } = this.#parts;
    form.addEventListener("submit", (event) => event.preventDefault());
    input.addEventListener("input", () => this.#searchAnew());
    pages.addEventListener("click", ({ target }) => {
      if (!(target instanceof HTMLButtonElement)) return;
      this.#from = Math.max(0, this.#from + (target.name === "next" ? WINDOW : -WINDOW));
      this.#show();
      this.#section.scrollIntoView();
    });
    addEventListener("hashchange", () => this.#follow());
    addEventListener("keydown", (event) => onKey(event, input, () => this.#searchAnew()));
  }

  /** Adds a term to the filter, or removes it. */
  #toggle(term: string): void {
    const { input } = this.#parts;
    const words = input.value.split(/\s+/).filter((word) => word !== "");
    const left = words.filter((word) => word !== term);
    input.value = (left.length < words.length ? left : [...words, term]).join(" ");
    this.#searchAnew();
  }

  /** The address of the page keeps the filter. */
  #searchAnew(): void {
    this.search();
    const filter = this.#parts.input.value.trim();
    history.replaceState(null, "", filter === "" ? "#entries" : `#find=${encodeURIComponent(filter)}`);
  }

  /** Shows what matches the filter, from its first entry. */
  search(): void {
    const terms = termsOf(this.#parts.input.value);
    this.#found = terms.length === 0 ? this.#all : matching(this.#blocks, this.#all, terms, this.#results);
    this.#from = 0;
    const isChosen = (name: string): boolean =>
      terms.some(({ field, text, isNot }) => field === "result" && text === name && !isNot);
    for (const [name, chip] of this.#chips) chip.setAttribute("aria-pressed", String(isChosen(name)));
    this.#show();
  }

  #show(): void {
    const [found, from] = [this.#found, this.#from];
    const rows = found.slice(from, from + WINDOW);
    const toggle = (term: string): void => this.#toggle(term);
    this.#body.replaceChildren(...rows.map((entry) => rowOf(entry, this.#results, this.#addresses, toggle)));
    const [first, last, matches, total] = [from + 1, from + rows.length, found.length, this.#all.length].map((count) =>
      count.toLocaleString("en-US"),
    );
    const shown =
      rows.length === 0
        ? "No entry matches"
        : `${first} to ${last} of ${matches} ${found.length === 1 ? "entry" : "entries"}`;
    const { status, pages } = this.#parts;
    status.textContent = found.length === this.#all.length ? `${shown}.` : `${shown}, ${total} in total.`;
    pages.hidden = found.length <= WINDOW;
    const [back, next] = pages.querySelectorAll("button");
    if (back !== undefined) back.disabled = from === 0;
    if (next !== undefined) next.disabled = from + WINDOW >= found.length;
  }

  /** Shows the filter or the entry that the address of the page names. */
  #follow(): void {
    const [, what = "", text = ""] = /^#(find|entry)=(.*)$/s.exec(location.hash) ?? [];
    if (what === "") return;
    const wanted = decoded(text);
    this.#parts.input.value = what === "find" ? wanted : "";
    this.search();
    const at = what === "find" ? -1 : this.#all.findIndex((entry) => nameOf(entry, this.#results) === wanted);
    if (at < 0) {
      this.#section.scrollIntoView();
      return;
    }
    this.#from = at - (at % WINDOW);
    this.#show();
    const row = this.#body.children[at - this.#from];
    row?.classList.add("wanted");
    row?.scrollIntoView({ block: "center" });
    row?.querySelector<HTMLElement>(".entry-link")?.focus({ preventScroll: true });
  }
}

/** `/` goes to the filter, `j` and `k` from entry to entry, Escape empties the filter. */
function onKey(event: KeyboardEvent, input: HTMLInputElement, search: () => void): void {
  const { key, target } = event;
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const isTyping = target instanceof HTMLInputElement;
  if (key === "Escape" && target === input) {
    input.value = "";
    search();
  } else if (isTyping) return;
  else if (key === "/") {
    event.preventDefault();
    input.scrollIntoView({ block: "nearest" });
    input.focus();
  } else if (key === "j" || key === "k") {
    const links = [...document.querySelectorAll<HTMLElement>(".entry-link")];
    const at = links.findIndex((link) => link.matches(":focus"));
    const next = links[key === "j" ? at + 1 : Math.max(0, at - 1)];
    next?.focus();
    next?.scrollIntoView({ block: "nearest" });
  }
}

function filterParts(place: HTMLElement) {
  const form = element("form", "entries-form");
  const label = element("label", "", "Filter");
  label.htmlFor = "entries-find";
  const input = element("input", "entries-find");
  Object.assign(input, { id: "entries-find", type: "search", autocomplete: "off", spellcheck: false });
  input.placeholder = "words, code:dates, kind:guide, -result:note";
  const chips = element("p", "chips");
  const status = element("p", "muted");
  status.setAttribute("role", "status");
  const pages = element("p", "entries-pages");
  for (const [name, words] of [
    ["back", "Previous 50"],
    ["next", "Next 50"],
  ] as const) {
    const button = element("button", "button", words);
    Object.assign(button, { type: "button", name });
    pages.append(button);
  }
  const help = element(
    "p",
    "muted",
    `Every word must match. Prefixes: ${PREFIXES.map((prefix) => `${prefix}:`).join(" ")} A minus excludes. Keys: / filter, j and k next and previous entry.`,
  );
  form.append(label, input);
  place.append(form, chips, help, status, pages);
  return { form, input, chips, status, pages };
}

/** Addresses on the target by key, from the entries that list them. */
function newAddresses(all: readonly ShownEntry[]): ReadonlyMap<string, string> {
  const known = new Map<string, string>();
  for (const entry of all) {
    const address = addressIn(entry, FIELD.now);
    if (address !== "") known.set(textIn(entry, FIELD.key), address);
  }
  return known;
}

function textIn({ block, row }: ShownEntry, field: number): string {
  return block.texts[row[field] ?? -1] ?? "";
}

function addressIn(entry: ShownEntry, field: number): string {
  const address = textIn(entry, field) + textIn(entry, field + 1);
  return /^https?:\/\//i.test(address) ? address : "";
}

/** The permanent name of an entry. */
function nameOf(entry: ShownEntry, results: Results): string {
  const result = results[entry.row[0]]?.[0] ?? "";
  return [result, ...[FIELD.key, FIELD.code, FIELD.field].map((field) => textIn(entry, field))].join("|");
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function termsOf(filter: string): readonly Term[] {
  const terms = filter.matchAll(/(-?)(?:([a-z]+):)?(?:"([^"]*)"?|(\S+))/g);
  return [...terms].map(([whole, minus, prefix = "", quoted, word]) => {
    const isKnown = prefix === "" || PREFIXES.includes(prefix);
    const text = isKnown ? (quoted ?? word ?? "") : whole.replace(/^-/, "");
    return { field: isKnown ? prefix : "", text: text.toLowerCase(), isNot: minus !== "" };
  });
}

/**
 * Terms with one prefix are alternatives, all others have to match. Each text is compared once, not
 * once for each row that has it.
 */
function matching(
  blocks: readonly EntryBlock[],
  all: readonly ShownEntry[],
  terms: readonly Term[],
  results: Results,
): readonly ShownEntry[] {
  const texts = new Map(blocks.map((block) => [block, block.texts.map((text) => text.toLowerCase())]));
  const hits = terms.map(
    ({ text }) => new Map([...texts].map(([block, lower]) => [block, lower.map((each) => each.includes(text))])),
  );
  const matches = ({ block, row }: ShownEntry, { field, text }: Term, at: number): boolean => {
    if (field === "result") return results[row[0]]?.[0] === text;
    if (field === "kind") return (texts.get(block)?.[row[FIELD.key] ?? -1] ?? "").startsWith(`${text}/`);
    if (field === "code") return texts.get(block)?.[row[FIELD.code] ?? -1] === text;
    const own = hits[at]?.get(block) ?? [];
    if (field === "key") return own[row[FIELD.key] ?? -1] === true;
    if (field === "field") return own[row[FIELD.field] ?? -1] === true;
    return row.some((place, cell) => cell > 0 && own[place] === true);
  };
  const alternatives = new Set(terms.filter(({ field, isNot }) => field !== "" && !isNot).map(({ field }) => field));
  return all.filter(
    (entry) =>
      terms.every((term, at) =>
        term.isNot ? !matches(entry, term, at) : term.field !== "" || matches(entry, term, at),
      ) &&
      [...alternatives].every((name) =>
        terms.some((term, at) => term.field === name && !term.isNot && matches(entry, term, at)),
      ),
  );
}

/** The same row as `EntryRow` in entry-list.tsx; all texts of sites are text nodes. */
function rowOf(
  entry: ShownEntry,
  results: Results,
  addresses: ReadonlyMap<string, string>,
  toggle: (term: string) => void,
): HTMLTableRowElement {
  const [name = "", words = ""] = results[entry.row[0]] ?? [];
  const [key, title, code] = [FIELD.key, FIELD.title, FIELD.code].map((field) => textIn(entry, field));
  const row = element("tr");
  const result = element("td");
  const link = element("a", "entry-link", "#");
  link.href = `#entry=${encodeURIComponent(nameOf(entry, results))}`;
  link.setAttribute("aria-label", `Link to this entry: ${title || key}`);
  result.append(element("span", `chip result is-${name}`, words), " ", link);
  const item = element("th");
  item.scope = "row";
  const known = element("strong");
  known.append(isolated(title || key || ""));
  const keyed = element("code", "muted");
  keyed.append(isolated(key ?? ""));
  item.append(known, element("br"), title === "" ? "" : keyed);
  const now = addressIn(entry, FIELD.now) || addresses.get(key ?? "") || "";
  for (const [address, where] of [
    [addressIn(entry, FIELD.old), "source"],
    [now, "target"],
  ] as const)
    if (address !== "") item.append(" ", addressLink(address, name === "moved" ? address : where));
  row.append(result, item, whatHappened(entry, code ?? "", toggle));
  return row;
}

function whatHappened(entry: ShownEntry, code: string, toggle: (term: string) => void): HTMLTableCellElement {
  const [field = "", message = "", remedy = "", command = ""] = [
    FIELD.field,
    FIELD.message,
    FIELD.remedy,
    FIELD.command,
  ].map((each) => textIn(entry, each));
  const cell = element("td");
  if (field !== "") cell.append(element("span", "muted", `${field.charAt(0).toUpperCase()}${field.slice(1)}: `));
  cell.append(isolated(message));
  if (remedy !== "") {
    const line = element("span", "remedy");
    line.append(isolated(remedy));
    cell.append(line);
  }
  if (command !== "") {
    const line = element("span", "remedy", "To include it: ");
    const text = element("code");
    text.append(isolated(command));
    line.append(text, " ", copyButton(command));
    cell.append(line);
  }
  if (code !== "") {
    const button = element("button", "code-chip", code);
    Object.assign(button, { type: "button", title: `Show entries with ${code} only, or all again` });
    button.addEventListener("click", () => toggle(`code:${code}`));
    cell.append(" ", button);
  }
  return cell;
}

function addressLink(address: string, words: string): HTMLAnchorElement {
  const link = element("a");
  link.href = address;
  link.rel = "noreferrer noopener";
  link.append(isolated(words));
  return link;
}

/** Its direction does not affect other text. */
function isolated(text: string): HTMLElement {
  const part = element("bdi");
  part.textContent = text;
  return part;
}

function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  className = "",
  text = "",
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  if (className !== "") made.className = className;
  if (text !== "") made.textContent = text;
  return made;
}

/** Copies a command line; where the browser refuses, it selects it. */
function copyButton(command: string): HTMLButtonElement {
  const button = element("button", "copy not-printed", "Copy");
  button.type = "button";
  button.addEventListener("click", () => {
    const said = (words: string): void => {
      button.textContent = words;
    };
    navigator.clipboard.writeText(command).then(
      () => said("Copied"),
      () => {
        const text = button.previousElementSibling;
        if (text !== null) getSelection()?.selectAllChildren(text);
        said("Press Ctrl-C");
      },
    );
  });
  return button;
}

for (const command of document.querySelectorAll<HTMLElement>("code.command"))
  command.after(" ", copyButton(command.textContent ?? ""));
const [list, filter, rows] = ["#entries", "#entries-filter", "#entries tbody"].map((selector) =>
  document.querySelector<HTMLElement>(selector),
);
if (list && filter && rows) {
  for (const link of document.querySelectorAll<HTMLElement>(".find-all")) link.hidden = false;
  document.querySelector("#entries-note")?.remove();
  new EntryTable(list, filter, rows);
}
