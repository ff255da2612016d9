import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { UsageError } from "../../../src/core/errors.js";
import { folderWith, foundIn, sourcesIn, ZIP } from "./found-in.js";

/**
 * A folder with packages a, b and c, and a list of this content; gives what the list leads to, from
 * the folder on.
 */
async function listed(name: string, content: string | Uint8Array) {
  const folder = await folderWith({
    "a.zip": ZIP,
    "sub/b; c.zip": ZIP,
    "c,d.zip": ZIP,
    'e"f.zip': ZIP,
    "pack/cmi5.xml": "<x/>",
  });
  await writeFile(join(folder, name), content);
  const { found } = await foundIn([join(folder, name)]);
  return found.map(({ source, url, module }) => ({ source: source.replace(`${folder}/`, ""), url, module }));
}

async function refusalOf(name: string, content: string | Uint8Array): Promise<string> {
  const folder = await folderWith({ "a.zip": ZIP, "b.txt": "a.zip", "sub/x.zip": ZIP, [name]: content });
  const error: unknown = await foundIn([join(folder, name)]).then(
    () => new Error("it was taken"),
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(UsageError);
  return error instanceof Error ? error.message.replaceAll(`${folder}/`, "") : "";
}

const A = { source: "a.zip", url: null, module: null };
const WEB = { source: "https://files.example/x.zip", url: "https://files.example/x.zip", module: null };

describe("a list", () => {
  it("as text names a package in each line, and comments", async () => {
    const text = '\ufeff# ours\r\n\r\n  a.zip  \r"c,d.zip"\nhttps://files.example/x.zip#top\n/dev/../etc/hostname\n';
    expect(await listed("l.txt", text)).toEqual([
      A,
      { ...A, source: "c,d.zip" },
      WEB,
      { ...A, source: "/dev/../etc/hostname" },
    ]);
  });

  it.each([
    ["with commas", 'title,File,module\n"Fire, safety",a.zip,7\n,"c,d.zip",\n,"e""f.zip",x\n'],
    ["with semicolons", 'Module;FILE;title\r\n7;a.zip;Fire\r\n;c,d.zip;\r\nx;"e""f.zip";"a\r\nb"\r\n'],
    ["with tabs", 'path\tmodule\na.zip\t7\nc,d.zip\n"e""f.zip"\tx\n'],
    ["with the hint of Excel", 'sep=;\r\npath;module;\r\na.zip;7;\r\nc,d.zip;;\r\n"e""f.zip";x;'],
    ["with a mark", '\ufeffurl,source,module\n,a.zip,7\n,"c,d.zip",\n,"e""f.zip",x'],
  ])("as CSV %s", async (_, csv) => {
    const names = [
      { ...A, module: "7" },
      { ...A, source: "c,d.zip" },
      { ...A, source: 'e"f.zip', module: "x" },
    ];
    expect(await listed("l.csv", csv)).toEqual(names);
  });

  it("as CSV without a head has the packages in its first column", async () => {
    expect(await listed("l.csv", "a.zip,Fire\nhttps://files.example/x.zip\n")).toEqual([A, WEB]);
    expect(await listed("l.csv", "a.zip\n")).toEqual([A]);
    expect(await listed("l.tsv", "sub/b; c.zip\tx\n")).toEqual([{ ...A, source: "sub/b; c.zip" }]);
  });

  it("as UTF-16, as spreadsheets save it", async () => {
    expect(await listed("l.txt", Buffer.from("\ufeffa.zip\r\n", "utf16le"))).toEqual([A]);
  });

  it("as JSON has strings or objects", async () => {
    const json = JSON.stringify(["a.zip", { Package: "c,d.zip", module: 7, title: "x" }, { url: WEB.url, module: "" }]);
    expect(await listed("l.json", json)).toEqual([A, { ...A, source: "c,d.zip", module: "7" }, WEB]);
  });

  it.each(["l.ndjson", "l.jsonl"])("as %s has one in each line", async (name) => {
    expect(await listed(name, '"a.zip"\r\n\n{"file":"pack","module":"12"}\n')).toEqual([
      A,
      { ...A, source: "pack", module: "12" },
    ]);
  });

  it.each([
    [
      "l.txt",
      "a.zip\n# x\nnone.zip\nsub\nb.txt\n",
      /l\.txt:3: there is no file or folder none\.zip\n {2}l\.txt:4: sub is a folder, but not an unpacked package.*\n {2}l\.txt:5: b\.txt is a list,/,
    ],
    ["l.csv", 'path,module\na.zip,"7', /l\.csv:2: a quote that opens here is never closed/],
    ["l.csv", 'path,module\n"a.zip"x,7', /l\.csv:2: "x" follows a closing quote/],
    ["l.csv", "title,path\nx,a.zip\ny,\n", /l\.csv:3: it names no package/],
    [
      "l.csv",
      "a,b\na.zip,7\nnone.zip,8\n",
      /l\.csv:1: there is no file or folder a\. If this line is a header, name the column of the packages: path, file, package, url, source\n {2}l\.csv:3: there is no file or folder none\.zip\n/,
    ],
    ["l.csv", "path\na.zip,b,c\n", /l\.csv:2: it has 3 columns, but the header has 1/],
    ["l.csv", "path,module\na.zip,7\n./a.zip,8\n", /l\.csv:3: an earlier line names a\.zip for another module/],
    ["l.json", '{"name":"guideferry"}', /l\.json: it is not a list of packages/],
    [
      "l.json",
      '["a.zip", 3, {"title": "x"}]',
      /entry 2: expected a path, or an object.*\n.*entry 3: it names no package/,
    ],
    ["l.json", '["https://u:secret@files.example/x.zip?sig=secret",', /l\.json: it is not valid JSON: (?!.*secret)/],
    ["l.ndjson", '"a.zip"\n{"path"\n', /l\.ndjson:2: it is not valid JSON/],
    ["l.txt", "# nothing\n", /l\.txt names no package/],
    ["l.txt", Buffer.from([0x66, 0xe9, 0x2e]), /l\.txt is not a list of packages: it is not UTF-8 text/],
    ["l.txt", "a\0b", /not UTF-8 text/],
    [
      "l.txt",
      "https://user:secret@files.example/x.zip\n",
      /l\.txt:1: The address on https:\/\/files\.example has a user name or password(?!.*secret)/,
    ],
    ["l.txt", "http://files.example/x.zip\n", /l\.txt:1: guideferry fetches packages only over https/],
  ])("%s with faults is refused with each fault's line (%#)", async (name, content, expected) => {
    expect(await refusalOf(name, content)).toMatch(expected);
  });

  it("tells ten faults and counts the others", async () => {
    const message = await refusalOf("l.txt", Array.from({ length: 25 }, (_, at) => `n${at}.zip`).join("\n"));
    expect(message).toContain("l.txt:10:");
    expect(message).not.toContain("l.txt:11:");
    expect(message).toContain("and 15 more");
  });

  it("gives its module to a package that a folder showed before it", async () => {
    const folder = await folderWith({
      "in/a.zip": ZIP,
      "in/b.zip": ZIP,
      "l.csv": "file,module\nin/b.zip,77\n",
      "m.csv": "file,module\nin/b.zip,78\n",
    });
    const { found } = await foundIn([join(folder, "in"), join(folder, "l.csv")]);
    expect(found.map(({ module }) => module)).toEqual([null, "77"]);
    await expect(foundIn([join(folder, "l.csv"), join(folder, "m.csv")])).rejects.toThrow(
      /different modules, 77 and 78/,
    );
  });

  it("named in another list is no package", async () => {
    const folder = await folderWith({ "a.zip": ZIP, "l.txt": "a.zip" });
    expect(await sourcesIn(folder, join(folder, "l.txt"))).toEqual([join(folder, "a.zip")]);
  });
});

describe("an address", () => {
  it("is asked with its query and called without it", async () => {
    const url = "https://files.example/x.zip?X-Amz-Signature=abc&X-Amz-Expires=60";
    const { found } = await foundIn([`${url}#part`, url]);
    expect(found).toEqual([{ source: "https://files.example/x.zip", path: null, url, module: null }]);
  });

  it.each([
    ["file:///etc/hostname", /Give the path/],
    ["http://127.0.0.1/x.zip", /only over https/],
    ["ftp://files.example/x.zip", /only over https/],
    ["https://", /is not valid/],
    ["https://user:secret@files.example/x.zip", /has a user name or password(?!.*secret)/],
    ["https://us er:secret@files.exa mple/x", /is not valid(?!.*secret)/],
  ])("%s is refused", async (address, expected) => {
    await expect(foundIn([address])).rejects.toThrow(expected);
    await expect(foundIn([address])).rejects.toThrow(UsageError);
  });
});
