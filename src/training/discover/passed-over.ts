import { plain } from "../report/plain.js";

/** Why things in a folder were passed over, in the words of the message: `3 partial downloads in courses were passed over`. */
export const REASONS = {
  link: { one: "link", many: "links", why: "guideferry doesn't follow them" },
  hidden: { one: "hidden file or folder", many: "hidden files or folders", why: "" },
  junk: { one: "thing that a file manager left", many: "things that a file manager left", why: "" },
  lock: { one: "lock file of an office program", many: "lock files of office programs", why: "" },
  partial: {
    one: "partial download",
    many: "partial downloads",
    why: "let them end, or name them on the command line",
  },
  workspace: { one: "workspace of guideferry", many: "workspaces of guideferry", why: "" },
  special: { one: "pipe, socket or device", many: "pipes, sockets or devices", why: "" },
  other: { one: "other file", many: "other files", why: "they are no packages by name and first bytes" },
  inside: {
    one: "archive inside of an unpacked package",
    many: "archives inside of an unpacked package",
    why: "they are taken for its content; move them elsewhere if they are packages themselves",
  },
  name: { one: "name that is not UTF-8", many: "names that are not UTF-8", why: "rename them" },
  unreadable: {
    one: "file or folder that can't be read",
    many: "files or folders that can't be read",
    why: "correct their owner and mode",
  },
} as const;
export type Reason = keyof typeof REASONS;

/** Things of one place that are no packages, for one reason. */
export interface PassedOver {
  /** The place as it was given. */
  readonly place: string;
  readonly reason: Reason;
  readonly count: number;
  /** The first of them, below the place; printable. */
  readonly names: readonly string[];
  /** There may be packages among them: the run didn't do all that was asked for. */
  readonly isFailure: boolean;
}

const NAMED = 5;
const FAILURES: ReadonlySet<Reason> = new Set(["name", "unreadable"]);

/** Counts what is passed over in one place. */
export class PassedOverCount {
  readonly #place: string;
  readonly #isKnown: (name: string) => boolean;
  readonly #counts = new Map<Reason, { count: number; readonly names: string[] }>();

  /** `isKnown`: of these nobody has to be told. */
  constructor(place: string, isKnown: (name: string) => boolean = () => false) {
    this.#place = place;
    this.#isKnown = isKnown;
  }

  add(reason: Reason, name: string): void {
    if (this.#isKnown(name)) return;
    const found = this.#counts.get(reason) ?? { count: 0, names: [] };
    this.#counts.set(reason, found);
    found.count += 1;
    if (found.names.length < NAMED) found.names.push(plain(name));
  }

  all(): readonly PassedOver[] {
    return [...this.#counts].map(([reason, { count, names }]) => ({
      place: this.#place,
      reason,
      count,
      names,
      isFailure: FAILURES.has(reason),
    }));
  }
}

/** One sentence for a person: `2 partial downloads in courses were passed over (let them end …): a.zip.part, b.crdownload.` */
export function describePassedOver({ place, reason, count, names }: PassedOver): string {
  const { one, many, why } = REASONS[reason];
  const left = count - names.length;
  const list = [...names, ...(left > 0 ? [`and ${left.toLocaleString("en-US")} more`] : [])].join(", ");
  const what =
    count === 1
      ? `1 ${one} in ${plain(place)} was`
      : `${count.toLocaleString("en-US")} ${many} in ${plain(place)} were`;
  return `${what} passed over${why === "" ? "" : ` (${why})`}: ${list}.`;
}
