import type { ArchiveFinding } from "../../core/errors.js";
import { CODES, type Code } from "./codes.js";
import { printable } from "./printable.js";

/** One thing that the guard found. */
export interface Finding extends ArchiveFinding {
  readonly code: Code;
  readonly level: "error" | "warning";
}

/** What findings are about: an entry, as far as it can be named. */
export interface Named {
  readonly path: string;
}

/**
 * Takes the findings of an inspection: all are counted, the first of each level and of each code kept, so that a hostile archive
 * can't fill the memory.
 */
export class FindingList {
  readonly #kept: number;
  readonly #findings: Record<Finding["level"], Finding[]> = { error: [], warning: [] };
  readonly #counts: Record<Finding["level"], number> = { error: 0, warning: 0 };
  readonly #unreadable = new Set<Named | null>();

  constructor(kept: number) {
    this.#kept = kept;
  }

  /** `entry` null: the archive as a whole. */
  add(code: Code, entry: Named | null, detail: string): void {
    const level = levelOf(code);
    this.#counts[level] += 1;
    if (UNREADABLE.has(code)) this.#unreadable.add(entry);
    const list = this.#findings[level];
    const isFirst = list.every((finding) => finding.code !== code);
    if (isFirst || list.length < this.#kept) list.push(findingOf(code, entry?.path ?? null, detail));
  }

  /** The same list, where each detail that is added begins with these words. */
  noting(words: string): FindingList {
    return new NotingList(this, words);
  }

  /** Errors first. */
  get all(): readonly Finding[] {
    return [...this.#findings.error, ...this.#findings.warning];
  }

  /** Findings that were not kept. */
  get left(): number {
    return this.#counts.error + this.#counts.warning - this.all.length;
  }

  get isRefused(): boolean {
    return this.#counts.error > 0;
  }

  /** Would reading the content cost too much, or tell nothing? null: of the archive as a whole. */
  isUnreadable(entry: Named | null): boolean {
    return this.#unreadable.has(entry);
  }
}

class NotingList extends FindingList {
  readonly #list: FindingList;
  readonly #words: string;

  constructor(list: FindingList, words: string) {
    super(0);
    this.#list = list;
    this.#words = words;
  }

  override add(code: Code, entry: Named | null, detail: string): void {
    this.#list.add(code, entry, this.#words + detail);
  }

  override get all(): readonly Finding[] {
    return this.#list.all;
  }

  override get left(): number {
    return this.#list.left;
  }

  override get isRefused(): boolean {
    return this.#list.isRefused;
  }

  override isUnreadable(entry: Named | null): boolean {
    return this.#list.isUnreadable(entry);
  }
}

/** Details quote foreign names. */
const LONGEST_DETAIL = 400;

export function findingOf(code: Code, entry: string | null, detail: string): Finding {
  const { remedy } = CODES[code];
  const name = entry === null ? null : printable(entry);
  return { code, level: levelOf(code), entry: name, detail: printable(detail, LONGEST_DETAIL), remedy };
}

function levelOf(code: Code): Finding["level"] {
  return code.startsWith("W_") ? "warning" : "error";
}

const UNREADABLE: ReadonlySet<Code> = new Set<Code>([
  "E_ZIP_CORRUPT",
  "E_ZIP_ENCRYPTED",
  "E_ZIP_METHOD",
  "E_ZIP_OVERLAP",
  "E_ZIP_RATIO",
  "E_ZIP_TOTAL_SIZE",
  "E_ZIP_ENTRY_COUNT",
]);
