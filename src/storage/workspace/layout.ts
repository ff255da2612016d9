import { createHash } from "node:crypto";
import { join } from "node:path";
import { type Key, kindOf, restOf } from "../../core/model/key.js";
import { storedText } from "./stored-text.js";

/** What a file name shows of a key; with hash and extension it stays far below the 143 bytes of encrypted file systems. */
const READABLE_LENGTH = 80;
const HASH_LENGTH = 16;
const SHA256 = /^[0-9a-f]{64}$/;

/** What a run that was killed while it made the folder may have left. */
export const BEFORE_THE_STAMP: ReadonlySet<string> = new Set(["lock", "lock.json", "temporary"]);

/** Where everything of a workspace lies. The format is described in README.md. */
export interface Layout {
  readonly directory: string;
  readonly stamp: string;
  readonly lock: string;
  readonly state: string;
  readonly temporary: string;
  readonly items: string;
  readonly media: string;
  readonly reports: string;
  item(key: Key): string;
  /** Throws RangeError for anything but 64 lower-case hexadecimal digits, since it becomes a path. */
  content(sha256: string): string;
}

export function layoutOf(directory: string): Layout {
  const items = join(directory, "items");
  const media = join(directory, "media");
  return {
    directory,
    stamp: join(directory, "workspace.json"),
    lock: join(directory, "lock"),
    state: join(directory, "state.sqlite"),
    temporary: join(directory, "temporary"),
    items,
    media,
    reports: join(directory, "reports"),
    item: (key) => join(items, kindOf(key), ...itemName(storedText(key) as Key)),
    content: (sha256) => join(media, ...contentName(sha256)),
  };
}

function itemName(key: Key): readonly [folder: string, file: string] {
  const hash = createHash("sha256").update(key).digest("hex").slice(0, HASH_LENGTH);
  return [hash.slice(0, 2), `${readable(restOf(key))}-${hash}.json`];
}

/** Safe on every system: no reserved name survives the hash behind it, no character needs a code page or a normal form. */
function readable(text: string): string {
  const encoded = text.replace(/[^A-Za-z0-9_-]/gu, (character) =>
    [...Buffer.from(character)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`).join(""),
  );
  return encoded.slice(0, READABLE_LENGTH).replace(/%[0-9A-F]?$/, "");
}

function contentName(sha256: string): readonly [folder: string, file: string] {
  if (!SHA256.test(sha256)) throw new RangeError(`Not a sha256 in lower-case hexadecimal: ${JSON.stringify(sha256)}`);
  return [sha256.slice(0, 2), sha256];
}
