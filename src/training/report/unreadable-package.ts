import type { CheckedPackage } from "../package.js";

/** The code of a package that nobody could look at: it could not be fetched, or the disk refused it. */
export const UNREADABLE = "E_PKG_UNREADABLE";

/** A package that could not even be looked at, for a report, so that none is missing there. */
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

const REMEDY = "Do what is said there, and run the same command again.";
