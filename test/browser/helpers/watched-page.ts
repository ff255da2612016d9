import type { Browser, BrowserContext, Page, Route } from "playwright-core";

export interface PageOptions {
  /** Default: light. */
  readonly scheme?: "light" | "dark";
  /**
   * Pixels; below 600 it is a phone, which takes a page for one of desks unless it says that it is
   * not. Default: 1280.
   */
  readonly width?: number;
  /** Default: true. */
  readonly scripts?: boolean;
  /**
   * Whether the content security policy of pages counts. Default: true; false: it is taken from
   * their headers and from themselves.
   */
  readonly policy?: boolean;
}

/** A page in a browser that is looked at while a test uses it. */
export interface WatchedPage {
  readonly page: Page;
  /**
   * What a page of ours never does: requests to another place than the one it came from, dialogs,
   * windows, messages of errors, violations of the policy, calls of `harm` (what hostile content
   * calls), answers with an error. Empty: nothing happened.
   */
  readonly trouble: string[];
}

/** Opens an address; see `WatchedPage`. */
export async function watchedPage(browser: Browser, url: string, options: PageOptions): Promise<WatchedPage> {
  const { scheme = "light", scripts = true, policy = true } = options;
  const viewport = viewportOf(options);
  const isPhone = viewport.width < 600;
  const screen = { viewport, isMobile: isPhone, hasTouch: isPhone };
  // A page that slides to a place is there only later.
  const calm = { reducedMotion: "reduce" } as const;
  const context = await browser.newContext({ ...screen, ...calm, colorScheme: scheme, javaScriptEnabled: scripts });
  const trouble: string[] = [];
  await watchScripts(context, trouble);
  const { origin, protocol } = new URL(url);
  if (!policy) await context.route((each) => each.origin === origin, withoutPolicy);
  const page = await context.newPage();
  watchPage(page, protocol === "file:" ? "file://" : `${origin}/`, trouble);
  context.on("page", (other) => trouble.push(`window ${other.url()}`));
  await page.goto(url);
  return { page, trouble };
}

function viewportOf({ width = 1280 }: PageOptions): { readonly width: number; readonly height: number } {
  return { width, height: width < 600 ? 800 : 900 };
}

/** Leaves a window as `watchedPage` made it, with an empty page. */
export async function emptyWindow({ page, trouble }: WatchedPage, options: PageOptions): Promise<void> {
  await page.goto("about:blank");
  await page.context().clearCookies();
  const session = await page.context().newCDPSession(page);
  await session.send("Network.clearBrowserCache");
  await session.detach();
  await page.emulateMedia({ colorScheme: options.scheme ?? "light", media: null });
  await page.setViewportSize(viewportOf(options));
  trouble.length = 0;
}

async function watchScripts(context: BrowserContext, trouble: string[]): Promise<void> {
  await context.exposeBinding("tellTrouble", (_, what: unknown) => {
    trouble.push(String(what));
  });
  await context.addInitScript(`
    window.harm = () => window.tellTrouble("harm was called");
    document.addEventListener("securitypolicyviolation", (event) =>
      window.tellTrouble("policy " + event.effectiveDirective + " " + event.blockedURI + " " + event.sample));
  `);
}

function watchPage(page: Page, own: string, trouble: string[]): void {
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(own) && !url.startsWith("data:") && !url.startsWith("blob:")) trouble.push(`request ${url}`);
  });
  page.on("response", (response) => {
    if (response.status() >= 400) trouble.push(`${response.status()} ${response.url()}`);
  });
  page.on("dialog", (dialog) => {
    trouble.push(`dialog ${dialog.message()}`);
    dialog.dismiss().catch((error: unknown) => trouble.push(`dialog ${String(error)}`));
  });
  page.on("pageerror", (error) => trouble.push(`error ${error.message}`));
  page.on("console", (message) => {
    const told = `${message.type()} ${message.text()} (${message.location().url})`;
    if (/^(?:error|warning) /.test(told)) trouble.push(told);
  });
}

/** The page as it would be if nothing but itself kept it from doing harm. */
async function withoutPolicy(route: Route): Promise<void> {
  const response = await route.fetch({ maxRedirects: 0 });
  const { "content-security-policy": _, ...headers } = response.headers();
  if (!(headers["content-type"] ?? "").includes("text/html")) return route.fulfill({ response, headers });
  const body = (await response.text()).replaceAll(/<meta http-equiv="Content-Security-Policy"[^>]*>/gi, "");
  return route.fulfill({ response, headers, body });
}
