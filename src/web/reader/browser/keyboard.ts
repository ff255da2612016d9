/**
 * Keys beyond those of browsers: `/` goes to the search field, Esc closes an open menu. On phones a
 * button takes the place of the field until it is needed.
 */
function keyboard(): void {
  const field = document.querySelector<HTMLInputElement>("#search");
  const box = field?.closest("search") ?? null;
  const button = box?.querySelector<HTMLButtonElement>(".search-open") ?? null;
  // The search needs scripts.
  box?.removeAttribute("hidden");

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (event.key === "/" && field !== null && !isTyping(event.target)) {
      event.preventDefault();
      unfold(true);
      field.focus();
      field.select();
    }
    if (event.key === "Escape") {
      closeMenu();
      if (isUnfolded()) {
        unfold(false);
        button?.focus();
      }
    }
  });

  button?.addEventListener("click", () => {
    unfold(!isUnfolded());
    if (isUnfolded()) field?.focus();
  });
  box?.addEventListener("focusout", ({ relatedTarget }) => {
    if (relatedTarget instanceof Node && !box.contains(relatedTarget)) unfold(false);
  });

  // A click elsewhere closes open menus.
  document.addEventListener("click", (event) => {
    const menu = openMenu();
    if (menu !== null && event.target instanceof Node && !menu.contains(event.target)) menu.open = false;
    if (event.target instanceof Node && box?.contains(event.target) === false) unfold(false);
  });

  function isUnfolded(): boolean {
    return button?.getAttribute("aria-expanded") === "true";
  }

  function unfold(isOpen: boolean): void {
    button?.setAttribute("aria-expanded", String(isOpen));
  }

  function openMenu(): HTMLDetailsElement | null {
    return document.querySelector<HTMLDetailsElement>("details.times[open]");
  }

  function closeMenu(): void {
    const menu = openMenu();
    if (menu === null) return;
    menu.open = false;
    menu.querySelector("summary")?.focus();
  }

  function isTyping(target: EventTarget | null): boolean {
    return (
      target instanceof HTMLElement && target.closest("input, textarea, select, [contenteditable], dialog") !== null
    );
  }
}

keyboard();
