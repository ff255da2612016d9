import type { PackageState } from "../core/training.js";
import type { CheckedPackage } from "./package.js";

/** What is to be done with a package, as a plan says it. */
export const ACTIONS = ["new-module", "new-version", "go-on", "publish", "unchanged", "same-as", "refused"] as const;
export type Action = (typeof ACTIONS)[number];

/** How it went with one package of an import, or how it would go. */
export interface PackageResult {
  readonly checked: CheckedPackage;
  /** null: refused before it could be known. */
  readonly digest: string | null;
  readonly action: Action;
  /** Where it stands at the site; null: nothing of it is there, or nothing was to be done. */
  readonly state: PackageState | null;
  readonly moduleId: string | null;
  readonly importId: string | null;
  /** Why it is not there, or why nobody knows; empty: all is well. One sentence that says what to do. */
  readonly reason: string;
  /** What a person should know besides: a module of the same title, where the module is used, the preview, the site's warnings. */
  readonly notes: readonly string[];
}
