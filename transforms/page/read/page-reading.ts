import type { Key } from "../../../src/core/model/key.js";
import type { MediaUse } from "../../../src/core/model/media.js";
import type { Tell } from "../../settle/draft.js";
import type { FileRole } from "../marks.js";
import { isFileName, mediaAt } from "./media-address.js";
import type { PageImage, PageMedia } from "./page-source.js";

/** What the reading of one page gathers: the media that its item needs, each once. */
export class PageReading {
  /** The key of the item that the page becomes. */
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

  /** The image of an id in the blocks, where the page shows it by its address. */
  imageAt(id: string): PageImage | undefined {
    return this.#images.get(id);
  }

  /** The key of an image, its use noted. What it shows in words has no place in a guide. */
  useImage(id: string, path: string, tell: Tell): Key {
    const found = this.#images.get(id);
    if (found === undefined) return this.#note({ key: `image/${id}`, url: null, guid: null, fileName: null }, path);
    if (found.words !== "") {
      const message = `A guide has no words for what an image shows; ${JSON.stringify(found.words)} is left out.`;
      tell("image-text", "loss", message);
    }
    return this.#note(found.use, path);
  }

  /** A video that a site knows by its id. */
  useVideo(id: string, path: string): Key {
    return this.#note({ key: `video/${id}`, url: null, guid: null, fileName: null }, path);
  }

  /** The key of a video or document by its address; undefined where no document may name it. */
  useFile(role: Exclude<FileRole, "embed">, file: PageFile, path: string): Key | undefined {
    const { name, address, id, tell } = file;
    const isName = isFileName(name);
    const use = mediaAt(role, address, isName ? name : "", id);
    if (use === undefined) return undefined;
    if (!isName && name !== "" && name !== address)
      tell("file-words", "loss", `A file is called by its name; ${JSON.stringify(name.slice(0, 100))} is left out.`);
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
