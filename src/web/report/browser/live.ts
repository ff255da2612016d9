/** See live-view.tsx. */
interface LiveNews {
  readonly state: "on" | "paused" | "over";
  readonly words: string;
  /** The main part of the page; absent: unchanged. */
  readonly html?: string;
}

/** Keeps the page up to date: that of a run, or one of a fleet (fleet-pages.tsx). */
function live(): void {
  const bar = document.querySelector<HTMLElement>(".live");
  const words = document.querySelector<HTMLElement>("#live-state");
  const button = document.querySelector<HTMLButtonElement>("#live-pause");
  const body = document.querySelector<HTMLElement>("#live-body");
  if (bar === null || words === null || body === null) return;
  const { follow } = bar.dataset;
  if (follow !== undefined) followServer(follow, { bar, words, body });
  else if (button !== null) liveRun(bar, words, button, body);
}

/** Updates the page of a run and lets its reader pause it. */
function liveRun(bar: HTMLElement, words: HTMLElement, button: HTMLButtonElement, body: HTMLElement): void {
  const title = document.title;
  // The token goes back to this server only.
  const token = location.search;
  const news = new EventSource(`/events${token}`);
  button.hidden = false;
  show({ state: bar.dataset["state"] === "paused" ? "paused" : "on", words: words.textContent });

  for (const name of ["state", "page", "over"])
    news.addEventListener(name, (event: MessageEvent<string>) => {
      const reported: LiveNews = JSON.parse(event.data);
      if (name === "over") news.close();
      show(reported);
    });
  news.addEventListener("error", () => {
    say(`The run cannot be reached. This page shows its state at ${new Date().toLocaleTimeString()}.`);
  });
  button.addEventListener("click", () => {
    ask(button.dataset["ask"] ?? "").catch(() => say("The run cannot be reached, so it was not paused or resumed."));
  });

  async function ask(what: string): Promise<void> {
    const answer = await fetch(`/${what}${token}`, { method: "POST" });
    if (!answer.ok) say(`The run was not paused or resumed: ${await answer.text()}`);
  }

  function show({ state, words, html }: LiveNews): void {
    if (html !== undefined) morph(body, parsed(`<body>${html}</body>`).body);
    bar.dataset["state"] = state;
    button.textContent = state === "paused" ? "Resume" : "Pause";
    button.dataset["ask"] = state === "paused" ? "resume" : "pause";
    document.title = { on: title, paused: `Paused: ${title}`, over: `Ended: ${title}` }[state];
    say(words);
    if (state === "over") retire();
  }

  /** Screen readers do not repeat unchanged words. */
  function say(text: string): void {
    if (words.textContent !== text) words.textContent = text;
  }

  /** Keeps the focus when the focused button disappears. */
  function retire(): void {
    const hadFocus = document.activeElement === button;
    button.hidden = true;
    if (hadFocus) words.focus();
  }
}

interface PageParts {
  readonly bar: HTMLElement;
  readonly words: HTMLElement;
  readonly body: HTMLElement;
}

/** Milliseconds without a key before a list is filtered. */
const TYPED = 250;
/** Milliseconds between two loads of a page without events. */
const POLLED = 10_000;

/**
 * Loads the page again whenever the server reports a change, filters lists while somebody types,
 * and sends the forms of actions without leaving the page. `address`: of the events.
 */
