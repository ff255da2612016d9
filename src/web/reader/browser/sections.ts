/** Marks in lists of sections and steps the one that is being read. */
function sections(): void {
  /** Pixels from the top to the line that sections have to pass: see `html` in style.css. */
  const line = 96;
  const wide = window.matchMedia("(min-width: 72rem)");

  for (const nav of document.querySelectorAll<HTMLElement>("nav.contents, nav.aside")) follow(nav);

  function follow(nav: HTMLElement): void {
    // Beside the text it covers nothing.
    const fold = nav.querySelector("details");
    if (fold !== null && wide.matches) fold.open = true;
    const places = [...nav.querySelectorAll<HTMLAnchorElement>("a[href^='#']")].flatMap((link) => {
      const place = document.getElementById(link.getAttribute("href")?.slice(1) ?? "");
      return place === null ? [] : [{ link, place }];
    });
    let isWaiting = false;

    function mark(): void {
      isWaiting = false;
      const passed = places.filter(({ place }) => place.getBoundingClientRect().top <= line);
      const current = isAtEnd() ? (places.find(isTarget) ?? places.at(-1)) : passed.at(-1);
      for (const each of places)
        if (each === current) each.link.setAttribute("aria-current", "true");
        else each.link.removeAttribute("aria-current");
      if (current !== undefined) show(nav, current.link);
    }

    function soon(): void {
      if (isWaiting) return;
      isWaiting = true;
      window.requestAnimationFrame(mark);
    }

    window.addEventListener("scroll", soon, { passive: true });
    window.addEventListener("resize", soon, { passive: true });
    window.addEventListener("hashchange", soon);
    mark();
  }

  /** The last sections of a page can't reach the line. */
  function isAtEnd(): boolean {
    const { scrollHeight } = document.documentElement;
    return window.scrollY > 0 && window.scrollY + window.innerHeight >= scrollHeight - 2;
  }

  /** The address leads here, and it is on the screen. */
  function isTarget({ place }: { readonly place: HTMLElement }): boolean {
    const { top, bottom } = place.getBoundingClientRect();
    return place.matches(":target") && bottom > 0 && top < window.innerHeight;
  }

  /** Scrolls the list only, where it is longer than the window. */
  function show(nav: HTMLElement, link: HTMLElement): void {
    const [box, own] = [nav.getBoundingClientRect(), link.getBoundingClientRect()];
    if (own.top < box.top) nav.scrollTop -= box.top - own.top;
    else if (own.bottom > box.bottom) nav.scrollTop += own.bottom - box.bottom;
  }
}

sections();
