import { mediaPath } from "../page-path.js";

/** What a medium's address is made of. */
export interface MediumName {
  readonly sha256: string;
  /** See `MediaType`. */
  readonly extension: string;
}

/** Addresses of media, held by their sha256, which other things hold anyway: a large site has a hundred thousand. */
export class MediaNames {
  /** The extension; several, which a content with several names may have, with a blank between. */
  readonly #extensions = new Map<string, string>();

  has({ sha256, extension }: MediumName): boolean {
    return this.#of(sha256).includes(extension);
  }

  add(name: MediumName): void {
    if (this.has(name)) return;
    this.#extensions.set(name.sha256, [...this.#of(name.sha256), name.extension].join(" "));
  }

  delete({ sha256, extension }: MediumName): void {
    const left = this.#of(sha256).filter((each) => each !== extension);
    if (left.length === 0) this.#extensions.delete(sha256);
    else this.#extensions.set(sha256, left.join(" "));
  }

  /** Lets go of a content under all of its names. */
  forget(sha256: string): void {
    this.#extensions.delete(sha256);
  }

  clear(): void {
    this.#extensions.clear();
  }

  /** `media/<sha256>.jpg` of each. */
  *addresses(): Generator<string> {
    for (const sha256 of this.#extensions.keys())
      for (const extension of this.#of(sha256)) yield mediaPath(sha256, { extension });
  }

  #of(sha256: string): readonly string[] {
    return this.#extensions.get(sha256)?.split(" ") ?? [];
  }
}

/** undefined: it is no address of a medium. */
export function mediumIn(address: string): MediumName | undefined {
  const [, sha256, extension] = /^media\/([0-9a-f]{64})\.([a-z0-9_]+)$/.exec(address) ?? [];
  return sha256 === undefined || extension === undefined ? undefined : { sha256, extension };
}
