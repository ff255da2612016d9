/*
 * Takes every reader and printer through hostile shapes, one after the other, in a process of its own with a small heap, which ends with an error
 * where one of them needs more. Prints the name of each shape before it, and whether it was done or refused behind it.
 * Usage: node --max-old-space-size=MB memory-shapes.mjs BYTES
 */
const dist = new URL("../../dist/transforms/", import.meta.url);
const { convert } = await import(new URL("convert/convert.js", dist).href);
const { convertDocument } = await import(new URL("convert/convert-document.js", dist).href);
const { readXml } = await import(new URL("xml/read-xml.js", dist).href);
const { readManual } = await import(new URL("omanual/read-manual.js", dist).href);
const { recognise } = await import(new URL("training/recognise.js", dist).href);
const { validatePackage } = await import(new URL("training/validate-package.js", dist).href);

const size = Number(process.argv[2]);
const repeated = (piece, bytes = size) => piece.repeat(Math.max(1, Math.floor(bytes / Buffer.byteLength(piece))));
const nested = (open, close, inner = "x") => {
  const depth = Math.floor((size - inner.length) / (open.length + close.length));
  return open.repeat(depth) + inner + close.repeat(depth);
};

const GUIDE = (inside) =>
  `<guide xmlns="http://omanual.com/" locale="en"><title>Oil</title><steps><step number="1" title="A"><lines>${inside}</lines></step></steps></guide>`;
const LINE = '<line bullet="black" level="0">Turn.</line>';
const XML = {
  "deep nesting": nested("<a>", "</a>"),
  "many siblings": `<a>${repeated("<b/>")}</a>`,
  "one huge text": `<a>${repeated("word ")}</a>`,
  "many attributes": `<a ${Array.from({ length: Math.floor(size / 12) }, (_, at) => `a${at}="1"`).join(" ")}/>`,
  "many entities": `<a>${repeated("&amp;")}</a>`,
};
const TREE = {
  "deep nesting": nested('{"type":"quote","children":[', "]}", '{"type":"paragraph","children":[]}'),
  "many siblings": `{"type":"doc","content":[${repeated('{"type":"paragraph"},').slice(0, -1)}]}`,
  "one huge text": `{"type":"doc","content":[{"type":"paragraph","content":[{"type":"text","text":"${repeated("word ")}"}]}]}`,
};
const WIKI = [
  "* a\n",
  "# a\n",
  "word ",
  "a\n\n",
  "'''a''' ",
  "[quote]\na\n[/quote]\n",
  "[link|https://e.org|a] ",
  "== a ==\n",
];
const MARKDOWN = ["# a\n\n", "- a\n", "- a\n\n", "> a\n\n", "word ", "**a** ", "[a](https://e.org) "];
const MARKDOWN_TEXT = [...MARKDOWN, "a\n\n", "|a|b|", "|a|b|\n", "&amp;"];
const CHAPTER = (at) =>
  `## Chapter ${at}\n\nTurn the **left** screw, see [notes].\n\n- First part\n- Second part\n\n| A | B |\n|---|---|\n| C | 4 |\n\n` +
  `Close the lid.\n\nTurn it on.\n\nTurn it off.\n\n[note ${at}]: https://e.org/${at}\n\n`;
/** More lines than one list or table may have, so longer than the others: the reader takes it in chunks. */
const MARKDOWN_WHOLE = {
  "a manual of thousands of lines": `${Array.from({ length: Math.ceil((2 * size) / CHAPTER(100).length) }, (_, at) => CHAPTER(at)).join("")}\n[notes]: https://e.org/notes\n`,
};
const HTML = [
  "<li>x",
  "<p>x</p>",
  "<div>",
  "<b>x</b>",
  "word ",
  "&amp;",
  '<a href="https://e.org">a</a> ',
  "<br>",
  "<td>x",
];
const HTML_WHOLE = {
  "deep nesting": nested("<blockquote>", "</blockquote>"),
  "many attributes": `<p ${Array.from({ length: Math.floor(size / 12) }, (_, at) => `a${at}="1"`).join(" ")}>x</p>`,
};
const MANIFEST = (inside) =>
  `<manifest xmlns="http://www.imsproject.org/xsd/imscp_rootv1p1p2" identifier="m"><organizations><organization identifier="o">${inside}</organization></organizations><resources/></manifest>`;
