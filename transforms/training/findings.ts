import { levelIn, type Profile } from "./profile.js";
import { TRAINING_CODES, type TrainingCode } from "./training-codes.js";

/** Findings kept of each level; the rest is counted (training modules, 6.1). */
const KEPT = 200;
/** Details quote untrusted names. */
const LONGEST_DETAIL = 600;

/** Always keeps the first finding of each code. */
export class FindingCollector {
  readonly #profile: Profile;
  readonly #kept: Record<TrainingFinding["level"], TrainingFinding[]> = { error: [], warning: [] };
  readonly #codes = new Set<TrainingCode>();
  #omitted = 0;

  constructor(profile: Profile = "standard") {
    this.#profile = profile;
  }

  /** `place` null: the package as a whole. */
  add(code: TrainingCode, place: string | null, detail: string): void {
    const level = levelIn(this.#profile, code);
    if (level === "allowed") return;
    const list = this.#kept[level];
    const isFirst = !this.#codes.has(code);
    this.#codes.add(code);
    if (!isFirst && list.length >= KEPT) {
      this.#omitted += 1;
      return;
    }
    list.push({
      code,
      level,
      place: place === null ? null : shown(place, LONGEST_DETAIL),
      detail: shown(detail, LONGEST_DETAIL),
      remedy: TRAINING_CODES[code].remedy,
    });
  }

  /** Keeps the other collector's levels. */
  addAll(findings: readonly TrainingFinding[]): void {
    for (const finding of findings) {
      this.#codes.add(finding.code);
      this.#kept[finding.level].push(finding);
    }
  }

  has(code: TrainingCode): boolean {
    return this.#codes.has(code);
  }

  get isRefused(): boolean {
    return this.#kept.error.length > 0;
  }

  get all(): readonly TrainingFinding[] {
    return [...this.#kept.error, ...this.#kept.warning];
  }

  get omitted(): number {
    return this.#omitted;
  }
}

export interface TrainingFinding {
  readonly code: TrainingCode;
  /** An error refuses the package; a profile may change the level. */
  readonly level: "error" | "warning";
  /** `imsmanifest.xml:12:5`, a path in the package, or null: the package as a whole. Printable. */
  readonly place: string | null;
  /** One clause; names and titles are printable and cut. */
  readonly detail: string;
  /** One sentence: what to change in the authoring tool. */
  readonly remedy: string;
}

/** Characters of a title or name in a message. */
const SHOWN_LENGTH = 200;

/** One line, cut, control and invisible characters as `\u202e`, as in the archive guard (6.4). */
export function shown(text: string, longest = SHOWN_LENGTH): string {
  const cut = text.length > longest ? `${text.slice(0, longest)}…` : text;
  return cut.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, escaped);
}

function escaped(character: string): string {
  return `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`;
}
