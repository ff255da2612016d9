import { levelIn, type Profile } from "./profile.js";
import { TRAINING_CODES, type TrainingCode } from "./training-codes.js";

/** Findings of one level that are kept; the rest is counted (training modules, 6.1). */
const KEPT = 200;
/** Details quote foreign names. */
const LONGEST_DETAIL = 600;

/**
 * Takes the findings of one package at their levels in a profile; the first of each code is always
 * kept.
 */
export class FindingCollector {
  readonly #profile: Profile;
  readonly #kept: Record<TrainingFinding["level"], TrainingFinding[]> = { error: [], warning: [] };
  readonly #codes = new Set<TrainingCode>();
  #left = 0;

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
      this.#left += 1;
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

  /** Takes over what another one found, at the levels that it has there. */
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

  /** Errors first. */
  get all(): readonly TrainingFinding[] {
    return [...this.#kept.error, ...this.#kept.warning];
  }

  get left(): number {
    return this.#left;
  }
}

/** One thing that is wrong with a package, or odd about it. */
export interface TrainingFinding {
  readonly code: TrainingCode;
  /**
   * An error refuses the package, a warning is only told; the profile may make an error of a
   * warning, and the other way round.
   */
  readonly level: "error" | "warning";
  /** `imsmanifest.xml:12:5`, a path in the package, or null: the package as a whole. Printable. */
  readonly place: string | null;
  /** What is wrong, one clause; names and titles in it are printable and cut. */
  readonly detail: string;
  /** What the author changes in the authoring tool, one sentence. */
  readonly remedy: string;
}

/** Characters of a title or name in a message. */
export const SHOWN_LENGTH = 200;

/**
 * Foreign text for messages and reports: one line, control characters and marks that nobody sees as
 * `\u202e`, cut (training modules, 6.4). The archive guard prints names in the same way.
 */
export function shown(text: string, longest = SHOWN_LENGTH): string {
  const cut = text.length > longest ? `${text.slice(0, longest)}…` : text;
  return cut.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, escaped);
}

function escaped(character: string): string {
  return `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`;
}
