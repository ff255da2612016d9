import type { Key } from "../../../src/core/model/key.js";
import type { Resolution, RewriteOptions } from "../../../transforms/references/rewrite-options.js";
import type { SiteAddresses } from "../../../transforms/references/site-addresses.js";

export const OLD: SiteAddresses = { origin: "https://old.example", hosts: ["old.example", "guides.old.example"] };
export const NEW: SiteAddresses = { origin: "https://new.example", hosts: ["new.example"] };

/** What stays as it is: the name that a key holds. */
export function sameName(key: Key): { readonly id: string } {
  return { id: key.slice(key.indexOf("/") + 1).replace(/^(?:CATEGORY|ITEM|TEAM|USER|INFO|WIKI)\//, "") };
}

/** Options that answer by a list of keys, and `never` for all others. */
export function optionsFor(
  answers: Readonly<Record<string, Resolution>>,
  more: Partial<RewriteOptions> = {},
): RewriteOptions {
  const known = new Map(Object.entries(answers));
  return {
    source: OLD,
    target: NEW,
    context: "page",
    resolve: (key) => known.get(key) ?? { never: true },
    ...more,
  };
}

/** Pieces of the dialect, whole and broken, that arbitrary texts are glued from. */
export const PIECES: readonly string[] = [
  "[",
  "]",
  "[[",
  "]]",
  "|",
  "||",
  " ",
  "\n",
  "\n\n",
  "#",
  "'''",
  "''",
  "``",
  "=",
  ":",
  "/",
  ".",
  ")",
  "(",
  "guide",
  "gui",
  "de",
  "[guide|12|",
  "[guide|12]",
  "[guide|",
  "12",
  "5",
  "0012",
  "guide|12",
  "|stepid=5",
  "stepid=5",
  "|new_window=true",
  "[image|5]",
  "[image|5|align=left|size=medium]",
  "[image|",
  "[summary_image|9]",
  "[document|9|manual.pdf]",
  "[video|7]",
  "[video|https://youtube.example/watch?v=x]",
  "[product|AB-1|Spudger]",
  "[product|",
  "[Guide | 12 | x ]",
  "[soldering|label]",
  "[[Title|label]]",
  "[[Topic:My_Loom#Section_A|loom]]",
  "[[Item:",
  "[[User:5]]",
  "[[guide|12|x]]",
  "[[A",
  "]|x]]",
  "[link|/Guide/Slug/12/2#s38|x]",
  "[link|/Info/Safety|x|new_window=true]",
  "[/quote]",
  "[/Wiki/A|b]",
  "[link|",
  "[spacebar]",
  "http://",
  "https://old.example",
  "https://old.example/Guide/Slug/12/1#s38",
  "http://guides.old.example:8080/c/My_Loom",
  "[https://old.example/Guide/Slug/12|label]",
  "https://other.example/Guide/x/12",
  "[https://other.example/x|label]",
  "old.example/Wiki/A",
  "/Document/abc/x.pdf",
  "/api/2.0/guides/12",
  "[guide\n|12|",
  "[guide|\u00a012|",
  "[summary_image|9|",
  "[summary]",
  "[/summary]",
  "[info|",
  "[CODE]\n",
  "[link|/c/",
  "\n* ",
  "== ",
  "[code]\n",
  "\n[/code]",
  "[code]",
  "[/code]",
  "[quote|",
  "é",
  "😀",
  "\ud83d",
  "%2",
  "\u00a0",
];
