import { createHash } from "node:crypto";
import type { ListedEntry } from "../../storage/archive/read-list.js";
import type { ArchiveFile, MediaRow, SnapshotIndex } from "../../storage/repository/format.js";
import { parseArchiveName } from "../../storage/repository/names.js";
import { unlessDamaged } from "../../storage/repository/read/damage.js";
import type { OpenRepository } from "../../storage/repository/read/open-repository.js";
import { hashFile } from "../../storage/repository/read/rebuild-index.js";
import { cutFormatIn } from "../../storage/workspace/incoming-file.js";
import type { Problem, Thoroughness } from "./repository-check.js";

/** `sound`: the file matches its index, as far as it was checked. */
export type FileState = "sound" | "suspect" | "missing";

export interface CheckedFiles {
  readonly states: ReadonlyMap<string, FileState>;
  readonly problems: readonly Problem[];
  /** Whether files are as they were written: of those that were read, or have a wrong size. */
  readonly proven: ReadonlyMap<string, boolean>;
  readonly hashed: { readonly files: number; readonly bytes: number };
  /** The media of the latest snapshot in sound files that were read. */
  readonly ends: MediaEnds;
}

/** Compares the archives with their indexes; calls `watch` after each file. */
export async function checkFiles(
  repository: OpenRepository,
  thoroughness: Thoroughness,
  isReadable: (index: SnapshotIndex) => boolean,
  signal: AbortSignal,
  watch: (done: number, total: number, bytes: number) => void,
): Promise<CheckedFiles> {
  const states = new Map<string, FileState>();
  const proven = new Map<string, boolean>();
  const problems: Problem[] = [];
  const hashed = { files: 0, bytes: 0 };
  const ends = new MediaEnds(repository);
  const files = [...repository.snapshots(), ...repository.repairs()].flatMap((index) =>
    index.archives.map((file) => ({ file, index })),
  );
  for (const [at, { file, index }] of files.entries()) {
    signal.throwIfAborted();
    const isProof = !repository.rebuilt.has(index.snapshot) || file !== index.archives.at(-1);
    const wanted = isHashed(thoroughness, file, index.kind === "repair" || !isReadable(index));
    const watched = wanted && isProof ? ends : undefined;
    const found = await look(repository, file, { wanted, watched, signal });
    if (wanted && found.state !== "missing") hashed.files += 1;
    if (found.state === "sound" && wanted && isProof) repository.pool.noteProven(file.name);
    if (found.state !== "sound" || (wanted && isProof)) proven.set(file.name, found.state === "sound");
    hashed.bytes += found.read;
    // A rebuilt index has the hash of the file as it is, which proves nothing: check its contents.
    states.set(file.name, found.state === "sound" && !isProof ? "suspect" : found.state);
    if (found.detail !== null) problems.push({ file: file.name, snapshot: index.snapshot, detail: found.detail });
    watch(at + 1, files.length, hashed.bytes);
  }
  return { states, problems, proven, hashed, ends };
}

/** A sample reads single contents; of files whose contents can't be read it hashes a share. */
function isHashed(thoroughness: Thoroughness, { name }: ArchiveFile, asWhole: boolean): boolean {
  if (thoroughness.kind === "sample") return asWhole && hasTurn(thoroughness, shaOf(name));
  return thoroughness.kind === "bytes";
}

/** Is a content with this sha256 in the share that is checked now? */
export function hasTurn({ of, turn }: Extract<Thoroughness, { kind: "sample" }>, sha256: string): boolean {
  return Number.parseInt(sha256.slice(0, 8), 16) % of === turn % of;
}

function shaOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

interface Look {
  readonly state: FileState;
  readonly detail: string | null;
  readonly read: number;
}

interface LookOptions {
  /** Is it hashed? */
  readonly wanted: boolean;
  /** Gets the ends of its media, if it is sound. */
  readonly watched: MediaEnds | undefined;
  readonly signal: AbortSignal;
}

async function look(
  repository: OpenRepository,
  file: ArchiveFile,
  { wanted, watched, signal }: LookOptions,
): Promise<Look> {
  const { storage, locations } = repository;
  const lies = await locations.fileOf(file.name);
  const bytes = await locations.sizeOf(file.name);
  if (bytes === undefined) return { state: "missing", detail: "it is missing", read: 0 };
  if (bytes !== file.bytes) {
    const what = bytes < file.bytes ? "it is cut off" : "it has grown";
    const detail = `${what}: ${bytes} bytes instead of ${file.bytes}${await describeCopy(repository, file)}`;
    return { state: "suspect", detail, read: 0 };
  }
  if (!wanted) return { state: "sound", detail: null, read: 0 };
  const watch = await watched?.watch(file.name);
  const { sha256 } = await hashFile(storage, lies, signal, (piece) => watch?.push(piece));
  if (sha256 === file.sha256 && watch !== undefined) watched?.note(file.name, watch);
  // Exchanged archives of the same size differ only in their hash.
  const isSound = sha256 === file.sha256 || (await locations.search(file.name)) !== file.name;
  if (isSound) return { state: "sound", detail: null, read: bytes };
  const detail = `its bytes are damaged: their sha256 is ${sha256}, expected ${file.sha256}`;
  return { state: "suspect", detail: `${detail}${await describeCopy(repository, file)}`, read: bytes };
}

