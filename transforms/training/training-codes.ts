import type { CodeMeaning } from "./codes/code-meaning.js";
import { MANIFEST_CODES } from "./codes/manifest-codes.js";
import { OTHER_CODES } from "./codes/other-codes.js";
import { PACKAGE_CODES } from "./codes/package-codes.js";

/** Every code of this folder, in the words of the specification of training modules (3.1); those of archives are `src/storage/archive`'s. */
export const TRAINING_CODES = { ...PACKAGE_CODES, ...MANIFEST_CODES, ...OTHER_CODES } as const;

export type TrainingCode = keyof typeof TRAINING_CODES;

/** The same for who has a code that may be none of them. */
export function meaningOf(code: string): CodeMeaning | undefined {
  return Object.hasOwn(TRAINING_CODES, code) ? TRAINING_CODES[code as TrainingCode] : undefined;
}
