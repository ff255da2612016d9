import { type Browser, chromium } from "playwright-core";
import { afterAll, beforeAll, describe, onTestFinished } from "vitest";
import { CHROMIUM } from "../../helpers/needs.js";
import { emptyWindow, type PageOptions, type WatchedPage, watchedPage } from "./watched-page.js";

/** A browser that all tests of a `describe` share. */
export interface Chromium {
  /**
   * Opens an address in a window without a cache or cookies and watches what happens there. A later
   * test with the same options gets the window of this one, since Chromium makes one for 0.2 s.
   */
  open(url: string, options?: PageOptions): Promise<WatchedPage>;
}

/** Tests in a real browser; without one they are skipped, and the end of the run says so. */
export function describeInChromium(name: string, define: (chromium: Chromium) => void): void {
  describe(name, { tags: ["chromium"] }, () => {
    let browser: Browser | undefined;
    const free = new Map<string, WatchedPage>();
    beforeAll(async () => {
      // What a page asks of elsewhere is seen as a request, and goes nowhere.
      const args = ["--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1", "--disable-dev-shm-usage"];
      browser = await chromium.launch({ executablePath: CHROMIUM ?? "", args });
    });
    afterAll(() => browser?.close());
    define({
      open: async (url, options = {}) => {
        if (browser === undefined) throw new Error("the browser did not start");
        const kind = JSON.stringify([new URL(url).origin, options]);
        const kept = free.get(kind);
        free.delete(kind);
        const watched = kept ?? (await watchedPage(browser, url, options));
        onTestFinished(async () => {
          if (options.policy !== false && !free.has(kind)) {
            await emptyWindow(watched, options);
            free.set(kind, watched);
            return;
          }
          const context = watched.page.context();
          // What is still on its way through a route has nobody who waits for it.
          await context.unrouteAll({ behavior: "ignoreErrors" });
          await context.close();
        });
        if (kept !== undefined) await kept.page.goto(url);
        return watched;
      },
    });
  });
}
