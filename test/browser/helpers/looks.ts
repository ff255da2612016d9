import type { Page } from "playwright-core";

/**
 * By how many pixels a page is wider than its window; 0: nothing has to be moved sideways to be
 * read.
 */
export function tooWide(page: Page): Promise<number> {
  return page.evaluate<number>(
    "Math.max(document.documentElement.scrollWidth, document.body.scrollWidth) - document.documentElement.clientWidth",
  );
}

/** Elements that reach beyond the window, for whoever looks for what made it too wide. */
export function reachingOut(page: Page): Promise<readonly string[]> {
  return page.evaluate<readonly string[]>(`
    [...document.querySelectorAll("body *")]
      .filter((each) => each.getBoundingClientRect().right > document.documentElement.clientWidth + 0.5 && each.checkVisibility())
      .map((each) => each.outerHTML.slice(0, 120))`);
}

/** The colour behind a page and that of its words, as the browser computed them. */
export function coloursOf(page: Page): Promise<string> {
  return page.evaluate<string>(
    "(({ backgroundColor, color }) => backgroundColor + ' ' + color)(getComputedStyle(document.body))",
  );
}

/** Text that one can see, without what is only heard. */
export function shownText(page: Page, selector = "body"): Promise<string> {
  return page.locator(selector).first().innerText();
}

/** What has the focus: its words, or its name. */
export function focused(page: Page): Promise<string> {
  return page.evaluate<string>(
    "(document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? '').trim().replace(/\\\\s+/g, ' ')",
  );
}

/** Presses Tab until something has the focus whose words begin so; throws when it never comes. */
export async function tabTo(page: Page, words: string): Promise<void> {
  for (let presses = 0; presses < 100; presses += 1) {
    await page.keyboard.press("Tab");
    if ((await focused(page)).startsWith(words)) return;
  }
  throw new Error(`Tab never came to "${words}"`);
}
