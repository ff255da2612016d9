import { END_RECORD } from "../../archive/end-record.js";
import type { EntryList } from "../../archive/find-list.js";
import { ArchiveFile } from "../../archive/random-access.js";
import type { ByteSource } from "./byte-source.js";

const LENGTH = 22;
const LOCATOR = 20;
const ZIP64_LOCATOR = 0x07064b50;

/**
 * Where the list of entries lies in an archive that ends as guideferry ends them: with an end record without a comment, right behind the list.
 * undefined: it ends otherwise, as one of more than 4 GiB or a damaged one does; `findList` has all the cases. For hundreds of archives in turn.
 */
export async function plainList(source: ByteSource): Promise<EntryList | undefined> {
  const length = Math.min(source.bytes, LOCATOR + LENGTH);
  const end = Buffer.alloc(length);
  const { bytesRead } = await source.read(end, 0, length, source.bytes - length);
  if (bytesRead < LOCATOR + LENGTH || end.readUInt32LE(LOCATOR) !== END_RECORD) return undefined;
  if (end.readUInt32LE(0) === ZIP64_LOCATOR || end.readUInt16LE(LOCATOR + 20) !== 0) return undefined;
  const [here, entryCount] = [end.readUInt16LE(LOCATOR + 8), end.readUInt16LE(LOCATOR + 10)];
  const [size, at] = [end.readUInt32LE(LOCATOR + 12), end.readUInt32LE(LOCATOR + 16)];
  if (here !== entryCount || entryCount === 0 || at + size !== source.bytes - LENGTH) return undefined;
  return { file: new ArchiveFile(source, source.bytes), prefix: 0, at, size, entryCount, otherEnds: [] };
}
