import { Readable } from "node:stream";
import type { Files } from "../../../src/core/formats.js";

/** A package in memory: what the archive guard gives for an archive or folder. */
export function memoryFiles(contents: Readonly<Record<string, string | Uint8Array>>, name = "test.omanual"): Files {
  const files = new Map(Object.entries(contents).map(([path, content]) => [path, Buffer.from(content)]));
  const contentOf = (path: string): Buffer => {
    const content = files.get(path);
    if (content === undefined) throw new Error(`${path} is not there.`);
    return content;
  };
  return {
    name,
    paths: [...files.keys()].sort(),
    size: (path) => contentOf(path).length,
    open: async (path) => Readable.from([contentOf(path)].filter((content) => content.length > 0)),
  };
}
