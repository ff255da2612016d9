import { chromium, type Page } from "playwright-core";
import { median } from "../../../src/service/http/request-rate.js";
import { zipfWord } from "./zipf-text.js";

export interface TypingFacts {
  /**
   * Milliseconds from the first key on a page that was just opened until its whole list stands: of
   * the first page, and the best of those opened after it.
   */
  readonly fresh: number;
  readonly again: number;
  /**
   * Milliseconds from a keystroke until something stands in the list, and until all of it does; of
   * each the best of all pages.
   */
  readonly first: Spread;
  readonly all: Spread;
  /**
   * Milliseconds that a page did not answer at a time, after its first key and while somebody typed
   * on.
   */
  readonly stallFresh: number;
  readonly stallTyping: number;
  /** Bytes of the page's heap after all searches. */
  readonly heap: number;
}

export interface Spread {
  readonly median: number;
  readonly worst: number;
  readonly words: string;
}

/**
 * What people type: frequent words, seldom ones, several, one with a slip, and one that is nowhere.
 */
export const TYPED: readonly string[] = [
  zipfWord(0),
  zipfWord(3),
  zipfWord(700),
  zipfWord(15_000),
  `${zipfWord(1)} ${zipfWord(40)} ${zipfWord(5)}`,
  `${zipfWord(200)} looms`,
  "looms",
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
    if (bench.all === 0 && !/so far/.test(note)) bench.all = now;
  }).observe(document.querySelector("#search-results"), { childList: true });
`;

/** Pages that are opened after the first one; on each of them all is typed. */
const PAGES = 3;

/** Types into the search of a site: an address of its first page. */
export async function measureTyping(address: string): Promise<TypingFacts> {
  const browser = await chromium.launch({
    executablePath: "/usr/bin/chromium",
    args: ["--disable-dev-shm-usage", "--enable-precise-memory-info", "--js-flags=--expose-gc"],
  });
  try {
    const page = await browser.newPage();
    const fresh = await openAndType(page, address);
    const others: Fresh[] = [];
    const rounds: Round[] = [];
    for (let count = 0; count < PAGES; count += 1) {
      others.push(await openAndType(page, address));
      rounds.push(await typeAll(page));
    }
    return {
      fresh: fresh.time,
      again: Math.min(...others.map(({ time }) => time)),
      first: spreadOf(bestOf(rounds.map(({ first }) => first))),
      all: spreadOf(bestOf(rounds.map(({ all }) => all))),
      stallFresh: Math.min(...others.map(({ stall }) => stall)),
      stallTyping: Math.min(...rounds.map(({ stall }) => stall)),
      heap: await page.evaluate<number>("gc(), performance.memory.usedJSHeapSize"),
    };
  } finally {
    await browser.close();
  }
}

/** All that is typed on one page. */
interface Round {
  readonly first: readonly Keystroke[];
  readonly all: readonly Keystroke[];
  readonly stall: number;
}

async function typeAll(page: Page): Promise<Round> {
  const [first, all]: [Keystroke[], Keystroke[]] = [[], []];
  for (const words of TYPED) await typeWords(page, words, first, all);
  return { first, all, stall: await takeStall(page) };
}

/** Of each keystroke the round in which the rest of the machine was quietest. */
function bestOf(rounds: readonly (readonly Keystroke[])[]): readonly Keystroke[] {
  return (rounds[0] ?? []).map(({ words }, at) => ({
    words,
    time: Math.min(...rounds.map((round) => round[at]?.time ?? Number.POSITIVE_INFINITY)),
  }));
}

interface Fresh {
  readonly time: number;
  readonly stall: number;
}

async function openAndType(page: Page, address: string): Promise<Fresh> {
  await page.goto(address);
  await page.evaluate(WATCH);
  await page.locator("#search").fill(TYPED[2] ?? "");
  await page.waitForFunction("bench.all > 0", null, { polling: 5, timeout: 300_000 });
  return { time: await page.evaluate<number>("bench.all"), stall: await takeStall(page) };
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
