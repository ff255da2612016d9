import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { measuredCli } from "../helpers/measured-cli.js";
import { type CliOptions, type CliResult, runCli, startCli } from "../helpers/run-cli.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";

const lines = (words: readonly string[], options?: CliOptions): Promise<CliResult> =>
  runCli(["convert", "-", "--ndjson", ...words], options);
const wikiToWiki = ["--from", "wiki", "--to", "wiki"];

function objects(text: string): readonly unknown[] {
  expect(text).toMatch(/\n$/);
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}

describe("guideferry convert --ndjson", () => {
  it("answers each text with its text and issues, in order, for a page or a line", async () => {
    const rows = [{ text: "== a ==" }, { text: "== a ==", context: "line" }, { text: "''b''", context: "page", id: 5 }];
    const input = rows.map((row) => JSON.stringify(row)).join("\r\n");
    const page = await lines(["--from", "wiki", "--to", "markdown"], { input });
    expect([page.code, page.stderr]).toEqual([0, ""]);
    const literal = { text: "\\== a ==", issues: [expect.objectContaining({ code: "block-in-line", level: "note" })] };
    expect(objects(page.stdout)).toEqual([
      { text: "## a\n", issues: [] },
      { ...literal, text: expect.stringMatching(/== a ==$/) },
      { text: "*b*\n", issues: [] },
    ]);
    const line = await lines(["--from", "wiki", "--to", "markdown", "--line"], { input });
    expect(objects(line.stdout)).toMatchObject([{ issues: [{}] }, { issues: [{}] }, { text: "*b*\n" }]);
  });

  it("gives every wiki text back, whatever stands in it", async () => {
    const marks = fc.string({ unit: fc.constantFrom(..."'[]|*#=~ \r\n\0\ud800\udc00\ufeff\u2028é") });
    const texts = fc.sample(fc.oneof(fc.string({ unit: "binary", size: "+1" }), marks, fc.json()), 1000);
    const input = texts.map((text, at) => JSON.stringify({ text, context: at % 2 === 0 ? "page" : "line" })).join("\n");
    const { code, stdout } = await lines([...wikiToWiki, "--strict"], { input });
    expect(code).toBe(0);
    expect(objects(stdout).map((answer) => Reflect.get(Object(answer), "text"))).toEqual(texts);
  });

  it("puts an error with the line's number in the place of a bad line, goes on, and ends with 3", async () => {
    const rows = ['{"text":"a"}', "nope", "", '{"text":5}', "[1]", '{"text":"x","context":"pge"}', '{"text":"a\xff"}'];
    const input = Buffer.from(`\xef\xbb\xbf${[...rows, '{"text":"z"}'].join("\n")}`, "latin1");
    const { code, stdout, stderr } = await lines([...wikiToWiki, "--strict"], { input });
    expect(code).toBe(3);
    expect(objects(stdout)).toEqual([
      { text: "a", issues: [] },
      { line: 2, error: expect.stringMatching(/^stdin, line 2: It is not JSON: /) },
      { line: 4, error: expect.stringMatching(/must be a text/) },
      { line: 5, error: expect.stringMatching(/A line is an object with "text"/) },
      { line: 6, error: expect.stringMatching(/"context" is "pge", expected "line" or "page"/) },
      { line: 7, error: expect.stringMatching(/The line is not UTF-8: byte 10 /) },
      { text: "z", issues: [] },
    ]);
    expect(stderr).toMatch(/^warning: 5 of 7 lines could not be converted\. Each of them has an object with "error"/);
  });

  it("takes document trees as JSON or as a text that holds it", async () => {
    const document = { type: "doc", content: [{ type: "paragraph", content: [{ type: "text", text: "a" }] }] };
    const input = [document, JSON.stringify(document)].map((text) => JSON.stringify({ text })).join("\n");
    const { stdout } = await lines(["--from", "document-tree", "--to", "wiki"], { input });
    expect(objects(stdout)).toEqual([
      { text: "a", issues: [] },
      { text: "a", issues: [] },
    ]);
  });

  it("ends with 12 when it is strict and any text lost something", async () => {
    const input = '{"text":"a"}\n{"text":"|a|\\n|-|\\n"}\n{"text":"b"}\n';
    const words = ["--from", "markdown", "--to", "wiki"];
    expect((await lines(words, { input })).code).toBe(0);
    expect((await lines([...words, "--strict"], { input })).code).toBe(12);
  });

  it("answers a line before the next one comes, and ends quietly when its reader goes away", async () => {
    const running = startCli(["convert", "-", "--ndjson", ...wikiToWiki], { input: null });
    running.child.stdin?.write('{"text":"first"}\n{"te');
    await running.seen(/first/);
    running.child.stdin?.write('xt":"second"}\n');
    await running.seen(/second/);
    running.child.stdout?.destroy();
    running.child.stdin?.write('{"text":"third"}\n{"text":"fourth"}\n');
    const { code, stdout, stderr } = await running.ended;
    expect([code, stderr, objects(stdout).length]).toEqual([0, "", 2]);
  });

  it("answers a last line that has no end", async () => {
    expect(objects((await lines(wikiToWiki, { input: '{"text":"first"}\n{"text":"second"}' })).stdout)).toHaveLength(2);
  });

  it("holds one line at a time: 20 MB pass through 155 MB of memory", async () => {
    const folder = await temporaryFolder();
    const [input, output] = [join(folder, "texts.ndjson"), join(folder, "out.ndjson")];
    const file = createWriteStream(input);
    const text = `${"word '''bold''' and more of it ".repeat(600)}\n\n`;
    for (let at = 0; at < 1000; at += 1) {
      if (!file.write(`${JSON.stringify({ text: `${at} ${text}` })}\n`)) await once(file, "drain");
    }
    file.end();
    await once(file, "finish");
    const words = ["convert", input, "--ndjson", ...wikiToWiki, "-o", output];
    const { code, peakBytes } = await measuredCli(words, folder, {});
    expect([code, (await stat(input)).size > 18_000_000]).toEqual([0, true]);
    // 110 MB were measured; to hold the answers of all lines took 170 MB.
    expect(peakBytes).toBeLessThan(155_000_000);
    const answers = objects(await readFile(output, "utf8"));
    expect(answers).toHaveLength(1000);
    expect(answers.at(-1)).toEqual({ text: `999 ${text}`, issues: [] });
  });
});
