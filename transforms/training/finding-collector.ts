import { levelIn, type Profile } from "./profile.js";
import { shown } from "./shown.js";
import { TRAINING_CODES, type TrainingCode } from "./training-codes.js";
import type { TrainingFinding } from "./training-finding.js";

/** Findings of one level that are kept; the rest is counted (training modules, 6.1). */
const KEPT = 200;
/** Details quote foreign names. */
const LONGEST_DETAIL = 600;

/** Takes the findings of one package at their levels in a profile; the first of each code is always kept. */
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
