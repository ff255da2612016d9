import { readFileSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { convert as converted } from "../../transforms/convert/convert.js";
import { FORMATS, SOURCE_FORMATS, type SourceFormat, TARGET_FORMATS } from "../../transforms/convert/formats.js";
import { SPINNING_WHEEL } from "../helpers/documents.js";
import { type CliOptions, type CliResult, runCli, startCli } from "../helpers/run-cli.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";

const TEXTS = new URL("../../samples/texts/", import.meta.url).pathname;
/** A table is a loss in wiki text, its rows are kept. */
const TABLE = "| a | b |\n|---|---|\n| 1 | 2 |\n";

const sample = (format: SourceFormat): string => join(TEXTS, `shuttle.${FORMATS[format].endings[0]}`);
const convert = (words: readonly string[], options?: CliOptions): Promise<CliResult> =>
  runCli(["convert", ...words], options);
const objects = (text: string): readonly unknown[] =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));

describe("guideferry convert", () => {
  const pairs = SOURCE_FORMATS.flatMap((from) => TARGET_FORMATS.map((to) => ({ from, to })));

  it.each(pairs)(
    "writes the sample from $from to $to to stdout, the format read by the file's ending",
    async ({ from, to }) => {
      const file = sample(from);
      const { code, stdout, stderr } = await convert([file, "--to", to, "--quiet"]);
      const { text, issues } = converted(readFileSync(file, "utf8"), { from, to });
      expect([code, stdout.replace(/\n$/, "")]).toEqual([0, text.replace(/\n$/, "")]);
      expect(stdout.endsWith("\n")).toBe(true);
      expect(stderr.split("\n").length - 1).toBe(issues.filter(({ level }) => level !== "note").length);
    },
  );

  it("reads a step line from stdin, without the line end that follows it there", async () => {
    const words = ["-", "--from", "wiki", "--to", "markdown", "--line", "--strict"];
    expect(await convert(words, { input: "wind '''thirty''' turns\r\n" })).toMatchObject({
      code: 0,
      stdout: "wind **thirty** turns\n",
      stderr: "",
    });
  });

  it("gives wiki text back byte for byte, with a byte order mark, NUL, and all kinds of line ends", async () => {
    const input = "\ufeff'''a\r\n\0\u2028[code]\r== \n\n";
    const { code, stdout } = await convert(["-", "--from", "wiki", "--to", "wiki", "--strict"], { input });
    expect([code, stdout]).toEqual([0, input]);
  });

  it("takes a byte order mark for a mark of the file where the text is converted", async () => {
    const { stdout } = await convert(["-", "--from", "wiki", "--to", "markdown"], { input: "\ufeff== a ==" });
    expect(stdout).toBe("## a\n");
  });

  it("tells on stderr what was lost, with its place, and ends with 12 only when it is told to be strict", async () => {
    const words = ["-", "--from", "markdown", "--to", "wiki"];
    const lenient = await convert(words, { input: `# a\n\n${TABLE}` });
    expect(lenient).toMatchObject({ code: 0, stdout: "= a =\n\n* '''a''' | '''b'''\n* 1 | 2\n" });
    expect(lenient.stderr).toMatch(
      /^stdin:1:1: .* \(note top-heading\)\nwarning: stdin:3:1: .* \(loss table-to-list\)\n$/,
    );
    const strict = await convert([...words, "--strict", "--quiet"], { input: `# a\n\n${TABLE}` });
    expect(strict).toMatchObject({ code: 12, stdout: lenient.stdout });
    expect(strict.stderr).toMatch(/^warning: stdin:3:1: .*\n$/);
  });

  it("takes what is not certain in wiki text for a note, no loss", async () => {
    const input = "'''a\nb";
    const { code, stderr } = await convert(["-", "--from", "wiki", "--to", "wiki", "--strict"], { input });
    expect([code, stderr]).toEqual([0, expect.stringMatching(/stdin:1:1: .*\(note unpaired-mark\)/)]);
  });

  it("with --json has issues and errors as objects on stderr, since the text has stdout", async () => {
    const words = ["-", "--from", "markdown", "--to", "wiki", "--json"];
    const { stdout, stderr } = await convert(words, { input: TABLE });
    expect(stdout).toMatch(/^\* /);
    expect(objects(stderr)).toEqual([
      {
        type: "issue",
        file: "stdin",
        code: "table-to-list",
        level: "loss",
        message: expect.any(String),
        start: 0,
        end: TABLE.length - 1,
        line: 1,
        column: 1,
      },
    ]);
    for (const more of [["--to", "wki"], ["--bad"], ["--from", "document-tree"]]) {
      const wrong = await convert([...words, ...more], { input: TABLE });
      expect([wrong.code, wrong.stdout]).toEqual([2, ""]);
      expect(objects(wrong.stderr)).toEqual([{ type: "error", message: expect.any(String), exitCode: 2 }]);
    }
  });

  it("names the place of a document's issue by its path", async () => {
    const input = JSON.stringify({
      type: "doc",
      content: [{ type: "galaxy", content: [{ type: "text", text: "a" }] }],
    });
    const { code, stderr } = await convert(["-", "--from", "document-tree", "--to", "wiki"], { input });
    expect([code, stderr]).toEqual([0, expect.stringMatching(/^warning: stdin: content\[0\]: .*galaxy.*\(loss /)]);
  });

  it("makes a page of a manual's document by the endings of both files, and refuses what is for texts", async () => {
    const directory = await temporaryFolder();
    const guide = join(SPINNING_WHEEL, "Change-the-Drive-Band-13/guide.xml");
    expect((await convert([guide, "-o", "guide.md"], { directory })).code).toBe(0);
    expect(await readFile(join(directory, "guide.md"), "utf8")).toMatch(/^# Change the Drive Band\n/);
    expect((await convert([guide, "-o", "guide.json"], { directory })).code).toBe(0);
    expect(JSON.parse(await readFile(join(directory, "guide.json"), "utf8"))).toMatchObject({ key: "guide/13" });
    const lines = await convert([guide, "--to", "html", "--line"]);
    expect([lines.code, lines.stderr]).toEqual([2, expect.stringMatching(/--line is only for texts/)]);
    const tree = await convert([guide, "--to", "document-tree"]);
    expect([tree.code, tree.stderr]).toEqual([2, expect.stringMatching(/cannot be written as document-tree/)]);
    const text = await convert(["-", "--from", "wiki", "--to", "json"], { input: "a" });
    expect([text.code, text.stderr]).toEqual([2, expect.stringMatching(/stdin has no heading/)]);
  });

  it("knows the site that a text belongs to by --origin", async () => {
    const words = ["-", "--from", "html", "--to", "wiki", "--line", "--origin", "https://site.example/api/2.0"];
    const { stdout } = await convert(words, { input: '<a href="https://site.example/Guide/Setup/12">x</a>' });
    expect(stdout).toBe("[guide|12|x]\n");
  });

  it("leaves the file of --output as it was, with nothing beside it, when a signal ends it in the middle", async () => {
    const directory = await temporaryFolder();
    const words = ["convert", "-", "--ndjson", "--from", "wiki", "--to", "html", "-o", "page.html"];
    await writeFile(join(directory, "page.html"), "older");
    const running = startCli(words, { directory, input: null });
    await expect.poll(() => readdir(directory), { timeout: 300_000 }).toHaveLength(2);
    running.child.kill("SIGINT");
    const { code, stderr } = await running.ended;
    expect([code, stderr]).toEqual([130, "Stopped by SIGINT.\n"]);
    expect(await readdir(directory)).toEqual(["page.html"]);
    expect(await readFile(join(directory, "page.html"), "utf8")).toBe("older");
  });
});
