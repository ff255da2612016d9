import type { Size } from "../../transforms/fit/limits.js";
import type { Key } from "../core/model/key.js";
import type { Scratch } from "../storage/workspace/scratch.js";

/** What the check found on media. Only the keys of those that will not be there are kept in memory. */
export interface CheckedMedia {
  /** The site would refuse them, or they have no bytes. */
  readonly refused: ReadonlySet<Key>;
  sizeOf(key: Key): Size | undefined;
  /** Of an image that was measured: the extension of its file name or type. */
  extensionOf(key: Key): string | undefined;
  /** The file at the source of one that was refused; undefined where it has no lasting address. */
  addressOf(key: Key): string | undefined;
  /** Of media with equal bytes the one that goes up, by `uploadKey`: the same in every run, whoever is first to need it. */
  firstOf(content: string): Key | undefined;
}

/** Takes down what a check finds. */
export interface MediaNotes extends CheckedMedia {
  refuse(key: Key, address: string | undefined): void;
  measure(key: Key, size: Size, extension: string | undefined): void;
  /** Notes who goes up for these bytes, unless somebody does already. */
  send(content: string, key: Key): void;
}

const SIZES = "media size";
const UPLOADS = "media upload";
const ADDRESSES = "media address";

export function createMediaNotes(scratch: Scratch): MediaNotes {
  scratch.clear(SIZES);
  scratch.clear(UPLOADS);
  scratch.clear(ADDRESSES);
  const refused = new Set<Key>();
  return {
    refused,
    refuse: (key, address) => {
      refused.add(key);
      if (address !== undefined) scratch.put(ADDRESSES, key, address);
    },
    addressOf: (key) => scratch.get(ADDRESSES, key),
    sizeOf: (key) => {
      const [width, height] = scratch.get(SIZES, key)?.split("x").map(Number) ?? [];
      return width === undefined || height === undefined ? undefined : { width, height };
    },
    extensionOf: (key) => scratch.get(SIZES, key)?.split("x", 3)[2] || undefined,
    measure: (key, { width, height }, extension = "") => scratch.put(SIZES, key, `${width}x${height}x${extension}`),
    firstOf: (content) => scratch.get(UPLOADS, content) as Key | undefined,
    send: (content, key) => {
      if (scratch.get(UPLOADS, content) === undefined) scratch.put(UPLOADS, content, key);
    },
  };
}
