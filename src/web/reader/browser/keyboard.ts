/** Keys beyond those of browsers: `/` goes to the search field, Esc closes an open menu. */
function keyboard(): void {
  const field = document.querySelector<HTMLInputElement>("#search");
  // The search needs scripts.
  field?.closest("search")?.removeAttribute("hidden");

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (event.key === "/" && field !== null && !isTyping(event.target)) {
      event.preventDefault();
      field.focus();
      field.select();
    }
    if (event.key === "Escape") closeMenu();
  });

  // A click elsewhere closes open menus.
  document.addEventListener("click", (event) => {
    const menu = openMenu();
    if (menu !== null && event.target instanceof Node && !menu.contains(event.target)) menu.open = false;
  });

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
