import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { temporaryFolder } from "../../../helpers/temporary-folder.js";
import type { Package } from "../../../helpers/training-packages.js";
import { type Part, type Whole, zipBytes } from "../../../storage/archive/helpers/zip-bytes.js";

export function bytesOf(content: string | Uint8Array | number): Buffer {
  return typeof content === "number" ? Buffer.alloc(content) : Buffer.from(content);
}

export function partsOf(made: Package): readonly Part[] {
  return Object.entries(made).map(([name, content]) => ({ name, content: bytesOf(content) }));
}

/** The package as an archive in a folder of its own. */
export async function zipOf(made: Package, name = "course.zip", whole: Whole = {}): Promise<string> {
  return fileOf(zipBytes(partsOf(made), whole), name);
}

export async function fileOf(bytes: Buffer | string, name: string): Promise<string> {
  const path = join(await temporaryFolder(), name);
  writeFileSync(path, bytes);
  return path;
}

/** The package as a folder. */
export async function folderOf(made: Package, name = "course"): Promise<string> {
  const folder = join(await temporaryFolder(), name);
  for (const [path, content] of Object.entries(made)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), bytesOf(content));
  }
  return folder;
}
