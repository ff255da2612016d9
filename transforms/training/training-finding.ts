import type { TrainingCode } from "./training-codes.js";

/** One thing that is wrong with a package, or odd about it. */
export interface TrainingFinding {
  readonly code: TrainingCode;
  /** An error refuses the package, a warning is only told; the profile may make an error of a warning, and the other way round. */
  readonly level: "error" | "warning";
  /** `imsmanifest.xml:12:5`, a path in the package, or null: the package as a whole. Printable. */
  readonly place: string | null;
  /** What is wrong, one clause; names and titles in it are printable and cut. */
  readonly detail: string;
  /** What the author changes in the authoring tool, one sentence. */
  readonly remedy: string;
}
