/**
 * Opens pictures large: arrows and swipes go to the next one, a click, `+` and `-` switch the size,
 * Esc closes. Without this script the link opens the picture.
 */
class PictureViewer {
  readonly #viewer = document.createElement("dialog");
  readonly #inside = made("div", "viewer-inside");
  readonly #words = made("p", "viewer-words");
  readonly #stage = made("div", "viewer-stage");
  readonly #picture = made("img", "viewer-picture");
  readonly #size = button("viewer-size", "Full size", "+", () => this.#resize(!this.#isLarge));
  readonly #close = button("viewer-close", "Close", "×", () => this.#viewer.close());
  readonly #back = button("viewer-back", "Previous picture", "‹", () => this.#show(this.#at - 1));
  readonly #next = button("viewer-next", "Next picture", "›", () => this.#show(this.#at + 1));
  #all: readonly HTMLAnchorElement[] = [];
  #at = 0;
  #touched: { readonly x: number; readonly y: number } | undefined;

  constructor() {
    this.#viewer.className = "viewer";
    this.#viewer.setAttribute("aria-label", "Picture");
    this.#words.setAttribute("aria-live", "polite");
    this.#size.setAttribute("aria-pressed", "false");
    this.#picture.alt = "";
    this.#stage.append(this.#picture);
    this.#inside.append(this.#words, this.#size, this.#close, this.#back, this.#stage, this.#next);
    this.#viewer.append(this.#inside);
    this.#listen();
  }

  open(link: HTMLAnchorElement): void {
    this.#all = [...document.querySelectorAll<HTMLAnchorElement>("a.zoom")];
    if (!this.#viewer.isConnected) document.body.append(this.#viewer);
    this.#viewer.showModal();
    this.#show(this.#all.indexOf(link));
    this.#close.focus();
  }

  get #isLarge(): boolean {
    return this.#viewer.classList.contains("large");
  }

  #show(place: number): void {
    const link = this.#all[place];
    if (link === undefined) return;
    this.#at = place;
    this.#resize(false);
    const alt = link.querySelector("img")?.alt ?? "";
    this.#picture.src = link.href;
    this.#picture.alt = alt;
    const count = this.#all.length;
    this.#words.textContent = count === 1 ? alt : `${alt} · ${place + 1} of ${count}`;
    // A focused button must not become disabled.
    if (place === 0 && document.activeElement === this.#back) this.#next.focus();
    if (place === count - 1 && document.activeElement === this.#next) this.#back.focus();
    this.#back.disabled = place === 0;
    this.#next.disabled = place === count - 1;
  }

  /** `at`: the fixed point as parts of width and height; default: the middle. */
  #resize(isLarge: boolean, at: { readonly x: number; readonly y: number } = { x: 0.5, y: 0.5 }): void {
    const before = this.#picture.getBoundingClientRect();
    const stage = this.#stage.getBoundingClientRect();
    this.#viewer.classList.toggle("large", isLarge);
    this.#size.setAttribute("aria-pressed", String(isLarge));
    this.#size.textContent = isLarge ? "−" : "+";
    if (!isLarge) return;
    const [x, y] = [before.left + at.x * before.width - stage.left, before.top + at.y * before.height - stage.top];
    const { width, height } = this.#picture.getBoundingClientRect();
    this.#stage.scrollTo(at.x * width - x, at.y * height - y);
  }

  #listen(): void {
    this.#viewer.addEventListener("keydown", (event) => this.#press(event));
    this.#viewer.addEventListener("click", (event) => {
      // A click outside the picture closes the viewer.
      if ([this.#viewer, this.#inside, this.#stage].some((each) => each === event.target)) this.#viewer.close();
    });
    this.#picture.addEventListener("click", (event) => {
      const { left, top, width, height } = this.#picture.getBoundingClientRect();
      const at = { x: (event.clientX - left) / width, y: (event.clientY - top) / height };
      this.#resize(!this.#isLarge, at);
    });
    this.#stage.addEventListener("touchstart", ({ touches }) => this.#touch(touches), { passive: true });
    this.#stage.addEventListener("touchend", ({ changedTouches }) => this.#swipe(changedTouches), { passive: true });
    this.#viewer.addEventListener("close", () => {
      this.#picture.removeAttribute("src");
      this.#all[this.#at]?.focus();
    });
  }

  #press(event: KeyboardEvent): void {
    const act = this.#actOf(event.key);
    if (act === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    act();
  }

  #actOf(key: string): (() => void) | undefined {
    const pan = (x: number, y: number) => (): void => this.#stage.scrollBy(x * PAN, y * PAN);
    const large: Readonly<Record<string, () => void>> = {
      ArrowLeft: pan(-1, 0),
      ArrowRight: pan(1, 0),
      ArrowUp: pan(0, -1),
      ArrowDown: pan(0, 1),
      "-": () => this.#resize(false),
    };
    const fit: Readonly<Record<string, () => void>> = {
      ArrowLeft: () => this.#show(this.#at - 1),
      ArrowRight: () => this.#show(this.#at + 1),
      Home: () => this.#show(0),
      End: () => this.#show(this.#all.length - 1),
      "+": () => this.#resize(true),
      "=": () => this.#resize(true),
    };
    const acts = this.#isLarge ? large : fit;
    return Object.hasOwn(acts, key) ? acts[key] : undefined;
  }

  #touch(touches: TouchList): void {
    const [touch] = touches.length === 1 ? [touches[0]] : [];
    this.#touched = touch && { x: touch.clientX, y: touch.clientY };
  }

  #swipe(touches: TouchList): void {
    const [touch, from] = [touches[0], this.#touched];
    this.#touched = undefined;
    if (touch === undefined || from === undefined || this.#isLarge) return;
    const [x, y] = [touch.clientX - from.x, touch.clientY - from.y];
    if (Math.abs(x) < SWIPE || Math.abs(x) < 2 * Math.abs(y)) return;
    this.#show(this.#at + (x < 0 ? 1 : -1));
  }
}

/** Pixels that an arrow key moves a large picture. */
const PAN = 120;
/** Pixels of a swipe at least. */
const SWIPE = 50;

function made<Name extends "div" | "p" | "img">(name: Name, className: string): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  element.className = className;
  return element;
}

function button(name: string, label: string, sign: string, act: () => void): HTMLButtonElement {
  const element = document.createElement("button");
  element.type = "button";
  element.className = name;
  element.setAttribute("aria-label", label);
  element.textContent = sign;
  element.addEventListener("click", act);
  return element;
}

const pictureViewer = new PictureViewer();

document.addEventListener("click", (event) => {
  const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
  const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>("a.zoom") : null;
  if (!isPlain || link === null) return;
  event.preventDefault();
  pictureViewer.open(link);
});