const MANIFESTS = {
  "deep nesting": MANIFEST(nested('<item identifier="i">', "</item>", "")),
  "many siblings": MANIFEST(repeated('<item identifier="i"/>')),
  "one huge text": MANIFEST(`<title>${repeated("word ")}</title>`),
  "many entities": MANIFEST(`<title>${repeated("&amp;")}</title>`),
};

const file = { file: "a.xml" };
const text = (from, to) => (source) => convert(source, { from, to, context: "page" });
const page = (from, to, name) => (source) => convertDocument(source, { from, to, name });
const all = (run, pieces) => pieces.map((piece) => [JSON.stringify(piece), () => run(repeated(piece))]);
const whole = (run, texts) => Object.entries(texts).map(([name, source]) => [name, () => run(source)]);
const training = (source) => {
  const files = { paths: ["imsmanifest.xml"], size: () => source.length };
  validatePackage(files, new Map([["imsmanifest.xml", Buffer.from(source)]]), recognise(files));
};

const SHAPES = {
  "XML reader": whole((source) => readXml(source, file), XML),
  "oManual reader": [
    ...whole((source) => readManual(source, file), XML),
    ...whole((source) => readManual(source, file), {
      "a step of many lines": GUIDE(repeated(LINE)),
      "a line of one huge text": GUIDE(LINE.replace("Turn.", repeated("word "))),
    }),
  ],
  "document tree to wiki": whole(text("document-tree", "wiki"), TREE),
  "wiki to document tree": all(text("wiki", "document-tree"), WIKI),
  "wiki to Markdown": all(text("wiki", "markdown"), [...WIKI, "* a\n\n", "[quote]\na\n\n[/quote]\n"]),
  "wiki to HTML": all(text("wiki", "html"), WIKI),
  "wiki to plain HTML": all(text("wiki", "plain-html"), WIKI),
  "HTML to wiki": [...all(text("html", "wiki"), HTML), ...whole(text("html", "wiki"), HTML_WHOLE)],
  "Markdown to wiki": [
    ...all(text("markdown", "wiki"), MARKDOWN_TEXT),
    ...whole(text("markdown", "wiki"), MARKDOWN_WHOLE),
  ],
  "Markdown page to guide": all((source) => page("markdown", "json", "guide-1.md")(`# Oil\n\n${source}`), MARKDOWN),
  "guide to Markdown page": [
    ["a step of many lines", () => page("omanual", "markdown", "guide-1.xml")(GUIDE(repeated(LINE)))],
  ],
  "guide to HTML page": [["a step of many lines", () => page("omanual", "html", "guide-1.xml")(GUIDE(repeated(LINE)))]],
  "guide to wiki page": [["a step of many lines", () => page("omanual", "wiki", "guide-1.xml")(GUIDE(repeated(LINE)))]],
  "training manifest": whole(training, MANIFESTS),
};

for (const [group, shapes] of Object.entries(SHAPES)) {
  for (const [name, run] of shapes) {
    process.stdout.write(`${group}: ${name}`);
    const begun = process.cpuUsage();
    let end = "done";
    try {
      run();
    } catch (error) {
      end = `refused: ${error instanceof Error ? `${error.name}: ${error.message}` : error}`;
    }
    const { user, system } = process.cpuUsage(begun);
    process.stdout.write(
      `\t${end.split("\n")[0]}${process.env.TIMES ? ` ${((user + system) / 1e6).toFixed(2)} s` : ""}\n`,
    );
  }
}
