import { DOCUMENT_FORMATS, FORMATS, type Format } from "../../transforms/convert/formats.js";
import type { Command } from "./command.js";

export const convert: Command = {
  name: "convert",
  about:
    "convert a text between wiki syntax, HTML, Markdown and document trees, or a manual between XML, JSON and pages",
  arguments: [{ name: "INPUT", about: "a file, or - for stdin" }],
  description:
    "Reads a text in one format and writes it in another, to stdout unless --output names a file. What the new format\n" +
    "can't say is told on stderr with its place in the input, and so is each reading of wiki text that was not certain.\n" +
    "From wiki to wiki every text comes back byte for byte. Asks no site: what only the site knows (the addresses of\n" +
    "images, the titles of guides) stays as its number.\n\n" +
    "A manual (omanual, json) becomes one page (markdown, html, plain-html, wiki), and a page that is written as omanual or\n" +
    "json becomes a manual: its first heading is the title, each further one a step, lists are its lines. A page that was\n" +
    "written by this command comes back as it was; whatever a page or a manual does not say is told.\n\n" +
    `Formats, and the endings of files that say them (files are UTF-8):\n${formatLines()}\n\n` +
    "With --json the issues are JSON objects on stderr, one a line. With --ndjson each line of the input is a text of its\n" +
    'own, whose issues stand in its answer; a line that can\'t be converted is answered with an object that has "error",\n' +
    'and the run ends with 3. For document-tree "text" may be the JSON itself.',
  examples: [
    "guideferry convert page.md --to wiki                 a file, to stdout",
    "guideferry convert page.wiki -o page.html            formats by the endings",
    "guideferry convert guide.xml --to markdown           a manual's guide as one page",
    "guideferry convert guide.md --to xml                 a page as a manual's guide; --as category as a category",
    "guideferry convert page.wiki --to plain-html --origin https://site.example -o page.html",
    "pbpaste | guideferry convert - --from html --to wiki --line",
    "guideferry convert texts.ndjson --ndjson --from wiki --to markdown --strict -o texts.md.ndjson",
  ],
  signsIn: [],
  done: "done: the text is written; what it does not say was told",
  exits: ["someFailed", "stopped", "notFound", "losses"],
  contentOnStdout: () => true,
  run: async (call) => {
    const { runConversion } = await import("./verbs/convert/run-conversion.js");
    return runConversion(call);
  },
};

function formatLines(): string {
  return Object.entries<Format>({ ...FORMATS, ...DOCUMENT_FORMATS })
    .map(([name, { about, endings, reads }]) => {
      const notes = [...(reads ? [] : ["only written"]), ...endings.map((ending) => `.${ending}`)];
      return `  ${name.padEnd(18)} ${about} (${notes.join(" ")})`;
    })
    .join("\n");
}
