import { lstat, readFile, rmdir } from "node:fs/promises";

/** A site is made to be served, by whatever user that is done by. */
export const FILE_MODE = 0o644;

/** Bytes of a file; undefined: no plain file is there. Throws what the system says. */
export async function sizeOf(file: string): Promise<number | undefined> {
  const stats = await lstat(file).catch((error: unknown) => {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  });
  return stats?.isFile() === true ? stats.size : undefined;
}

/** Is it a plain file with these bytes? Throws what the system says. */
export async function holds(file: string, bytes: Uint8Array): Promise<boolean> {
  return (await sizeOf(file)) === bytes.length && (await readFile(file)).equals(bytes);
}

/** Removes a folder that nothing is in. Throws what the system says. */
export async function removeEmpty(folder: string): Promise<void> {
  try {
    await rmdir(folder);
  } catch (error) {
    if (!NOT_EMPTY.has(codeOf(error))) throw error;
  }
}

const NOT_EMPTY: ReadonlySet<unknown> = new Set(["ENOTEMPTY", "EEXIST", "ENOENT"]);

/** Of an error of the system: `ENOENT`. */
export function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}
