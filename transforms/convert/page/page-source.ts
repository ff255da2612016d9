import type { MediaUse } from "../../../src/core/model/item.js";
import { idIn, type Key } from "../../../src/core/model/key.js";
import { addressIn, bundleAddress, derivedId } from "../../omanual/addresses.js";
import type { Draft, Tell } from "../../wiki/draft.js";
import type { ConvertIssue } from "../formats.js";
import type { FileRole, TextField } from "./labels.js";

export type PagePiece =
  /** A block before normalisation. */
  | { readonly type: "block"; readonly draft: Draft }
  /** Blocks of a separated text. */
  | { readonly type: "text"; readonly field: TextField; readonly drafts: readonly Draft[] }
  | {
      readonly type: "file";
      readonly role: FileRole;
      readonly id: number | null;
      readonly name: string;
      readonly address: string;
      readonly tell: Tell;
    };

/** Images by address have derived ids in the blocks (`PageMedia`), which keep their positions. */
export interface PageSource {
  readonly pieces: readonly PagePiece[];
  readonly images: PageMedia;
  readonly issues: readonly ConvertIssue[];
}

/** By the id in the blocks. */
type PageMedia = ReadonlyMap<string, PageImage>;

interface PageImage {
  readonly use: Omit<MediaUse, "path">;
  readonly address: string;
  /** Alternative text that is not a file name; empty: none. */
  readonly words: string;
}

export class ImageTable {
  readonly #images = new Map<string, PageImage>();

  /** undefined: a document cannot have the address. */
  take(address: string, words: string): string | undefined {
    const shown = words.trim();
    const use = mediaAt("image", address, isFileName(shown) ? shown : "");
    if (use === undefined) return undefined;
    const id = String(idIn(use.key));
    const before = this.#images.get(id);
    const altText = isFileName(shown) ? "" : shown;
    if (before === undefined || before.words === "") this.#images.set(id, { use, address, words: altText });
    return id;
  }

  get images(): ReadonlyMap<string, PageImage> {
    return this.#images;
  }
}

/** The address is of the web, or a path from the page's folder. */
type Kind = "image" | "video" | "document";

/** Has the same key as in manuals. `id`: of the site. undefined: not allowed in documents. */
function mediaAt(
  kind: Kind,
  address: string,
  name: string,
  id: number | null = null,
): Omit<MediaUse, "path"> | undefined {
  const web = addressIn(address);
  const path = web === undefined ? pathIn(address) : undefined;
  const identity = web ?? path;
  if (identity === undefined) return undefined;
  const key: Key = `${kind}/${id ?? derivedId(identity)}`;
  const last = path?.split("/").at(-1) ?? null;
  return { key, url: path === undefined ? identity : bundleAddress(path), guid: null, fileName: name || last };
}

/** undefined: an address with a scheme, or an empty one. */
function pathIn(address: string): string | undefined {
  const written = address.trim();
  if (written === "" || /^(?:[a-z][a-z0-9+.-]*:|#|\?)/i.test(written)) return undefined;
  const path = written
    .replaceAll("\\", "/")
    .replace(/(?:%[0-9a-f]{2})+/gi, decoded)
    .replace(/^(?:\.?\/)+/, "")
    .normalize("NFC");
  return path === "" ? undefined : path;
}

function decoded(escaped: string): string {
  const bytes = Uint8Array.from(escaped.slice(1).split("%"), (pair) => Number.parseInt(pair, 16));
  return new TextDecoder().decode(bytes);
}

function isFileName(words: string): boolean {
  return /^[^/\\]{1,200}\.[a-z0-9]{1,5}$/i.test(words);
}

/** Collects each medium that the item needs once. */
export class PageReading {
  readonly key: Key;
  readonly #images: PageMedia;
  readonly #uses = new Map<Key, MediaUse>();

  constructor(key: Key, images: PageMedia) {
    this.key = key;
    this.#images = images;
  }

  get media(): readonly MediaUse[] {
    return [...this.#uses.values()];
  }

  /** undefined: not an image by address. */
  imageAt(id: string): PageImage | undefined {
    return this.#images.get(id);
  }

  /** A guide has no place for the words of an image. */
  useImage(id: string, path: string, tell: Tell): Key {
    const found = this.#images.get(id);
    if (found === undefined) return this.#note({ key: `image/${id}`, url: null, guid: null, fileName: null }, path);
    if (found.words !== "") {
      const message = `A guide does not have alternative texts of images. ${JSON.stringify(found.words)} is left out.`;
      tell("image-text", "loss", message);
    }
    return this.#note(found.use, path);
  }

  useVideo(id: string, path: string): Key {
    return this.#note({ key: `video/${id}`, url: null, guid: null, fileName: null }, path);
  }

  /** undefined: a document cannot have the address. */
  useFile(role: Exclude<FileRole, "embed">, file: PageFile, path: string): Key | undefined {
    const { name, address, id, tell } = file;
    const isName = isFileName(name);
    const use = mediaAt(role, address, isName ? name : "", id);
    if (use === undefined) return undefined;
    if (!isName && name !== "" && name !== address)
      tell("file-words", "loss", `A file has only a name. ${JSON.stringify(name.slice(0, 100))} is left out.`);
    return this.#note(use, path);
  }

  #note(use: Omit<MediaUse, "path">, path: string): Key {
    const before = this.#uses.get(use.key);
    if (before === undefined || before.url === null) this.#uses.set(use.key, { ...use, path: before?.path ?? path });
    return use.key;
  }
}

export interface PageFile {
  readonly name: string;
  readonly address: string;
  readonly id: number | null;
  readonly tell: Tell;
}
