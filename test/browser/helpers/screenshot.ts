import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";

const { SCREENSHOTS: folder = "" } = process.env;

/**
 * Keeps a picture of the whole page, or of what its window shows, for people to look at, when
 * `SCREENSHOTS` names a folder.
 */
export async function screenshot(page: Page, name: string, part: "page" | "window" = "page"): Promise<void> {
  if (folder === "") return;
  await mkdir(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: part === "page" });
}
