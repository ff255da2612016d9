import { decodeWindows1252 } from "../../xml/decode-windows-1252.js";

const ESCAPES = /(?:%[0-9a-f]{2})+/gi;

/**
 * A path with `%XX` decoded as UTF-8; what is no such escape stays as it is, since tools write half-encoded addresses (training
 * modules, 2.3). Bytes that are not UTF-8 are read as windows-1252, as old tools wrote them.
 */
export function decodePath(path: string): string {
  if (!path.includes("%")) return path;
  return path.replace(ESCAPES, (escapes) => {
    const bytes = Uint8Array.from(escapes.slice(1).split("%"), (hexadecimal) => Number.parseInt(hexadecimal, 16));
    return utf8(bytes) ?? decodeWindows1252(bytes);
  });
}

function utf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

/** `a/b` of `./a/x/../b`; undefined: it climbs out of the package. */
export function withoutDots(path: string): string | undefined {
  const kept: string[] = [];
  for (const segment of path.split("/")) {
    if (segment === "." || segment === "") continue;
    if (segment !== "..") kept.push(segment);
    else if (kept.pop() === undefined) return undefined;
  }
  return kept.join("/");
}
