import { isUtf8 } from "node:buffer";
import { UsageError } from "../../../core/errors.js";

/**
 * The text of UTF-8 bytes, with a byte order mark as a character. Throws UsageError for other bytes, with the place of the first
 * wrong one: what is put in their place when they are read all the same would be taken for the text.
 */
export function decodeText(bytes: Buffer, name: string): string {
  if (isUtf8(bytes)) return bytes.toString("utf8");
  const at = firstWrong(bytes);
  const line = bytes.subarray(0, at).reduce((lines, byte) => (byte === LINE_END ? lines + 1 : lines), 1);
  const value = (bytes[at] ?? 0).toString(16).toUpperCase().padStart(2, "0");
  const place = line > 1 ? `, in line ${line}` : "";
  throw new UsageError(`${name} is not UTF-8: byte ${at} (counted from 0${place}) is 0x${value}. ${remedyFor(bytes)}`);
}

const LINE_END = 0x0a;

/** Reading puts a character of three bytes of its own in the place of wrong ones: there the bytes differ. */
function firstWrong(bytes: Buffer): number {
  const readable = Buffer.from(bytes.toString("utf8"), "utf8");
  return bytes.findIndex((byte, at) => byte !== readable[at]);
}

function remedyFor(bytes: Buffer): string {
  const mark = bytes.subarray(0, 2).toString("hex");
  if (mark === "fffe" || mark === "feff") return "It begins as UTF-16 does; save it as UTF-8.";
  return "Save it as UTF-8, or put it through `iconv -f WINDOWS-1252 -t UTF-8` or whatever it is in.";
}
