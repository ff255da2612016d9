/** Shows pictures large: a click on one opens it, arrows lead to the others of the page, Esc closes. Without this script the link opens the picture. */
function pictureViewer(): void {
  const links = (): HTMLAnchorElement[] => [...document.querySelectorAll<HTMLAnchorElement>("a.zoom")];
  const viewer = document.createElement("dialog");
  viewer.className = "viewer";
  viewer.setAttribute("aria-label", "Picture");
  const inside = document.createElement("div");
  inside.className = "viewer-inside";
  const words = document.createElement("p");
  words.className = "viewer-words";
  words.setAttribute("aria-live", "polite");
  const picture = document.createElement("img");
  picture.className = "viewer-picture";
  picture.alt = "";
  const close = button("viewer-close", "Close", "×", () => viewer.close());
  const back = button("viewer-back", "Picture before", "‹", () => show(at - 1));
  const next = button("viewer-next", "Next picture", "›", () => show(at + 1));
  inside.append(words, close, back, picture, next);
  viewer.append(inside);

  let all: HTMLAnchorElement[] = [];
  let at = 0;

  function button(name: string, label: string, sign: string, act: () => void): HTMLButtonElement {
    const made = document.createElement("button");
    made.type = "button";
    made.className = name;
    made.setAttribute("aria-label", label);
    made.textContent = sign;
    made.addEventListener("click", act);
    return made;
  }

  function show(place: number): void {
    const link = all[place];
    if (link === undefined) return;
    at = place;
    const alt = link.querySelector("img")?.alt ?? "";
    picture.src = link.href;
    picture.alt = alt;
    words.textContent = all.length === 1 ? alt : `${alt} · ${place + 1} of ${all.length}`;
    // What has the focus must not become disabled under it.
    if (place === 0 && document.activeElement === back) next.focus();
    if (place === all.length - 1 && document.activeElement === next) back.focus();
    back.disabled = place === 0;
    next.disabled = place === all.length - 1;
  }

  function open(link: HTMLAnchorElement): void {
    all = links();
    if (!viewer.isConnected) document.body.append(viewer);
    viewer.showModal();
    show(all.indexOf(link));
    close.focus();
  }

  document.addEventListener("click", (event) => {
    const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
    const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>("a.zoom") : null;
    if (!isPlain || link === null) return;
    event.preventDefault();
    open(link);
  });

  viewer.addEventListener("keydown", (event) => {
    const steps: Readonly<Record<string, number>> = {
      ArrowLeft: at - 1,
      ArrowRight: at + 1,
      Home: 0,
      End: all.length - 1,
    };
    const place = Object.hasOwn(steps, event.key) ? steps[event.key] : undefined;
    if (place === undefined) return;
    event.preventDefault();
    show(place);
  });

  // Beside the picture is outside of it.
  viewer.addEventListener("click", (event) => {
    if (event.target === viewer || event.target === inside || event.target === picture) viewer.close();
  });

  viewer.addEventListener("close", () => {
    const link = all[at];
    picture.removeAttribute("src");
    link?.focus();
  });
}

pictureViewer();
