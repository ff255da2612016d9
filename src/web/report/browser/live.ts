/** See live-view.tsx. */
interface LiveNews {
  readonly state: "on" | "paused" | "over";
  readonly words: string;
  /** The main part of the page; absent: unchanged. */
  readonly html?: string;
}

/** Updates the page of a run and lets its reader pause it. */
function live(): void {
  const bar = document.querySelector<HTMLElement>(".live");
  const words = document.querySelector<HTMLElement>("#live-state");
  const button = document.querySelector<HTMLButtonElement>("#live-pause");
  const body = document.querySelector<HTMLElement>("#live-body");
  if (bar === null || words === null || button === null || body === null) return;
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
    if (bar === null || button === null || body === null) return;
    if (html !== undefined) {
      const made = new DOMParser().parseFromString(`<body>${html}</body>`, "text/html");
      morph(body, made.body);
    }
    bar.dataset["state"] = state;
    button.textContent = state === "paused" ? "Resume" : "Pause";
    button.dataset["ask"] = state === "paused" ? "resume" : "pause";
    document.title = { on: title, paused: `Paused: ${title}`, over: `Ended: ${title}` }[state];
    say(words);
    if (state === "over") retire();
  }

  /** Screen readers do not repeat unchanged words. */
  function say(text: string): void {
    if (words !== null && words.textContent !== text) words.textContent = text;
  }

  /** Keeps the focus when the focused button disappears. */
  function retire(): void {
    const hadFocus = document.activeElement === button;
    if (button !== null) button.hidden = true;
    if (hadFocus) words?.focus();
  }
}

/**
 * Makes the content of an element equal to another's and keeps equal parts, with focus, scroll
 * positions and selection.
 */
function morph(old: Element, made: Element): void {
  const before = [...old.childNodes];
  const after = [...made.childNodes];
  after.forEach((wanted, place) => {
    const present = before[place];
    if (present === undefined) old.append(document.importNode(wanted, true));
    else if (!isAlike(present, wanted)) present.replaceWith(document.importNode(wanted, true));
    else if (present instanceof Element && wanted instanceof Element) {
      copyAttributes(present, wanted);
      morph(present, wanted);
    } else if (present.nodeValue !== wanted.nodeValue) present.nodeValue = wanted.nodeValue;
  });
  for (const extra of before.slice(after.length)) extra.remove();
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
