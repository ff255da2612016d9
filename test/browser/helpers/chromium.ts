import { type Browser, chromium } from "playwright-core";
import { afterAll, beforeAll, describe, onTestFinished } from "vitest";
import { CHROMIUM } from "../../helpers/needs.js";
import { type PageOptions, type WatchedPage, watchedPage } from "./watched-page.js";

/** A browser that all tests of a `describe` share. */
export interface Chromium {
  /**
   * Opens an address in a window of its own, which is closed with the test, and watches what
   * happens there.
   */
  open(url: string, options?: PageOptions): Promise<WatchedPage>;
}

/** Tests in a real browser; without one they are skipped, and the end of the run says so. */
export function describeInChromium(name: string, define: (chromium: Chromium) => void): void {
  describe(name, { tags: ["chromium"] }, () => {
    let browser: Browser | undefined;
    beforeAll(async () => {
      // What a page asks of elsewhere is seen as a request, and goes nowhere.
      const args = ["--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1", "--disable-dev-shm-usage"];
      browser = await chromium.launch({ executablePath: CHROMIUM ?? "", args });
    });
    afterAll(() => browser?.close());
    define({
      open: async (url, options = {}) => {
        if (browser === undefined) throw new Error("the browser did not start");
        const watched = await watchedPage(browser, url, options);
        const context = watched.page.context();
        onTestFinished(async () => {
          // What is still on its way through a route has nobody who waits for it.
          await context.unrouteAll({ behavior: "ignoreErrors" });
          await context.close();
        });
        return watched;
      },
    });
  });
}
