import { type Entry, getFileNameLowLevel } from "yauzl";
import type { Code } from "./codes.js";

const UTF8_FLAG = 0x800;

/** A name, and what is to be said of how it was written. */
export interface ReadName {
  readonly name: string;
  readonly faults: readonly { readonly code: Code; readonly detail: string }[];
}

/**
 * An entry's name as text: UTF-8 where bit 11 says so (APPNOTE 4.4.4), else by the Unicode path field (4.6.9), else UTF-8 where the bytes
 * are that, since many tools write it without saying so, else code page 437.
 */
export function readName(entry: Entry): ReadName {
  const { fileNameRaw: raw, generalPurposeBitFlag: flags, extraFields } = entry;
  const isPlain = raw.every((byte) => byte < 0x80);
  const isMarked = (flags & UTF8_FLAG) !== 0;
  const own = isPlain ? raw.toString("latin1") : (utf8(raw) ?? (isMarked ? undefined : codePage437(raw)));
  if (own === undefined) {
    const detail = "its name is marked as UTF-8 and is not";
    return { name: raw.toString("utf8"), faults: [{ code: "E_ZIP_PATH_INVALID", detail }] };
  }
  const field = getFileNameLowLevel(flags, raw, extraFields, true);
  const hasField = field !== getFileNameLowLevel(flags, raw, [], true);
  if (isMarked && hasField && field !== own) {
    const detail = `its Unicode path field names it "${field}"`;
    return { name: own, faults: [{ code: "E_ZIP_HEADER_MISMATCH", detail }] };
  }
  if (!hasField && (isPlain || isMarked)) return { name: own, faults: [] };
  const detail = hasField ? "its name stands in a field that not all programs read" : "its name is not marked as UTF-8";
  return { name: hasField ? field : own, faults: [{ code: "W_ZIP_NON_UTF8_NAME", detail }] };
}

function codePage437(raw: Buffer): string {
  return getFileNameLowLevel(0, raw, [], true);
}

function utf8(raw: Buffer): string | undefined {
  const text = raw.toString("utf8");
  return Buffer.from(text, "utf8").equals(raw) ? text : undefined;
}
