import type { Files } from "../../../../src/core/formats.js";

/** Every content, by path. */
export async function readAll(files: Files): Promise<Readonly<Record<string, string>>> {
  const contents: Record<string, string> = {};
  for (const path of files.paths) contents[path] = (await readOne(files, path)).toString("utf8");
  return contents;
}

export async function readOne(files: Files, path: string): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of await files.open(path)) pieces.push(piece);
  return Buffer.concat(pieces);
}
