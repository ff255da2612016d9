/** The names of what one run normalises into one folder: no two packages get the same one, on disks that ignore letter case too. */
export class NormalisedFolder {
  readonly path: string;
  readonly #taken = new Map<string, string>();

  constructor(path: string) {
    this.path = path;
  }

  /** `name`, or, where another package of this run has that, `name-` and the first digits of its digest. */
  nameFor(name: string, digest: string): string {
    const names = [name, `${name}-${digest.slice(0, SHOWN_DIGITS)}`, `${name}-${digest}`];
    const free = names.find((one) => (this.#taken.get(fold(one)) ?? digest) === digest) ?? `${name}-${digest}`;
    this.#taken.set(fold(free), digest);
    return free;
  }
}

/** As many as the name of an upload has. */
const SHOWN_DIGITS = 12;

function fold(name: string): string {
  return name.normalize("NFC").toUpperCase().toLowerCase();
}
