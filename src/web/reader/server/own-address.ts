import { createHash, timingSafeEqual } from "node:crypto";

/** The beginning of every address that is answered: whoever reads has to know it. */
export class OwnAddress {
  /** `` or `/<token>`. */
  readonly base: string;

  /** `token`: letters, digits, `-` and `_`; undefined: every account of this machine may read. */
  constructor(token: string | undefined) {
    this.base = token === undefined ? "" : `/${token}`;
  }

  /** Takes as long for a token that is nearly right as for any other. */
  has(path: string): boolean {
    if (this.base === "") return true;
    const [, first = ""] = path.split("/", 2);
    return timingSafeEqual(digest(`/${first}`), digest(this.base));
  }

  /** An address below it: `/at/now/index.html`. */
  to(path: string): string {
    return this.base + path;
  }

  /** What stands behind it. */
  within(path: string): string {
    return path.slice(this.base.length);
  }
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
