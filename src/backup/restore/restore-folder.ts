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

/**
 * Leaves two files for people in a folder that a snapshot was restored into: what this is, and what
 * each of its files is.
 */
export async function writeGuideToFolder(workspace: Workspace, { manifest }: SnapshotContents): Promise<void> {
  const { site, snapshot, finished } = manifest;
  const text = `This folder holds the content of ${site.name} (${site.origin}) as it was in the snapshot ${snapshot}, which was finished
at ${finished}. guideferry restored it from a backup.

${LIST}
    what there is, a line each, with tabs between: key, title, category or name of the file, where its text lies, where its bytes lie,
    and the ending that the bytes should have. Any spreadsheet opens it.
items/
    one JSON file for each guide, category, page, picture, video and document. "body" is its content in plain words; "raw" is
    what the site answered.
media/
    the bytes of pictures, videos and documents, named by their sha256, without an ending.

What guideferry can do with it:
    guideferry load . https://site.example            write it into a site
    guideferry load . manuals.omanual                 make a bundle of manuals that other programs read
    guideferry load . ./manuals --split category      one bundle for each category
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

/**
 * Titles are other people's words: no spreadsheet shall take one for a formula, and no terminal
 * obey one.
 */
function line(cells: readonly string[]): string {
  return `${cells.map((cell) => harmlessCell(withoutControls(cell))).join("\t")}\n`;
}

function withoutControls(cell: string): string {
  return cell.replaceAll(/[\t\r\n]+/g, " ").replaceAll(UNSEEN, (sign) => jsonText([sign]).slice(2, -2));
}

/**
 * Control and format characters, save the two joiners that emojis and the words of some languages
 * need.
 */
const UNSEEN = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
