import type { Files } from "../../../src/core/formats.js";
import { XML_LIMITS } from "../../xml/xml-limits.js";

/** `.oman` is a bare document too (omanual 7). */
export function isDocument(path: string): boolean {
  return /\.(?:xml|oman)$/i.test(path);
}

/** The bytes of a document; undefined when they are too many to be read. */
export async function contentOf(files: Files, path: string): Promise<Uint8Array | undefined> {
  const size = files.size(path);
  return size > XML_LIMITS.bytes ? undefined : firstBytes(files, path, size);
}

/** The first bytes of a file, at most `length`; what lies behind them is not read. */
export async function firstBytes(files: Files, path: string, length: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(Math.min(length, files.size(path)));
  let at = 0;
  for await (const chunk of await files.open(path)) {
    const wanted = (chunk as Uint8Array).subarray(0, bytes.length - at);
    bytes.set(wanted, at);
    at += wanted.length;
    // Only when bytes are left unread: the end of the stream is where its checksum is checked.
    if (at === bytes.length && length < files.size(path)) break;
  }
  return bytes.subarray(0, at);
}
