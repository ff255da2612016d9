import { levelIn, type Profile } from "../../../transforms/training/profile.js";
import type { TrainingFinding } from "../../../transforms/training/training-finding.js";
import type { Finding } from "../../storage/archive/finding-list.js";
import type { PackageFinding, Verdict } from "../package.js";

/** Findings of the guard at their levels in a profile; what it allows is not told. */
export function fromGuard(findings: readonly Finding[], profile: Profile = "standard"): readonly PackageFinding[] {
  return findings.flatMap(({ code, entry, detail, remedy }): readonly PackageFinding[] => {
    const level = levelIn(profile, code);
    return level === "allowed" ? [] : [{ code, level, place: entry, detail, remedy }];
  });
}

/** Those of the archive and of the manifest, errors first. */
export function joinFindings(
  ofArchive: readonly PackageFinding[],
  ofPackage: readonly TrainingFinding[],
): readonly PackageFinding[] {
  const all: readonly PackageFinding[] = [...ofArchive, ...ofPackage];
  return [...all.filter(({ level }) => level === "error"), ...all.filter(({ level }) => level === "warning")];
}

export function verdictOf(findings: readonly PackageFinding[]): Verdict {
  if (findings.some(({ level }) => level === "error")) return "refuse";
  return findings.length > 0 ? "accept-with-warning" : "accept";
}
