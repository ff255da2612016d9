import { ArchiveError } from "../../core/errors.js";
import type { Finding } from "./finding-list.js";

interface Refused {
  readonly findings: readonly Finding[];
  readonly findingsLeft: number;
}

/** The error of an archive or folder that the guard refuses: all errors, then warnings, then what to do. */
export function refusal(name: string, refused: Refused): ArchiveError {
  return listing(`${name} is refused; nothing of it was used.`, refused);
}

/** The error of names that the guard would refuse if they were written. */
export function refusalToWrite(name: string, refused: Refused): ArchiveError {
  return listing(`${name} was not written: the guard would refuse to read it.`, refused);
}

function listing(headline: string, { findings, findingsLeft }: Refused): ArchiveError {
  const errors = findings.filter(({ level }) => level === "error");
  const warnings = findings.filter(({ level }) => level === "warning");
  const remedies = [...new Set(errors.map(({ remedy }) => remedy))];
  const lines = [
    `${headline} ${errors.length === 1 ? "The reason" : `The ${errors.length} reasons`}:`,
    ...errors.map(line),
    ...(findingsLeft > 0 ? [`  … and ${findingsLeft} more`] : []),
    ...(warnings.length > 0 ? ["Also seen, no reason by themselves:", ...warnings.map(line)] : []),
    ...remedies.map((remedy) => `What to do: ${remedy}`),
  ];
  return new ArchiveError(lines.join("\n"), { findings });
}

function line({ code, entry, detail }: Finding): string {
  return `  ${code}${entry === null ? "" : ` "${entry}"`}: ${detail}`;
}
