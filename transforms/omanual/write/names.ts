import type { GuideItem, MediaItem } from "../../../src/core/model/item.js";
import { extensionOf } from "../../../src/core/model/item.js";
import { kindOf, languageIn, restOf } from "../../../src/core/model/key.js";
import { siteId } from "./write-context.js";

/** Names within a folder, unique in any letter case. */
export class Names {
  readonly #taken: Set<string>;

  constructor(reserved: readonly string[] = []) {
    this.#taken = new Set(reserved.map((name) => name.toLowerCase()));
  }

  /** `make` gets an empty text, then `_2`, `_3` … until the name is free. */
  take(make: (suffix: string) => string): string {
    for (let number = 1; ; number += 1) {
      const name = make(number === 1 ? "" : `_${number}`);
      if (this.#taken.has(name.toLowerCase())) continue;
      this.#taken.add(name.toLowerCase());
      return name;
    }
  }
}

/** Characters; names stay below the 143 bytes of encrypted file systems. */
const LONGEST = 80;

/** Vendor's rule (omanual 7): letters and digits, no accents, dashes for blanks. May be empty. */
export function slug(title: string): string {
  const plain = title.normalize("NFKD").replace(/\p{M}/gu, "").trim().replace(/\s/g, "-");
  return plain
    .replace(/[^A-Za-z0-9_-]/g, "")
    .slice(0, LONGEST)
    .replace(/^[-_]+|[-_]+$/g, "");
}

/**
 * `Oil-the-Loom-12`: readers take the end as the id. Without an id a word follows, so that no
 * number of the title is read as an id.
 */
export function guideFolder({ key, body }: Pick<GuideItem, "key" | "body">, names: Names): string {
  const id = siteId(body.id);
  const language = languageIn(key);
  const title = [slug(body.title), slug(language ?? "")].filter((part) => part !== "").join("-");
  if (id !== null) return names.take((suffix) => `${title === "" ? "guide" : title}${suffix}-${id}`);
  return names.take((suffix) => `${title === "" ? "" : `${title}-`}guide${suffix}`);
}

/** Device names of Windows. */
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)$/i;

/** `Hand-Looms`; a title without letters becomes a word. */
export function categoryFolder(title: string, names: Names): string {
  const written = slug(title);
  const name = written === "" || RESERVED.test(written) ? `${written}_category` : written;
  return names.take((suffix) => name + suffix);
}

export function mediaName(item: MediaItem, names: Names): string {
  const { key, body } = item;
  const extension = extensionOf(body);
  const given = slug((body.fileName ?? "").replace(/\.[^.]*$/, ""));
  const stem = given === "" || RESERVED.test(given) ? `${kindOf(key)}-${slug(restOf(key))}` : given;
  return names.take((suffix) => `${stem}${suffix}${extension === undefined ? "" : `.${extension}`}`);
}
