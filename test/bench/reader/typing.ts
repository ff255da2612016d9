import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium, type Page } from "playwright-core";
import { median } from "../../../src/util/median.js";
import { zipfWord } from "./zipf-text.js";

export interface TypingFacts {
  /** Milliseconds from the focus of the field until all titles, and all texts, can be found. */
  readonly titles: number;
  readonly texts: number;
  /** Milliseconds from a keystroke until something stands in the list, and until all of it does. */
  readonly first: Spread;
  readonly all: Spread;
  /** Milliseconds that the page did not answer at a time, while it loaded and while somebody typed. */
  readonly stallLoading: number;
  readonly stallTyping: number;
  /** Bytes of the page's heap. */
  readonly heap: number;
}

export interface Spread {
  readonly median: number;
  readonly worst: number;
  readonly words: string;
}

/** What people type: frequent words, seldom ones, several, one with a slip, and one that is nowhere. */
export const TYPED: readonly string[] = [
  zipfWord(0),
  zipfWord(3),
  zipfWord(700),
  zipfWord(15_000),
  `${zipfWord(1)} ${zipfWord(40)} ${zipfWord(5)}`,
  `${zipfWord(200)} looms`,
  `${zipfWord(9000).slice(0, -1)}x`,
  "qqxqqxqqx",
];

/** Watches the list, and how long the page does not answer. */
const WATCH = `
  window.bench = { stall: 0, first: 0, all: 0, typed: 0 };
  let last = performance.now();
  const channel = new MessageChannel();
  channel.port1.onmessage = () => { const now = performance.now(); bench.stall = Math.max(bench.stall, now - last); last = now; setTimeout(() => channel.port2.postMessage(0), 4); };
  channel.port2.postMessage(0);
  document.querySelector("#search").addEventListener("input", (event) => { bench.typed = performance.now(); bench.first = 0; bench.all = 0; }, true);
  new MutationObserver(() => {
    const note = document.querySelector("#search-results p")?.textContent ?? "";
    const now = performance.now() - bench.typed;
    if (bench.first === 0) bench.first = now;
    if (!/so far/.test(note)) bench.all = now;
  }).observe(document.querySelector("#search-results"), { childList: true, subtree: true, characterData: true });
`;

/** Types into the search of a site on the disk. */
export async function measureTyping(folder: string): Promise<TypingFacts> {
  const browser = await chromium.launch({
    executablePath: "/usr/bin/chromium",
    args: ["--disable-dev-shm-usage", "--enable-precise-memory-info"],
  });
  try {
    const page = await browser.newPage();
    await page.goto(pathToFileURL(join(folder, "index.html")).href);
    await page.evaluate(WATCH);
    const begun = performance.now();
    await page.locator("#search").focus();
    await page.keyboard.type("z");
    await page.locator("#search-results p", { hasText: /Texts are|results/ }).waitFor();
    const titles = performance.now() - begun;
    await page.waitForFunction(
      "/result/.test(document.querySelector('#search-results p')?.textContent) && !/loaded|so far/.test(document.querySelector('#search-results p').textContent)",
      null,
      { timeout: 300_000 },
    );
    const texts = performance.now() - begun;
    const stallLoading = await takeStall(page);
    const [first, all]: Keystroke[][] = [[], []];
    for (const words of TYPED) await typeWords(page, words, first ?? [], all ?? []);
    const heap = await page.evaluate<number>("performance.memory.usedJSHeapSize");
    return {
      titles,
      texts,
      first: spreadOf(first ?? []),
      all: spreadOf(all ?? []),
      stallLoading,
      stallTyping: await takeStall(page),
      heap,
    };
  } finally {
    await browser.close();
  }
}

interface Keystroke {
  readonly time: number;
  readonly words: string;
}

async function typeWords(page: Page, words: string, first: Keystroke[], all: Keystroke[]): Promise<void> {
  await page.locator("#search").fill("");
  for (let length = 1; length <= words.length; length += 1) {
    await page.keyboard.type(words.charAt(length - 1));
    await page.waitForFunction("bench.all > 0", null, { polling: 20 });
    const times = await page.evaluate<{ first: number; all: number }>("({ first: bench.first, all: bench.all })");
    first.push({ time: times.first, words: words.slice(0, length) });
    all.push({ time: times.all, words: words.slice(0, length) });
  }
}

async function takeStall(page: Page): Promise<number> {
  const stall = await page.evaluate<number>("bench.stall");
  await page.evaluate("bench.stall = 0");
  return stall;
}

function spreadOf(strokes: readonly Keystroke[]): Spread {
  const worst = strokes.toSorted((one, other) => other.time - one.time)[0];
  return { median: median(strokes.map(({ time }) => time)) ?? 0, worst: worst?.time ?? 0, words: worst?.words ?? "" };
}
