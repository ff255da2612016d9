import { lstatSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../../../helpers/temporary-folder.js";

/** The bytes as a file in a folder of its own. */
export async function onDisk(bytes: Buffer, name = "archive.zip"): Promise<string> {
  const path = join(await temporaryFolder(), name);
  writeFileSync(path, bytes);
  return path;
}

/** Everything below a folder, sorted, folders with a slash. */
export function treeOf(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(({ parentPath }) => !lstatSync(parentPath).isSymbolicLink())
    .map((file) => join(file.parentPath, file.name).slice(folder.length + 1) + (file.isDirectory() ? "/" : ""))
    .sort();
}
