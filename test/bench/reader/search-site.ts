import { copyFile, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ASSET_NAMES, assetOf } from "../../../src/web/reader/assets.js";
import type { Entry } from "../../../src/web/reader/catalogue.js";
import { SearchWriter } from "../../../src/web/reader/search/search-index.js";
import { guideItem, step } from "../../helpers/items.js";
import { ZipfText, zipfWord } from "./zipf-text.js";

export interface IndexFacts {
  /** Milliseconds that indexing took, and the longest time without giving way. */
  readonly time: number;
  readonly segments: number;
  /** Bytes of each group of files. */
  readonly bytes: { readonly titles: number; readonly words: number; readonly texts: number };
}

const PAGE = (scripts: string): string => `<!doctype html><html lang="en"><meta charset="utf-8"><title>bench</title>
<link rel="icon" href="data:,"><search data-root=""><input id="search" type="search"><div id="search-results" hidden></div></search>${scripts}</html>`;

/** Writes a page with the search of so many guides into a folder, as an export would. */
export async function makeSearchSite(folder: string, guides: number): Promise<IndexFacts> {
  await mkdir(join(folder, "search"), { recursive: true });
  await mkdir(join(folder, "assets"), { recursive: true });
  const bytes = { titles: 0, words: 0, texts: 0 };
  let segments = 0;
  let writing = 0;
  const writer = new SearchWriter(async (name, text) => {
    const begun = performance.now();
    const kind = name.includes("-titles") ? "titles" : name.includes("-text-") ? "texts" : "words";
    bytes[kind] += text.length;
    if (kind === "titles") segments += 1;
    await writeFile(join(folder, "search", name), text);
    writing += performance.now() - begun;
  });
  let time = 0;
  for (let id = 1; id <= guides; id += 1) {
    const [entry, item] = guideOf(id);
    const begun = performance.now();
    await writer.add(entry, item);
    time += performance.now() - begun;
  }
  const begun = performance.now();
  await writer.end();
  time += performance.now() - begun - writing;
  const scripts = ASSET_NAMES.filter((name) => name.endsWith(".js")).map(
    (name) => `<script defer src="assets/${name}"></script>`,
  );
  for (const name of ASSET_NAMES) await copyFile(assetOf(name)?.file ?? "", join(folder, "assets", name));
  await writeFile(join(folder, "index.html"), PAGE(scripts.join("")));
  return { time, segments, bytes };
}

/** Of some 350 words, as long as the real ones are. */
function guideOf(id: number): readonly [Entry, ReturnType<typeof guideItem>] {
  const text = new ZipfText(id);
  const category = `${zipfWord(100 + (id % 300))} looms`;
  const title = `${text.words(5)} ${id}`;
  const item = guideItem(id, {
    title,
    category,
    summary: text.words(15),
    introduction: text.words(70),
    conclusion: text.words(25),
    steps: Array.from({ length: 8 }, (_, at) => step(id * 100 + at, [text.words(12), text.words(10), text.words(8)])),
  });
  const more = {
    language: "en",
    tags: [zipfWord(500 + (id % 40))],
    image: null,
    summary: "",
    isPrivate: false,
    position: null,
    medium: null,
  };
  return [{ key: item.key, kind: "guide", title, path: `guide/${id}.html`, category, modified: null, more }, item];
}
