import type { RepositoryStorage, StoredFile } from "../files/repository-storage.js";
import type { ArchiveFile, SnapshotIndex } from "../format.js";
import { hashFile } from "./rebuild-index.js";

/** An archive whose bytes are in a file of another name. */
export interface Displaced {
  /** The name that indexes and rows use. */
  readonly name: string;
  /** The file that holds its bytes. */
  readonly file: string;
}

/**
 * Finds the file with the bytes of an archive: the file of its name, unless file names were
 * exchanged or changed. Size and sha256 of the index identify an archive, so no key is needed.
 *
 * Cost: hashed are only files of a size that is searched for because an archive is missing or has
 * another size, and, at their first use, archives of equal size.
 */
export class ArchiveLocations {
  readonly #storage: RepositoryStorage;
  /** The sizes of regular files, as they were listed. */
  readonly #sizes: ReadonlyMap<string, number>;
  readonly #known: ReadonlyMap<string, ArchiveFile>;
  readonly #shared: ReadonlySet<number>;
  readonly #files = new Map<string, string>();
  readonly #searched = new Map<string, Promise<string>>();
  readonly #hashes = new Map<string, Promise<string>>();

  private constructor(storage: RepositoryStorage, files: readonly StoredFile[], indexes: readonly SnapshotIndex[]) {
    this.#storage = storage;
    this.#sizes = new Map(files.flatMap(({ name, bytes }) => (bytes === null ? [] : [[name, bytes]])));
    const archives = indexes.flatMap((index) => index.archives);
    this.#known = new Map(archives.map((archive) => [archive.name, archive]));
    const sizes = new Set<number>();
    this.#shared = new Set(archives.map(({ bytes }) => bytes).filter((bytes) => sizes.size === sizes.add(bytes).size));
  }

  /**
   * `files`: all of the repository. `indexes`: of snapshots and repairs. Throws ArchiveError for
   * the disk.
   */
  static async of(
    storage: RepositoryStorage,
    files: readonly StoredFile[],
    indexes: readonly SnapshotIndex[],
  ): Promise<ArchiveLocations> {
    const locations = new ArchiveLocations(storage, files, indexes);
    for (const { name, bytes } of locations.#known.values())
      if (locations.#sizes.get(name) !== bytes) await locations.search(name);
    return locations;
  }

  /** The file with the bytes of an archive, by default that of its name. Throws ArchiveError. */
  async fileOf(name: string): Promise<string> {
    const known = this.#known.get(name);
    const isDoubtful = known !== undefined && this.#shared.has(known.bytes) && this.#sizes.get(name) === known.bytes;
    return isDoubtful ? this.search(name) : (this.#files.get(name) ?? name);
  }

  /** The same by comparing hashes; once for each archive. */
  search(name: string): Promise<string> {
    const searched = this.#searched.get(name) ?? this.#search(name);
    this.#searched.set(name, searched);
    return searched;
  }

  /** Does the file have the bytes of its archive? true if unknown. Reads the whole file once. */
  async isAsWritten(name: string): Promise<boolean> {
    const known = this.#known.get(name);
    return known === undefined || this.#holds(name, known);
  }

  /** The other archive whose bytes the file has; undefined: none. */
  async ownerOf(name: string): Promise<string | undefined> {
    const bytes = this.#sizes.get(name);
    if (bytes === undefined || (await this.isAsWritten(name))) return undefined;
    for (const other of this.#known.values())
      if (other.name !== name && other.bytes === bytes && (await this.#holds(name, other))) return other.name;
    return undefined;
  }

  displaced(): readonly Displaced[] {
    const all = [...this.#files].filter(([name, file]) => name !== file).map(([name, file]) => ({ name, file }));
    return all.toSorted((one, other) => (one.name < other.name ? -1 : 1));
  }

  async #search(name: string): Promise<string> {
    const known = this.#known.get(name);
    if (known === undefined || (await this.#holds(name, known))) return name;
    for (const file of this.#sizes.keys()) {
      if (file === name || !(await this.#holds(file, known)) || (await this.#isOwn(file))) continue;
      this.#files.set(name, file);
      return file;
    }
    return name;
  }

  /** Is the file already that of an archive? Two archives may have equal bytes. */
  async #isOwn(file: string): Promise<boolean> {
    const known = this.#known.get(file);
    return [...this.#files.values()].includes(file) || (known !== undefined && (await this.#holds(file, known)));
  }

  async #holds(file: string, { bytes, sha256 }: ArchiveFile): Promise<boolean> {
    return this.#sizes.get(file) === bytes && (await this.#hashOf(file)) === sha256;
  }

  #hashOf(file: string): Promise<string> {
    const hashed = this.#hashes.get(file) ?? hashFile(this.#storage, file).then(({ sha256 }) => sha256);
    this.#hashes.set(file, hashed);
    return hashed;
  }

  /** The size of the file with the bytes of an archive when the repository was opened. */
  async sizeOf(name: string): Promise<number | undefined> {
    return this.#sizes.get(await this.fileOf(name));
  }
}

/** A message for each group of exchanged names, with its first file. */
export function describeDisplaced(
  all: readonly Displaced[],
  { address }: RepositoryStorage,
): readonly { readonly file: string; readonly text: string }[] {
  const fileOf = new Map(all.map(({ name, file }) => [name, file]));
  const held = new Set(all.map(({ file }) => file));
  // A chain begins with a name whose file holds no bytes of other archives; the rest are cycles.
  const starts = [...all.filter(({ name }) => !held.has(name)), ...all].map(({ name }) => name);
  const described = new Set<string>();
  return starts.flatMap((start) => {
    const group: string[] = [];
    for (let name: string | undefined = start; name !== undefined && fileOf.has(name) && !described.has(name); ) {
      described.add(name);
      group.push(name);
      name = fileOf.get(name);
    }
    if (group.length === 0) return [];
    const isCycle = fileOf.get(group.at(-1) ?? "") === start;
    const places =
      isCycle && group.length === 2
        ? "each has the bytes of the other"
        : group.map((name) => `the bytes of ${name} are in ${fileOf.get(name)}`).join(", ");
    const what = isCycle ? `The file names of ${group.join(" and ")} are exchanged` : "A file name was changed";
    const text = `${what}: ${places}. Nothing is lost: guideferry reads the bytes from there. Run \`guideferry repair ${address}\` to correct the names.`;
    return [{ file: group[0] ?? "", text }];
  });
}
