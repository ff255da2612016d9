import type { ValidationOptions } from "../../../../transforms/training/profile.js";
import type { Package } from "../../../helpers/training-packages.js";

/** A package and exactly the codes that it has to be told of. */
export interface Case {
  readonly name: string;
  readonly made: Package | LoneFile;
  readonly codes: readonly string[];
  readonly options?: ValidationOptions;
}

/** A manifest without a package around it. */
export interface LoneFile {
  readonly lone: string;
  readonly content: string | Uint8Array;
}

export function isLone(made: Package | LoneFile): made is LoneFile {
  return typeof made["lone"] === "string";
}
