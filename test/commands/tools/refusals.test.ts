import { mkdir, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type RunHere, runHere } from "../../helpers/run-here.js";
import { temporaryFolder } from "../../helpers/temporary-folder.js";

/** A folder with `page.wiki` and `broken.json` in it. */
async function folder(): Promise<string> {
  const directory = await temporaryFolder();
  await writeFile(join(directory, "page.wiki"), "== a ==\n");
  await writeFile(join(directory, "broken.json"), '{"type": "doc"');
  await mkdir(join(directory, "sub"));
  return directory;
}

/** `@/` in a word is the folder: this process can't be in it. */
function convertIn(directory: string, words: readonly string[]): Promise<RunHere> {
  return runHere(["convert", ...words.map((word) => word.replace(/^@(?=\/|$)/, directory))]);
}

const INVENTORY = ["broken.json", "page.wiki", "sub"];

describe("guideferry convert refuses", () => {
  it.each<readonly [readonly string[], number, RegExp]>([
    [["@/none.wiki", "--to", "html"], 10, /^error: While reading none\.wiki: it does not exist\.\n$/],
    [["@/page.wiki/x.md", "--to", "html"], 10, /a part of the path is a file/],
    [["@/page.wiki"], 2, /The output format is unknown\. Name it: --to wiki\|html\|plain-html\|/],
    [["@/page.wiki", "-o", "@/page.pdf"], 2, /The output format is unknown: "page\.pdf" has no known file ending/],
    [
      ["-", "--to", "html"],
      2,
      /The input format is unknown: "-" has no known file ending\. Name it: --from wiki\|html\|markdown\|/,
    ],
    [["@/page.wiki", "--to", "markdwon"], 2, /--to is "markdwon", expected one of .* \(did you mean markdown\?\)\./],
    [
      ["@/page.wiki", "--from", "plain-html", "--to", "wiki"],
      2,
      /--from is "plain-html", expected one of wiki, html, m/,
    ],
    [["@/sub", "--from", "wiki", "--to", "html"], 2, /While reading sub: it is a folder; name a file/],
    [["https://e.org/a.html", "--to", "wiki"], 2, /is an address, but convert needs a file/],
    [["@/page.wiki", "--to", "html", "--origin", "e.org"], 2, /--origin is "e\.org", expected the address of a site/],
    [["@/page.wiki", "@/page.md", "--to", "html"], 2, /Too many arguments/],
    [["@/page.wiki", "--to", "html", "-o", "@/sub"], 2, /sub is a folder\. Name a file with --output/],
    [
      ["@/page.wiki", "--to", "html", "-o", "@/none/a"],
      2,
      /none\/a cannot be written, because the folder none does not exist/,
    ],
    [["@/page.wiki", "--to", "html", "-o", "/dev/null"], 2, /is not a regular file/],
    [["@/page.wiki", "--to", "html", "-o", "/dev/stdout"], 2, /leave out --output/],
    [["@/page.wiki", "--to", "html", "-o", "@/sub/../page.wiki"], 2, /page\.wiki is the input file/],
    [["@/none.wiki", "-o", "@/none.md"], 10, /it does not exist/],
    [["@/broken.json", "-o", "@/broken.md"], 2, /A document tree is JSON, and this is not JSON/],
    [["@/page.wiki", "--ndjson", "--to", "html"], 2, /The input format is unknown: with --ndjson/],
  ])("%j", async (words, expected, message) => {
    const directory = await folder();
    const { code, stdout, stderr } = await convertIn(directory, words);
    const told = stderr.replaceAll(`${directory}/`, "");
    expect([code, stdout, told]).toEqual([expected, "", expect.stringMatching(message)]);
    expect(await readdir(directory)).toEqual(INVENTORY);
    expect(await readFile(join(directory, "page.wiki"), "utf8")).toBe("== a ==\n");
  });

  it.each([
    [Buffer.from("a\nb\xff", "latin1"), /^error: stdin is not UTF-8: byte 3 \(counted from 0, in line 2\) is 0xFF\. /],
    [Buffer.from("a\xe2\x82", "latin1"), /byte 1 \(counted from 0\) is 0xE2/],
    [Buffer.from("\ufeffhi", "utf16le"), /byte 0 .* It starts like UTF-16\. Save it as UTF-8/],
  ])("bytes that are no UTF-8, with their place: %j", async (input, message) => {
    const { code, stdout, stderr } = await runHere(["convert", "-", "--from", "wiki", "--to", "wiki"], { input });
    expect([code, stdout, stderr]).toEqual([2, "", expect.stringMatching(message)]);
  });

  it("to write half a pair of characters, which UTF-8 does not have", async () => {
    const input = '{"type":"doc","content":[{"type":"paragraph","content":[{"type":"text","text":"a\\ud800"}]}]}';
    const words = ["convert", "-", "--from", "document-tree"];
    const wiki = await runHere([...words, "--to", "wiki"], { input });
    expect([wiki.code, wiki.stdout, wiki.stderr]).toEqual([2, "", expect.stringMatching(/Character 1 of the result/)]);
    const tree = await runHere([...words, "--to", "document-tree"], { input });
    expect([tree.code, tree.stdout]).toEqual([0, `${input}\n`]);
  });
});

describe("the file of --output", () => {
  it("is written with the format of its ending; one that is there is replaced and keeps its mode", async () => {
    const directory = await folder();
    const file = join(directory, "page.md");
    await writeFile(file, "an older and much longer text", { mode: 0o640 });
    const { code, stdout } = await convertIn(directory, ["@/page.wiki", "-o", "@/page.md"]);
    expect([code, stdout, await readFile(file, "utf8")]).toEqual([0, "", "## a\n"]);
    expect((await stat(file)).mode & 0o777).toBe(0o640);
    expect(await readdir(directory)).toEqual([...INVENTORY, "page.md"].sort());
  });

  it("is what a link leads to, and never what is read, under whatever name", async () => {
    const directory = await folder();
    await symlink("sub/page.md", join(directory, "link.md"));
    await writeFile(join(directory, "sub/page.md"), "");
    await convertIn(directory, ["@/page.wiki", "-o", "@/link.md"]);
    expect(await readFile(join(directory, "sub/page.md"), "utf8")).toBe("## a\n");
    await symlink("page.wiki", join(directory, "other.wiki"));
    const { code, stderr } = await convertIn(directory, ["@/page.wiki", "-o", "@/other.wiki"]);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/other\.wiki is the input file/)]);
  });
});