function followServer(address: string, { bar, words, body }: PageParts): void {
  const notice = document.querySelector<HTMLElement>("#live-notice");
  const news = new EventSource(address);
  let [isLoading, isStale] = [false, false];
  let typed: ReturnType<typeof setTimeout> | undefined;

  news.addEventListener("changed", () => refresh());
  news.addEventListener("error", () => {
    if (news.readyState !== EventSource.CLOSED) {
      lost();
      return;
    }
    // Signed out, or more windows than the server has events for.
    refresh();
    setInterval(refresh, POLLED);
  });
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement) || !form.classList.contains("fleet-action")) return;
    event.preventDefault();
    act(form).catch(() => say(notice, "The server cannot be reached, so nothing was done."));
  });
  document.addEventListener("input", ({ target }) => {
    const form = target instanceof HTMLInputElement ? target.form : null;
    if (form === null || form.dataset["filter"] === undefined) return;
    clearTimeout(typed);
    typed = setTimeout(() => {
      const chosen = [...new FormData(form)].flatMap(([name, value]) =>
        typeof value === "string" && value !== "" ? [[name, value]] : [],
      );
      history.replaceState(null, "", `?${new URLSearchParams(chosen)}`);
      refresh();
    }, TYPED);
  });

  /** One at a time: what changes meanwhile is loaded afterwards. */
  function refresh(): void {
    isStale = true;
    if (isLoading) return;
    isLoading = true;
    isStale = false;
    load(location.href)
      .catch(() => lost())
      .finally(() => {
        isLoading = false;
        if (isStale) refresh();
      });
  }

  async function load(from: string, request: RequestInit = {}): Promise<Document | null> {
    const asked = location.href;
    const answer = await fetch(from, request);
    const made = parsed(await answer.text());
    const [newBar, newWords, newBody] = [".live", "#live-state", "#live-body"].map((part) => made.querySelector(part));
    if (newBar == null || newWords == null || newBody == null) {
      // Signed out: the server has another page here.
      location.reload();
      return null;
    }
    // Another filter was chosen meanwhile.
    if (asked !== location.href) return made;
    copyAttributes(bar, newBar);
    say(words, newWords.textContent);
    morph(body, newBody);
    return made;
  }

  async function act(form: HTMLFormElement): Promise<void> {
    const fields = [...new FormData(form)].flatMap(([name, value]) =>
      typeof value === "string" ? [[name, value]] : [],
    );
    const made = await load(form.getAttribute("action") ?? "", { method: "POST", body: new URLSearchParams(fields) });
    const said = made?.querySelector("#live-notice")?.textContent ?? "";
    say(notice, said);
    if (!document.activeElement?.matches("button, a, input, summary")) words.focus({ preventScroll: true });
  }

  function lost(): void {
    if (bar.dataset["state"] === "lost") return;
    bar.dataset["state"] = "lost";
    say(words, `The server cannot be reached. This page shows the state of ${new Date().toLocaleTimeString()}.`);
  }

  /** Screen readers do not repeat unchanged words. */
  function say(place: HTMLElement | null, text: string): void {
    if (place === null) return;
    place.hidden = text === "";
    if (place.textContent !== text) place.textContent = text;
  }
}

function parsed(html: string): Document {
  return new DOMParser().parseFromString(html, "text/html");
}

/**
 * Makes the content of an element equal to another's and keeps equal parts, with focus, scroll
 * positions and selection. A part with an id stays the same part when its place changes.
 */
function morph(old: Element, made: Element): void {
  const wantedIds = new Set([...made.children].map(({ id }) => id));
  for (const child of [...old.children]) if (child.id !== "" && !wantedIds.has(child.id)) child.remove();
  const named = new Map([...old.children].filter(({ id }) => id !== "").map((child) => [child.id, child]));
  let present = old.firstChild;
  for (const wanted of made.childNodes) {
    const same = wanted instanceof Element ? named.get(wanted.id) : undefined;
    const kept: ChildNode | null = same ?? present;
    if (kept === null || !isAlike(kept, wanted)) {
      old.insertBefore(document.importNode(wanted, true), present);
      continue;
    }
    if (kept === present) present = present.nextSibling;
    else old.insertBefore(kept, present);
    if (kept instanceof Element && wanted instanceof Element) {
      copyAttributes(kept, wanted);
      morph(kept, wanted);
    } else if (kept.nodeValue !== wanted.nodeValue) kept.nodeValue = wanted.nodeValue;
  }
  while (present !== null) {
    const extra = present;
    present = present.nextSibling;
    extra.remove();
  }
}

function isAlike(one: Node, other: Node): boolean {
  const [id, otherId] = [one, other].map((node) => (node instanceof Element ? node.id : ""));
  return one.nodeType === other.nodeType && one.nodeName === other.nodeName && id === otherId;
}

function copyAttributes(to: Element, from: Element): void {
  for (const { name, value } of from.attributes) if (to.getAttribute(name) !== value) to.setAttribute(name, value);
  // Keep what the reader opened.
  for (const name of to.getAttributeNames()) if (name !== "open" && !from.hasAttribute(name)) to.removeAttribute(name);
}

live();
