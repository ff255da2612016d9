import type { Files } from "../../../../src/core/formats.js";
import type { Report } from "../../../../src/core/model/issue.js";
import type { Key } from "../../../../src/core/model/key.js";
import { nameOfFile } from "../../package/name-of-file.js";
import { readSidecar, type SidecarEntry } from "./sidecar.js";
import { folderOf, isOwnSidecar, SIDECAR } from "./sidecar-path.js";

/** An entry, and where its item's files are. */
export interface FoundEntry {
  readonly entry: SidecarEntry;
  /** Of the bundle; paths of media count from here. */
  readonly folder: string;
}

/** Bytes of one sidecar; an item with its answers has some hundred thousand. */
const LARGEST = 64 * 1024 * 1024;

/** The sidecars of a package, each read when it is asked for, so that one item is in memory at a time. */
export class BundleSidecars {
  readonly files: Files;
  readonly #report: Report;
  readonly #paths: ReadonlySet<string>;
  readonly #files: ReadonlySet<string>;
  #guides: Promise<ReadonlyMap<string, Key>> | undefined;

  constructor(files: Files, report: Report) {
    this.files = files;
    this.#report = report;
    this.#files = new Set(files.paths);
    this.#paths = new Set(
      files.paths.filter((path) => path.endsWith(`/${SIDECAR}`) || path === SIDECAR || isOwnSidecar(path)),
    );
  }

  /** Whether there are any. */
  get exist(): boolean {
    return this.#paths.size > 0;
  }

  /** The entry of a document; undefined where no sidecar tells of it. */
  async entryOf(document: string): Promise<FoundEntry | undefined> {
    const folder = folderOf(document);
    const entries = await this.#read(folder + SIDECAR);
    const entry = entries.find((each) => each.document !== null && folder + each.document === document);
    return entry === undefined ? undefined : { entry, folder };
  }

  /** Those of items without a document. */
  async *others(): AsyncIterable<FoundEntry> {
    for (const path of this.#paths) {
      if (!isOwnSidecar(path)) continue;
      const folder = baseOf(folderOf(path));
      for (const entry of await this.#read(path)) yield { entry, folder };
    }
  }

  /** The keys of all guides by the paths of their documents; read once, for packages that somebody changed. */
  guides(): Promise<ReadonlyMap<string, Key>> {
    this.#guides ??= this.#readGuides();
    return this.#guides;
  }

  async #readGuides(): Promise<ReadonlyMap<string, Key>> {
    const guides = new Map<string, Key>();
    for (const path of this.#paths) {
      if (isOwnSidecar(path)) continue;
      for (const { document, item } of await this.#read(path))
        if (document !== null && item.kind === "guide") guides.set(folderOf(path) + document, item.key);
    }
    return guides;
  }

  /** Nothing where there is no such file; one that can't be read is an Issue, and the documents are read without it. */
  async #read(path: string): Promise<readonly SidecarEntry[]> {
    if (!this.#paths.has(path)) return [];
    const size = this.files.size(path);
    const result =
      size > LARGEST
        ? { ok: false as const, reason: `it has ${size} bytes; at most ${LARGEST} are read` }
        : readSidecar(await this.#textOf(path));
    if (result.ok) return result.entries.map((entry) => this.#withFilesHere(entry, folderOf(path)));
    const message = `${nameOfFile(this.files, path)} can't be used: ${result.reason}. The documents beside it are read without it.`;
    this.#report({ code: "sidecar-unusable", level: "loss", key: `record/${path}`, path: "", message });
    return [];
  }

  /** Whoever packed the files may have left some out: those media have their addresses only. */
  #withFilesHere(entry: SidecarEntry, folder: string): SidecarEntry {
    const base = entry.document === null ? baseOf(folder) : folder;
    const media = entry.media.map(({ file, item }) => ({
      file: file !== null && this.#files.has(base + file) ? file : null,
      item,
    }));
    return { ...entry, media };
  }

  async #textOf(path: string): Promise<string> {
    const pieces: Buffer[] = [];
    for await (const piece of await this.files.open(path)) pieces.push(piece as Buffer);
    return Buffer.concat(pieces).toString("utf8");
  }
}

/** Where the files of items without a document are: beside the folder of their sidecars. */
function baseOf(folder: string): string {
  return folder.replace(/guideferry\/$/, "");
}
