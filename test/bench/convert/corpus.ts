import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fromMarkdown } from "mdast-util-from-markdown";
import { toHtml } from "../../../transforms/html/to-html.js";
import { toMarkdown } from "../../../transforms/markdown/to-markdown.js";
import { parse } from "../../../transforms/wiki/parse.js";
import { densePage } from "./dense-page.js";

/** One text in each of the languages, so that every contender reads the same words in its own. */
export interface Corpus {
  readonly name: string;
  readonly wiki: string;
  readonly html: string;
  readonly markdown: string;
}

/** From the project's root, where npm starts scripts. */
const FOLDER = "../shared/data/wiki";
const FILES = ["dozuki-ose-2026-markup.json", "dozuki-ose-2026-plain.json"];

/** Enough to measure; the parsers of Markdown take a second for more. */
const DENSE_LENGTH = 50_000;

/** The real texts where they are, and a generated one that is markup all over. */
export function corpora(): readonly Corpus[] {
  const dense = corpus("generated, markup all over", densePage(DENSE_LENGTH));
  if (existsSync(FOLDER)) return [corpus("real texts, joined", realTexts()), dense];
  process.stdout.write(`${join(FOLDER, FILES[0] ?? "")} is not there: only generated text is measured.\n\n`);
  return [dense];
}

function realTexts(): string {
  const entries = FILES.flatMap((file) => JSON.parse(readFileSync(join(FOLDER, file), "utf8")) as readonly Entry[]);
  return entries.map(({ raw }) => raw).join("\n\n");
}

interface Entry {
  readonly raw: string;
}

function corpus(name: string, wiki: string): Corpus {
  const { tree } = parse(wiki, { context: "page" });
  const { markdown } = toMarkdown(tree);
  // One code block would be read faster than any text.
  if (fromMarkdown(markdown).children.length < 2) throw new Error(`The Markdown of "${name}" is not Markdown.`);
  return { name, wiki, html: toHtml(tree), markdown };
}
