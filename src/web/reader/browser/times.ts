/** See `timesScript` of `src/web/reader/export/export-site.tsx`. */
interface ReaderTime {
  readonly id: string;
  /** `20 November 2026`, and with the minute. */
  readonly day: string;
  readonly moment: string;
}

/** See `TimeChanges` of `src/web/reader/export/export-snapshot.ts`. */
interface PageChanges {
  readonly before: string;
  readonly came: readonly string[];
  readonly changed: readonly string[];
  readonly went: readonly string[];
}

type PageChange = "came" | "changed" | "went";

const receivedTimes = new Map<string, unknown>();

/** Files with snapshots and changes call this on pages from a disk, which may load scripts only. */
function readerTimes(name: string, value: unknown): void {
  receivedTimes.set(name, value);
}

function createTimes(root: string, path: string) {
  const loading = new Map<string, Promise<unknown>>();
  const own = decodeURIComponent(new URL(`${root}.`, location.href).pathname.split("/").at(-2) ?? "");

  /** Loads a script from a disk, and text over HTTP, which other sites can't read. */
  function load(name: string, address: string): Promise<unknown> {
    const known = loading.get(name) ?? (location.protocol === "file:" ? byScript(name, address) : byText(address));
    loading.set(name, known);
    return known;
  }

  async function byText(address: string): Promise<unknown> {
    const answer = await fetch(address, { cache: "no-cache" });
    if (!answer.ok) throw new Error(`${address} cannot be loaded`);
    const text = await answer.text();
    return JSON.parse(text.slice(text.indexOf(",") + 1, text.lastIndexOf(")")));
  }

  function byScript(name: string, address: string): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const script = document.createElement("script");
      script.src = address;
      script.addEventListener("load", () => resolve(receivedTimes.get(name)));
      script.addEventListener("error", () => reject(new Error(`${address} cannot be loaded`)));
      document.head.append(script);
    });
  }

  function times(): Promise<readonly ReaderTime[]> {
    return load("times", `${root}../../times.js`) as Promise<readonly ReaderTime[]>;
  }

  /** Changes of the page by the id of the snapshot. */
  async function changes(): Promise<ReadonlyMap<string, PageChange>> {
    const [, ...later] = await times();
    const found = new Map<string, PageChange>();
    await Promise.all(
      later.map(async ({ id }) => {
        const { came, changed, went } = (await load(id, `${root}../${id}/changes.js`)) as PageChanges;
        if (came.includes(path)) found.set(id, "came");
        else if (changed.includes(path)) found.set(id, "changed");
        else if (went.includes(path)) found.set(id, "went");
      }),
    );
    return found;
  }

  /** Ids of the snapshots that have the page. */
  async function present(): Promise<ReadonlySet<string>> {
    const [all, found] = [await times(), await changes()];
    const first = all.map(({ id }) => found.get(id)).find((change) => change !== undefined);
    let isThere = first !== "came";
    const ids = all.filter(({ id }) => {
      const change = found.get(id);
      if (change !== undefined) isThere = change !== "went";
      return isThere;
    });
    return new Set(ids.map(({ id }) => id));
  }

  return { own, times, changes, present };
}

/** Fills each menu when it opens. */
function timesMenus(): void {
  /** The page of all snapshots lists the others. */
  const shown = 20;
  const menu = document.querySelector<HTMLDetailsElement>("details.times[data-root]");
  if (menu === null) return;
  const compare = document.querySelector<HTMLDetailsElement>("details.compare[data-root]");
  const { root = "", path = "" } = menu.dataset;
  const reader = createTimes(root, path);

  void reader.times().then((times) => {
    if (times.length < 2) menu.hidden = true;
    else if (compare !== null) compare.hidden = false;
    const day = menu.querySelector(".day");
    const own = times.find(({ id }) => id === reader.own);
    if (day !== null && own !== undefined) day.textContent = own.day;
    const printed = document.querySelector(".printed-time");
    if (printed !== null && own !== undefined) printed.textContent = `, as of ${own.moment}`;
    const all = menu.querySelector("nav > a");
    if (all !== null) all.textContent = `All snapshots (${times.length.toLocaleString("en-US")})`;
  }, ignored);
  onOpen(menu, fillMenu);
  onOpen(compare, fillCompare);

  function ignored(): void {
    // The link to the list of all snapshots remains.
  }

  function onOpen(details: HTMLDetailsElement | null, fill: (list: Element) => Promise<void>): void {
    const list = details?.querySelector("ul") ?? null;
    if (details === null || list === null) return;
    const open = (): void => {
      if (!details.open || list.childElementCount > 0) return;
      fill(list).catch(ignored);
    };
    details.addEventListener("toggle", open);
    open();
  }

  async function fillMenu(list: Element): Promise<void> {
    const times = await reader.times();
    const isComparison = path.startsWith("changes/");
    const present = isComparison ? new Set<string>() : await reader.present();
    const rows = times.map(({ id, moment }, at) => {
      const isOwn = id === reader.own;
      const there = present.has(id) || (isOwn && !isComparison) ? path : "index.html";
      const row = document.createElement("li");
      row.append(linkTo(`${root}../${id}/${there}`, moment));
      if (isOwn) row.firstElementChild?.setAttribute("aria-current", "page");
      const comparison = isOwn ? undefined : neighbour(times, at);
      if (comparison !== undefined) row.append(compareLink(comparison, moment));
      return row;
    });
    list.replaceChildren(...rows.reverse().slice(0, shown));
  }

  /** The page that compares this snapshot with a neighbour. */
  function neighbour(times: readonly ReaderTime[], at: number): string | undefined {
    const [earlier, id = "", later] = [times[at - 1]?.id, times[at]?.id, times[at + 1]?.id];
    if (later === reader.own) return `${root}changes/${id}.html`;
    return earlier === reader.own ? `${root}../${id}/changes/${reader.own}.html` : undefined;
  }

  function compareLink(address: string, moment: string): HTMLAnchorElement {
    const link = linkTo(address, "compare");
    link.className = "quiet";
    const unseen = document.createElement("span");
    unseen.className = "unseen";
    unseen.textContent = ` with ${moment}`;
    link.append(unseen);
    return link;
  }

  async function fillCompare(list: Element): Promise<void> {
    const [times, changes] = [await reader.times(), await reader.changes()];
    const words: Readonly<Record<PageChange, string>> = { came: "new", changed: "changed", went: "deleted" };
    const rows = times.flatMap(({ id, moment }, at) => {
      const [change, before] = [changes.get(id), times[at - 1]];
      if (change === undefined || before === undefined) return [];
      const row = document.createElement("li");
      row.append(linkTo(`${root}../${id}/changes/${before.id}/${path}`, `${moment}: ${words[change]}`));
      return [row];
    });
    const none = document.createElement("li");
    none.textContent = "This page is equal in all snapshots.";
    list.replaceChildren(...(rows.length === 0 ? [none] : rows.reverse().slice(0, shown)));
  }

  function linkTo(address: string, words: string): HTMLAnchorElement {
    const link = document.createElement("a");
    link.href = address;
    link.textContent = words;
    return link;
  }
}

timesMenus();
