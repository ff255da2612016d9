import { join } from "node:path";
import { type ContentPlace, findContent } from "../../archive/check-headers.js";
import { ContentFault, contentOf } from "../../archive/content.js";
import { diskError } from "../../archive/disk-error.js";
import { type EntryList, findList } from "../../archive/find-list.js";
import { FindingList } from "../../archive/finding-list.js";
import { ArchiveFile } from "../../archive/random-access.js";
import type { ListedEntry } from "../../archive/read-list.js";
import { parseArchiveName } from "../names.js";
import { ageRemains, ageSource, beginsAsAge } from "./age-source.js";
import type { ByteRange } from "./byte-range.js";
import { type ByteSource, fileSource } from "./byte-source.js";
import { contentPart } from "./content-part.js";
import { damage, isDamage } from "./damage.js";
import { EntryTable } from "./entry-table.js";
import { type ForeignGuard, ORDER } from "./foreign-guard.js";
import { plainList } from "./plain-list.js";
import type { RepositoryKeys } from "./repository-keys.js";
import { SalvagedArchive } from "./salvage.js";

/** Far more than the 8,000 entries of a part take, or a million of an export: a list of this length was not written by guideferry. */
const LONGEST_LIST = ORDER.listBytes;

/** One archive of a repository that is open: its list of entries, and its contents by their paths. */
export interface OpenedArchive {
  readonly name: string;
  readonly entries: EntryTable;
  /** The pieces of a content. Throws ArchiveError (exit 6) where it isn't there, or its bytes are damaged. */
  content(path: string): AsyncGenerator<Buffer>;
  /** The pieces of a part of a content, which can't be checked; fewer where the content ends early. Throws as `content` does. */
  part(path: string, range: ByteRange): AsyncGenerator<Buffer>;
  close(): Promise<void>;
}

/**
 * Opens an archive by its list of entries; no content is read, and of the entries' own headers only those that are asked for, so that of an
 * encrypted archive little is decrypted. With `guard` it passes that first. `file`: where it lies,
 * if not under its name. Throws ArchiveError (exit 6) when it is missing, damaged or
 * refused, UsageError when no key fits.
 */
export async function openRepositoryArchive(
  folder: string,
  name: string,
  keys: RepositoryKeys,
  guard?: ForeignGuard,
  file: string = name,
): Promise<OpenedArchive> {
  const source = await openSource(folder, { name, file }, keys);
  try {
    await guard?.pass(source, folder, name);
    const list = await readEntryList(source, name);
    const entries = await readTable(list, name);
    const contents: Contents = { name, entries, file: list.file, last: null };
    return {
      name,
      entries,
      content: (path) => contentAt(contents, path, (place) => contentOf(list.file, place)),
      part: (path, range) => contentAt(contents, path, (place) => contentPart(list.file, place, range), range.end),
      close: () => source.close(),
    };
  } catch (error) {
    await source.close();
    throw diskError(error, `reading ${join(folder, file)}`);
  }
}

/**
 * What is left of an archive whose list of entries can't be read: contents are found by what stands before each. Reads the whole file. Nothing is
 * held open by it but its file, until `close`. Throws as `openRepositoryArchive` does where nothing can be read.
 */
export async function salvageArchive(
  folder: string,
  name: string,
  keys: RepositoryKeys,
  file: string = name,
): Promise<{ readonly remains: SalvagedArchive; readonly close: () => Promise<void> }> {
  const source = await openSource(folder, { name, file }, keys, ageRemains);
  try {
    const remains = await SalvagedArchive.of(new ArchiveFile(source, source.bytes), name);
    return { remains, close: () => source.close() };
  } catch (error) {
    await source.close();
    throw diskError(error, `reading ${join(folder, file)}`);
  }
}

async function openSource(
  folder: string,
  { name, file: at }: { readonly name: string; readonly file: string },
  keys: RepositoryKeys,
  decrypted: typeof ageSource = ageSource,
): Promise<ByteSource> {
  if (/[/\\\0]/.test(name))
    throw damage(`A row names the archive ${JSON.stringify(name)}, which is no file in ${folder}.`);
  const path = join(folder, at);
  try {
    const file = fileSource(path);
    try {
      return (await isEncrypted(file, name)) ? await decrypted(file, name, keys) : file;
    } catch (error) {
      await file.close();
      throw error;
    }
  } catch (error) {
    if (isMissing(error)) throw damage(`${name} is missing in ${folder}.`);
    throw diskError(error, `reading ${path}`);
  }
}

/** By its name, or where that is not one of ours by how it begins: people call the file of an export what they like. */
async function isEncrypted(file: ByteSource, name: string): Promise<boolean> {
  const known = parseArchiveName(name);
  return known?.encrypted ?? (/\.age$/i.test(name) || (await beginsAsAge(file)));
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}

async function readEntryList(source: ByteSource, name: string): Promise<EntryList> {
  const plain = await plainList(source);
  if (plain !== undefined) return plain;
  const findings = new FindingList(1);
  const list = await findList(new ArchiveFile(source, source.bytes), findings);
  const [found] = findings.all;
  if (list !== undefined && found === undefined) return list;
  throw damage(`${name} is damaged: ${found?.detail ?? "it has no list of entries"}.`);
}

async function readTable({ file, at, size, entryCount }: EntryList, name: string): Promise<EntryTable> {
  if (size > LONGEST_LIST) throw damage(`${name} is damaged: its list of entries has ${size} bytes.`);
  // A copy: what is read by a window would hold the whole window.
  const list = Buffer.from(await file.bytesAt(at, size));
  try {
    return new EntryTable(list, entryCount);
  } catch (cause) {
    throw damage(`${name} is damaged.`, cause);
  }
}

interface Contents {
  readonly name: string;
  readonly entries: EntryTable;
  readonly file: ArchiveFile;
  /** The content that was found last: parts of one are asked for one after the other. */
  last: ContentPlace | null;
}

async function* contentAt(
  contents: Contents,
  path: string,
  read: (place: ContentPlace) => AsyncGenerator<Buffer>,
  wanted = Number.POSITIVE_INFINITY,
): AsyncGenerator<Buffer> {
  const { name } = contents;
  const place = await placeOf(contents, path, wanted);
  try {
    yield* read(place);
  } catch (error) {
    if (error instanceof ContentFault) throw damage(`${path} in ${name} is damaged.`, error);
    throw isDamage(error) ? error : diskError(error, `reading ${name}`);
  }
}

function findEntry({ entries, name }: Contents, path: string): ListedEntry {
  try {
    const entry = entries.find(path);
    if (entry !== undefined) return entry;
  } catch (cause) {
    throw damage(`${name} is damaged.`, cause);
  }
  throw damage(`${path} is not in ${name}.`);
}

/** By its own header. Where that differs from the list something is damaged, which need not be the content: its sha256 tells. */
async function placeOf(contents: Contents, path: string, wanted: number): Promise<ContentPlace> {
  if (contents.last?.entry.path === path) return contents.last;
  const entry = findEntry(contents, path);
  const place = await findContent(contents.file, entry, Math.min(wanted, entry.packedSize));
  if (typeof place === "string") throw damage(`${path} in ${contents.name} is damaged: ${place}.`);
  contents.last = place;
  return place;
}
