import { createWriteStream } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Item } from "../../core/model/item.js";
import { extensionOf, isMediaItem } from "../../core/model/item.js";
import { harmlessCell } from "../../core/util/csv.js";
import { jsonText } from "../../core/util/printable-text.js";
import { layoutOf } from "../../storage/workspace/layout.js";
import type { Workspace } from "../../storage/workspace/workspace.js";
import type { SnapshotContents } from "./snapshot-contents.js";

const READ_ME = "README.txt";
const LIST = "contents.tsv";

/** Writes two files for people into a restored folder: README.txt, and a list of its files. */
export async function writeGuideToFolder(workspace: Workspace, { manifest }: SnapshotContents): Promise<void> {
  const { site, snapshot, finished } = manifest;
  const text = `This folder has the content of ${site.name} (${site.origin}) as it was in the snapshot ${snapshot}, which was finished
at ${finished}. guideferry restored it from a backup.

${LIST}
    the list of all items, one on each line, with tabs between the columns: key, title, category or file name, path of the text,
    path of the bytes, and the file name ending for the bytes. Any spreadsheet program opens it.
items/
    one JSON file for each guide, category, page, picture, video and document. "body" is its content; "raw" is the answer of the
    site.
media/
    the bytes of pictures, videos and documents. The file names are their sha256, without an ending.

What guideferry can do with this folder:
    guideferry load . https://site.example            load it into a site
    guideferry load . manuals.omanual                 write a bundle of manuals that other programs read
    guideferry load . ./manuals --split category      write one bundle for each category
`;
  await writeFile(join(workspace.directory, READ_ME), text, { mode: 0o600 });
  const out = createWriteStream(join(workspace.directory, LIST), { mode: 0o600 });
  await pipeline(Readable.from(listOf(workspace)), out);
}

async function* listOf({ items, directory }: Workspace): AsyncGenerator<string> {
  const layout = layoutOf(directory);
  const path = (file: string): string => relative(directory, file).replaceAll("\\", "/");
  yield line(["key", "title", "category or file name", "text", "bytes", "ending"]);
  for (const { key, title, category, state } of items.entries()) {
    const item = state === "present" ? await items.get(key) : undefined;
    if (item === undefined) continue;
    const media = mediaOf(item);
    const bytes = media?.content == null ? "" : path(layout.content(media.content.sha256));
    const ending = media === undefined ? "" : (extensionOf(media) ?? "");
    yield line([key, title, media?.fileName ?? category ?? "", path(layout.item(key)), bytes, ending]);
  }
}

function mediaOf(item: Item) {
  return isMediaItem(item) ? item.body : undefined;
}

/** Titles are untrusted: no formula for a spreadsheet, and no control sequence for a terminal. */
function line(cells: readonly string[]): string {
  return `${cells.map((cell) => harmlessCell(withoutControls(cell))).join("\t")}\n`;
}

function withoutControls(cell: string): string {
  return cell.replaceAll(/[\t\r\n]+/g, " ").replaceAll(UNSEEN, (sign) => jsonText([sign]).slice(2, -2));
}

/** Control and format characters, without the two joiners that emojis and some languages need. */
const UNSEEN = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
