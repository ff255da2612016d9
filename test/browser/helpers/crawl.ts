import { fromHtml } from "hast-util-from-html";
import { elementsIn } from "../../transforms/html/reader/is-safe.js";

interface Found {
  readonly links: readonly string[];
  readonly ids: ReadonlySet<string>;
}

/**
 * What a page of the reader leads to or loads, and the places in it; nothing of what leads
 * elsewhere.
 */
function readPage(html: string, url: string): Found {
  const elements = elementsIn(fromHtml(html));
  const written = elements.flatMap(({ properties: { href, src } }) => [href, src]);
  const addresses = written.flatMap((each) => (typeof each === "string" ? [new URL(each, url)] : []));
  const own = addresses.filter(({ origin }) => origin === new URL(url).origin).map(({ href }) => href);
  return {
    links: own,
    ids: new Set(elements.flatMap(({ properties: { id } }) => (typeof id === "string" ? [id] : []))),
  };
}

/** What following every link from a page on finds. */
export interface Crawled {
  /** Links that lead nowhere: `page -> link`. */
  readonly broken: readonly string[];
  /** The addresses of all pages. */
  readonly pages: readonly string[];
}

/** Follows every link from a page on. */
export async function crawl(start: string): Promise<Crawled> {
  const pages = new Map<string, Found>();
  const others = new Map<string, number>();
  const broken: string[] = [];
  const waiting = [start];
  for (let url = waiting.pop(); url !== undefined; url = waiting.pop()) {
    const bare = url.split("#")[0] ?? url;
    if (pages.has(bare) || others.has(bare)) continue;
    const answer = await fetch(bare);
    if (answer.redirected) {
      others.set(bare, 200);
      waiting.push(answer.url);
      continue;
    }
    const isPage = answer.headers.get("content-type")?.startsWith("text/html") === true;
    if (!isPage) await answer.body?.cancel();
    if (!isPage || answer.status !== 200) others.set(bare, answer.status);
    else {
      const found = readPage(await answer.text(), bare);
      pages.set(bare, found);
      waiting.push(...found.links);
    }
  }
  for (const [page, { links }] of pages)
    for (const link of links) {
      const [bare = "", anchor = ""] = link.split("#");
      const isThere = pages.get(bare)?.ids.has(decodeURIComponent(anchor)) ?? false;
      // The same page at another time may say that it was not there then.
      const isOtherTime = others.get(bare) === 404 && pathOf(bare) === pathOf(page);
      const leads = isOtherTime || others.get(bare) === 200 || (pages.has(bare) && (anchor === "" || isThere));
      if (!leads) broken.push(`${page} -> ${link}`);
    }
  return { broken, pages: [...pages.keys()] };
}

/** Inside of its time. */
function pathOf(url: string): string {
  return url.replace(/^.*\/at\/[^/]+\//, "");
}
