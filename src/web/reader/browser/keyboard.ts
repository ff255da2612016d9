/**
 * What works without a mouse beyond what browsers do: `/` searches, Esc closes a menu that is open.
 */
function keyboard(): void {
  const field = document.querySelector<HTMLInputElement>("#search");
  // Without scripts nothing can be found, so the field is hidden until one runs.
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

  // A menu closes when somebody goes on elsewhere.
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
