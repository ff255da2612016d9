import { parseExtraFields } from "yauzl";
import type { ArchiveFile } from "./random-access.js";

/** An entry's own header (APPNOTE 4.3.7), as far as the file has it. */
export interface LocalHeader {
  readonly flags: number;
  readonly method: number;
  /** Those of the zip64 field where the header points there. */
  readonly crc32: number;
  readonly packedSize: number;
  readonly size: number;
  readonly name: Buffer;
  /** Where the content begins. */
  readonly contentAt: number;
  /** What is wrong with it by itself; the rest is read all the same. */
  readonly fault: string | undefined;
}

const SIGNATURE = 0x04034b50;
const LENGTH = 30;
const LARGE = 0xffffffff;
const ZIP64_FIELD = 1;

/** Names and fields are seldom longer together. */
const USUAL = 512;
/** Headers that stand closer to each other are read at once. */
const NEAR = 16 * 1024;

/** A text: no header is there, and why. `next`: up to where the bytes behind it are looked at afterwards. */
export async function readLocalHeader(file: ArchiveFile, at: number, next: number): Promise<LocalHeader | string> {
  const ahead = next - at > NEAR ? USUAL : undefined;
  const fixed = await file.bytesAt(at, LENGTH, ahead);
  if (fixed.length < LENGTH) return "the file ends before it";
  if (fixed.readUInt32LE() !== SIGNATURE) return `it begins with 0x${fixed.readUInt32LE().toString(16)}`;
  const nameLength = fixed.readUInt16LE(26);
  const extraLength = fixed.readUInt16LE(28);
  const rest = await file.bytesAt(at + LENGTH, nameLength + extraLength, ahead);
  const isCut = rest.length < nameLength + extraLength;
  const plain: Values = {
    crc32: fixed.readUInt32LE(14),
    packedSize: fixed.readUInt32LE(18),
    size: fixed.readUInt32LE(22),
  };
  const values = isCut ? plain : largeValues(plain, rest.subarray(nameLength));
  return {
    flags: fixed.readUInt16LE(6),
    method: fixed.readUInt16LE(8),
    ...(values ?? plain),
    name: rest.subarray(0, nameLength),
    contentAt: at + LENGTH + nameLength + extraLength,
    fault: isCut ? "its own header runs over the end of the file" : faultOf(values),
  };
}

interface Values {
  readonly crc32: number;
  readonly packedSize: number;
  readonly size: number;
}

function faultOf(values: Values | undefined): string | undefined {
  return values === undefined ? "the extra fields of its own header run over their end" : undefined;
}

/** With the sizes of the zip64 field (APPNOTE 4.5.3) where the header points there. undefined: the fields are damaged. */
function largeValues(plain: Values, extra: Buffer): Values | undefined {
  try {
    const field = parseExtraFields(extra).find(({ id }) => id === ZIP64_FIELD)?.data;
    if (field === undefined || field.length < 16 || plain.size !== LARGE || plain.packedSize !== LARGE) return plain;
    return {
      crc32: plain.crc32,
      size: Number(field.readBigUInt64LE(0)),
      packedSize: Number(field.readBigUInt64LE(8)),
    };
  } catch {
    return undefined;
  }
}
