/**
 * Links to the pages of a list; undefined: it has one page. `address`: of a page, from 1.
 * `src/web/reader/pages/pager.tsx` makes the same for pages without scripts.
 */
function pagerOf(page: number, pages: number, address: (page: number) => string): HTMLElement | undefined {
  if (pages < 2) return undefined;
  const nav = document.createElement("nav");
  nav.className = "pager";
  nav.setAttribute("aria-label", "Pages of the list");
  const link = (to: number, words: string): HTMLAnchorElement => {
    const made = document.createElement("a");
    made.href = address(to);
    made.textContent = words;
    made.dataset["page"] = String(to);
    if (to === page && words === String(to)) made.setAttribute("aria-current", "page");
    return made;
  };
  const near = [1, page - 2, page - 1, page, page + 1, page + 2, pages].filter((each) => each >= 1 && each <= pages);
  let last = 0;
  if (page > 1) nav.append(link(page - 1, "Previous"));
  for (const each of new Set(near)) {
    if (each > last + 1) nav.append(Object.assign(document.createElement("span"), { textContent: "…" }));
    nav.append(link(each, String(each)));
    last = each;
  }
  if (page < pages) nav.append(link(page + 1, "Next"));
  return nav;
}

/** Changes the address of the page without loading it. */
function rewriteAddress(query: URLSearchParams): void {
  const search = query.toString();
  try {
    history.replaceState(null, "", `${location.pathname}${search === "" ? "" : `?${search}`}${location.hash}`);
  } catch (error) {
    // Some browsers keep the address of a page from a disk.
    if (!(error instanceof DOMException)) throw error;
  }
}