/** Tells a copy of another archive, whose own bytes are lost, from exchanged names. */
async function describeCopy({ locations }: OpenRepository, { name }: ArchiveFile): Promise<string> {
  const owner = await locations.ownerOf(name);
  return owner === undefined ? "" : `; they are a copy of ${owner}, and its own bytes are in no file of the folder`;
}

/** Bytes of a local header without its name. */
const HEADER = 30;
/** Bytes. Only the beginning and the end of larger media are read, later. */
const LARGEST = 1024 * 1024;

/** What the bytes of an archive show of its media. */
interface ArchiveEnds {
  /** The format of each medium that stops before its end, by path. */
  readonly cut: ReadonlyMap<string, string>;
  /** The paths of media that still have to be read. */
  readonly unknown: ReadonlySet<string>;
}

/**
 * Finds the incomplete media of the latest snapshot in the bytes that are read to hash its
 * archives, so that nothing is read twice. Keeps only what is cut or still has to be read.
 */
export class MediaEnds {
  readonly #repository: OpenRepository;
  /** The archives that the latest snapshot may need. */
  readonly #needed: ReadonlySet<string>;
  readonly #archives = new Map<string, ArchiveEnds>();

  constructor(repository: OpenRepository) {
    this.#repository = repository;
    const { archives = [], needs = [] } = repository.snapshots().at(-1) ?? {};
    this.#needed = new Set([...archives.map(({ name }) => name), ...needs.map(({ archive }) => archive)]);
  }

  /** `format`: of an incomplete medium. undefined: its content has to be read. */
  of({ archive, path }: MediaRow): { readonly format: string | undefined } | undefined {
    const known = this.#archives.get(archive);
    return known === undefined || known.unknown.has(path) ? undefined : { format: known.cut.get(path) };
  }

  /** Do all archives that the snapshot needs have complete media only? */
  areComplete(): boolean {
    return [...this.#needed].every((archive) => {
      const known = this.#archives.get(archive);
      return known !== undefined && known.cut.size === 0 && known.unknown.size === 0;
    });
  }

  /** undefined: its bytes show nothing, as they are encrypted, damaged or not needed. */
  async watch(archive: string): Promise<MediaWatch | undefined> {
    if (!this.#needed.has(archive) || parseArchiveName(archive)?.encrypted !== false) return undefined;
    const entries = await unlessDamaged(() => this.#repository.pool.use(archive, (opened) => opened.entries));
    return entries === undefined ? undefined : new MediaWatch(entries.below("media/"));
  }

  /** Call it when the bytes that `watch` got are proven to be those of the archive. */
  note(archive: string, watch: MediaWatch): void {
    const ends = watch.end();
    if (ends !== undefined) this.#archives.set(archive, ends);
  }
}

/** Gets the bytes of an archive once, in order; holds those of one medium at most. */
export class MediaWatch {
  readonly #entries: Iterator<ListedEntry>;
  readonly #cut = new Map<string, string>();
  readonly #unknown = new Set<string>();
  #isReadable = true;
  /** The medium that is looked for; its first bytes, if they were in earlier pieces. */
  #entry: ListedEntry | undefined;
  #held: Buffer[] = [];
  /** The position of the next piece, and of the end of the last medium. */
  #at = 0;
  #reached = 0;

  /** `entries`: in the order of their positions, else they count as unknown. */
  constructor(entries: Iterator<ListedEntry>) {
    this.#entries = entries;
    this.#next();
  }

  push(piece: Buffer): void {
    const [from, to] = [this.#at, this.#at + piece.length];
    this.#at = to;
    for (let entry = this.#entry; entry !== undefined && entry.at < to; entry = this.#entry) {
      const end = endOf(entry);
      const bytes = piece.subarray(Math.max(0, entry.at - from), end - from);
      if (end > to) {
        // A copy, because the memory of a piece is used again.
        this.#held.push(Buffer.from(bytes));
        return;
      }
      this.#look(entry, this.#held.length === 0 ? bytes : Buffer.concat([...this.#held, bytes]));
      this.#reached = end;
      this.#next();
    }
  }

  /** undefined: the list of entries is damaged. */
  end(): ArchiveEnds | undefined {
    for (; this.#entry !== undefined; this.#next()) this.#unknown.add(this.#entry.path);
    return this.#isReadable ? { cut: this.#cut, unknown: this.#unknown } : undefined;
  }

  /** `bytes`: from the local header of the entry to the end of its content. */
  #look({ path }: ListedEntry, bytes: Buffer): void {
    const isPlain = bytes.readUInt16LE(26) === path.length && bytes.readUInt16LE(28) === 0;
    const format = isPlain ? cutFormatIn(bytes.subarray(HEADER + path.length)) : undefined;
    if (!isPlain) this.#unknown.add(path);
    else if (format !== undefined) this.#cut.set(path, format);
  }

  #next(): void {
    this.#held = [];
    for (this.#entry = this.#listed(); this.#entry !== undefined; this.#entry = this.#listed()) {
      const { at, method, size, packedSize, path } = this.#entry;
      if (at >= this.#reached && method === 0 && size === packedSize && size <= LARGEST) return;
      this.#unknown.add(path);
    }
  }

  #listed(): ListedEntry | undefined {
    try {
      const { done, value } = this.#entries.next();
      return done === true ? undefined : value;
    } catch {
      // The check of contents reports it.
      this.#isReadable = false;
      return undefined;
    }
  }
}

/** guideferry writes no extra field into a local header. */
function endOf({ at, path, packedSize }: ListedEntry): number {
  return at + HEADER + path.length + packedSize;
}
