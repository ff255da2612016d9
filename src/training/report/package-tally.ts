import { meaningOf } from "../../../transforms/training/training-codes.js";
import { withCommas } from "../../core/util/printable-text.js";
import { CODES as ARCHIVE_CODES } from "../../storage/archive/findings.js";
import type { CheckedPackage, Verdict } from "../package.js";
import { plain } from "../plain-text.js";
import { type Group, groupOf, isImportLine, type ReportLine, type ReportRow, reportLine } from "./report-line.js";

/** Listed packages of a code. */
const NAMED = 10;

export interface CodeCount {
  readonly code: string;
  readonly level: "error" | "warning";
  readonly packages: number;
  readonly findings: number;
  /** What the code means, one clause; empty: unknown. */
  readonly meaning: string;
  readonly remedy: string;
  /** The first packages that have it, printable. */
  readonly files: readonly string[];
}

type Growing = { -readonly [Field in keyof CodeCount]: CodeCount[Field] } & { readonly files: string[] };

/** Counts packages one by one. Its memory grows with the number of codes. */
export class PackageTally {
  readonly #verdicts: Record<Verdict, number> = { accept: 0, "accept-with-warning": 0, refuse: 0 };
  readonly #groups: Record<Group, number> = { refused: 0, stuck: 0, warned: 0, accepted: 0 };
  readonly #outcomes = new Map<string, number>();
  readonly #codes = new Map<string, Growing>();

  add(row: ReportRow): void {
    this.addLine(reportLine(row));
  }

  addLine(line: ReportLine): void {
    const { file, verdict, codes, findings } = line;
    this.#verdicts[verdict] += 1;
    this.#groups[groupOf(line)] += 1;
    if (isImportLine(line)) count(this.#outcomes, line.state ?? line.action);
    for (const { code, level, remedy } of findings) {
      const known = this.#codes.get(code) ?? { ...NONE, code, level, remedy, meaning: meaning(code), files: [] };
      this.#codes.set(code, known);
      known.findings += 1;
    }
    for (const code of codes) {
      const known = this.#codes.get(code);
      if (known === undefined) continue;
      known.packages += 1;
      if (known.files.length < NAMED) known.files.push(plain(file));
    }
  }

  get verdicts(): Readonly<Record<Verdict, number>> {
    return { ...this.#verdicts };
  }

  get groups(): Readonly<Record<Group, number>> {
    return { ...this.#groups };
  }

  /** Of imports: packages by state, or by planned action where they have no state. */
  get outcomes(): ReadonlyMap<string, number> {
    return new Map([...this.#outcomes].sort(([one], [other]) => (one < other ? -1 : 1)));
  }

  get packages(): number {
    return Object.values(this.#verdicts).reduce((sum, count) => sum + count, 0);
  }

  /** The most frequent code first, errors before warnings. */
  codes(): readonly CodeCount[] {
    return [...this.#codes.values()].sort(
      (one, other) =>
        other.packages - one.packages ||
        Number(one.level === "warning") - Number(other.level === "warning") ||
        (one.code < other.code ? -1 : 1),
    );
  }

  /** `412 packages: 300 accepted, 90 with warnings, 22 refused`. */
  words(): string {
    const { accept, "accept-with-warning": warned, refuse } = this.#verdicts;
    const all = `${number(this.packages)} ${this.packages === 1 ? "package" : "packages"}`;
    return `${all}: ${number(accept)} accepted, ${number(warned)} with warnings, ${number(refuse)} refused`;
  }

  /** A table of the most frequent codes. */
  table(most = 20): { readonly head: readonly string[]; readonly rows: readonly (readonly (string | number)[])[] } {
    const rows = this.codes()
      .slice(0, most)
      .map(({ code, packages, findings, meaning: means }) => [code, packages, findings, means]);
    return { head: ["code", "packages", "findings", "meaning"], rows };
  }
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

const NONE = { packages: 0, findings: 0 };

export function number(count: number): string {
  return withCommas(count);
}

function meaning(code: string): string {
  if (code === UNREADABLE) return "the package could not be fetched or read";
  const ofArchive: Readonly<Record<string, { readonly meaning: string }>> = ARCHIVE_CODES;
  return meaningOf(code)?.meaning ?? (Object.hasOwn(ofArchive, code) ? ofArchive[code]?.meaning : undefined) ?? "";
}

/** The code of a package that could not be fetched or read from the disk. */
const UNREADABLE = "E_PKG_UNREADABLE";

/** The report row of a package that could not be fetched or read. */
export function unreadablePackage(file: string, reason: string): CheckedPackage {
  const finding = { code: UNREADABLE, level: "error", place: null, detail: reason, remedy: REMEDY } as const;
  return {
    file,
    verdict: "refuse",
    findings: [finding],
    findingsLeft: 0,
    module: null,
    repairs: [],
    bytes: 0,
    lone: null,
  };
}

const REMEDY = "Correct the cause, then run the same command again.";
