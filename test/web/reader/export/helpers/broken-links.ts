import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { filesIn } from "./exported.js";

/**
 * What pages of an export load or lead to that is not in its folder, or not by a relative way;
 * links that people click may lead to other sites.
 */
export async function brokenLinks(folder: string): Promise<readonly string[]> {
  const files = new Set(await filesIn(folder));
  const broken: string[] = [];
  for (const page of files) {
    if (!page.endsWith(".html")) continue;
    const html = await readFile(join(folder, page), "utf8");
    for (const [, tag, attributes = ""] of html.matchAll(/<([a-z]+)\b([^>]*)>/g)) {
      for (const [, attribute, value = ""] of attributes.matchAll(/\s(href|src|poster|srcset|data)="([^"]*)"/g)) {
        const isOutside = /^(?:https?|mailto):/.test(value) && tag === "a" && attribute === "href";
        if (!isOutside && !isHere(files, page, value)) broken.push(`${page}: ${value}`);
      }
    }
  }
  return broken;
}

function isHere(files: ReadonlySet<string>, page: string, value: string): boolean {
  const goal = new URL(value.replaceAll("&amp;", "&"), `http://export.invalid/${page}`);
  const address = decodeURIComponent(goal.pathname.slice(1));
  return goal.origin === "http://export.invalid" && !value.startsWith("/") && files.has(address);
}
