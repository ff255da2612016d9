import { cp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { SPINNING_WHEEL } from "../helpers/documents.js";
import { type CliOptions, type CliResult, runCli } from "../helpers/run-cli.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";
import { faultsOf } from "../transforms/omanual/write/schemas.js";

const GUIDE = join(SPINNING_WHEEL, "Oil-the-Wheel/guide.xml");
const PAGE = new URL("../../samples/texts/clean-the-reed.md", import.meta.url).pathname;
const REAL = new URL("../../../shared/data/ose/guides/13.json", import.meta.url).pathname;

const convert = (words: readonly string[], options?: CliOptions): Promise<CliResult> =>
  runCli(["convert", ...words], options);

describe("guideferry convert to manuals", () => {
  it("takes a guide through JSON, Markdown and HTML and back, byte for byte, formats by the endings", async () => {
    const directory = await temporaryFolder();
    const way = async (...words: readonly string[]): Promise<string> => {
      const { code, stderr } = await convert([...words, "--quiet"], { directory });
      expect([code, stderr.split("\n").filter((line) => line !== "" && !line.includes("video-as-embed"))]).toEqual([
        0,
        [],
      ]);
      return readFile(join(directory, words.at(-1) ?? ""), "utf8");
    };
    const xml = await way(GUIDE, "-o", "guide.xml");
    expect(xml).toMatch(/^<\?xml version="1\.0" encoding="UTF-8"\?>\n<guide xmlns="http:\/\/omanual\.com\/"/);
    for (const page of ["guide.json", "guide.md", "guide.html"]) {
      await way("guide.xml", "-o", page);
      expect([page, await way(page, "--to", "xml", "-o", "again.xml")]).toEqual([page, xml]);
    }
    const json = await way("guide.xml", "-o", "guide.json");
    expect(await way("guide.json", "--to", "json", "-o", "again.json")).toBe(json);
    const page = await way("guide.xml", "-o", "guide.md");
    expect(await way("guide.json", "-o", "from-json.md")).toBe(page);
  });

  it("writes a page from elsewhere as valid oManual 1.0", { tags: ["shared", "xmllint"] }, async () => {
    const { code, stdout, stderr } = await convert([PAGE, "--to", "omanual"]);
    expect(code).toBe(0);
    expect(await faultsOf([stdout])).toEqual([]);
    expect(stdout).toContain('<line bullet="icon_caution" level="0">the ends are sharp.</line>');
    expect(stderr).toMatch(/clean-the-reed\.md:15:1: .*\(note numbered-lines\)\n/);
    expect(stderr).toMatch(/^warning: .*clean-the-reed\.md:5:1: .*"The reed" is left out\. \(loss image-text\)$/m);
    expect((await convert([PAGE, "--to", "xml", "--strict"])).code).toBe(12);
  });

  it("makes a category of a page on request, and of one that says so itself", async () => {
    const directory = await temporaryFolder();
    await cp(join(SPINNING_WHEEL, "category.xml"), join(directory, "category.xml"));
    expect((await convert(["category.xml", "-o", "page.md"], { directory })).code).toBe(0);
    expect((await convert(["page.md", "--to", "xml"], { directory })).stdout).toMatch(
      /<category xmlns[\s\S]*Spinning Wheels/,
    );
    expect((await convert([PAGE, "--as", "category", "--to", "xml"])).stdout).toMatch(/\n<category xmlns/);
    const input = "# Looms\n\n- Namespace: ITEM\n- Language: en\n\nWords";
    const item = await convert(["-", "--from", "md", "--to", "xml"], { input });
    expect([item.code, item.stderr]).toEqual([2, expect.stringMatching(/oManual has only guides and categories/)]);
  });

  it("takes a service's own answer for a guide", { tags: ["shared"] }, async () => {
    const { code, stdout, stderr } = await convert([REAL, "--to", "xml"]);
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/<title [^>]*>Installing the Secondary Cylinder<\/title>/),
    ]);
    expect(stderr).toMatch(/\(note guide-id\)/);
    expect((await convert([REAL, "--to", "markdown"])).stdout).toMatch(/^# Installing the Secondary Cylinder\n/);
    const text = await convert([REAL, "--from", "document-tree", "--to", "markdown"]);
    expect([text.code, text.stderr]).toEqual([0, expect.stringMatching(/\(error no-document\)/)]);
  });

  it("still takes a document tree for a text, whatever its ending could mean", async () => {
    const directory = await temporaryFolder();
    const tree = { type: "doc", content: [{ type: "paragraph", content: [{ type: "text", text: "a" }] }] };
    await writeFile(join(directory, "text.json"), JSON.stringify(tree));
    expect((await convert(["text.json", "--to", "markdown"], { directory })).stdout).toBe("a\n");
  });

  it.each([
    ["empty.md", "", /empty\.md is empty/],
    ["words.md", "just words", /words\.md has no heading.*"# Oil the wheel"/],
    ["picture.md", Buffer.from([0x89, 0x50, 0x4e, 0x47]), /picture\.md is not UTF-8: byte 0/],
    ["empty.json", " ", /empty\.json is empty/],
    ["cut.json", '{"kind": "guide",\n "body": {', /cut\.json:2:11: this is not JSON: it ends where .* was expected/],
    [
      "wrong.json",
      '{"a": 1,\n  b: 2}',
      /wrong\.json:2:3: .*there is "b" where a field's name in double quotes was expected/,
    ],
    ["other.json", '{"a": 1}', /other\.json is JSON, but it is neither the JSON of a guide/],
    [
      "half.json",
      '{"kind": "guide", "body": {}}',
      /half\.json is not the JSON of a whole item\. key: .* \(and \d+ more\)/,
    ],
    ["empty.xml", "", /empty\.xml/],
  ])("refuses %s with 2 and says what is wrong", async (name, content, message) => {
    const directory = await temporaryFolder();
    await writeFile(join(directory, name), content);
    const { code, stdout, stderr } = await convert([name, "--to", name.endsWith("xml") ? "json" : "xml"], {
      directory,
    });
    expect([code, stdout, stderr]).toEqual([2, "", expect.stringMatching(message)]);
    expect(stderr).not.toMatch(/\n\s+at /);
  });

  it("refuses what is for texts, and texts that are no page", async () => {
    for (const [words, message] of [
      [["--to", "xml", "--line"], /--line is only for texts/],
      [["--to", "xml", "--ndjson", "--from", "markdown"], /--ndjson is only for texts/],
      [["--from", "document-tree", "--to", "xml"], /A text of the format document-tree is not a whole page/],
      [["--to", "html", "--as", "guide"], /--as is only for a page that becomes a document: --to omanual\|json/],
      [["--from", "json", "--to", "xml", "--as", "guide"], /a document of the format json contains its own kind/],
      [["--to", "xlm"], /did you mean xml\?/],
      [["--to", "xml", "--as", "page"], /--as is "page", expected one of guide, category/],
    ] as const) {
      const { code, stderr } = await convert([PAGE, ...words]);
      expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
    }
  });
});
