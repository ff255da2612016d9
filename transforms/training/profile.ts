/** How much a package may have against it. */
export const PROFILES = ["strict", "standard", "lenient"] as const;
export type Profile = (typeof PROFILES)[number];

/** `allowed`: not even told. */
export type ProfileLevel = "error" | "warning" | "allowed";

/**
 * What a profile changes about the level that a code has by itself (training modules, 6.1); all
 * other codes keep theirs. Codes of archives stand here as well: who tells of those asks the same
 * table.
 */
export const PROFILE_CHANGES: Readonly<Record<Profile, Readonly<Record<string, ProfileLevel>>>> = {
  strict: {
    W_MAN_FILE_MISSING: "error",
    W_MAN_CASE_MISMATCH: "error",
    W_PKG_MANIFEST_CASE: "error",
    W_XML_REPAIRED_AMPERSAND: "error",
    W_XML_ENCODING: "error",
    W_XML_DECLARATION: "error",
  },
  standard: {},
  lenient: {
    W_MAN_FILE_MISSING: "allowed",
    W_ZIP_TRAILING_DATA: "allowed",
  },
};

/**
 * The level of a code of this folder or of the archive guard: `E_` is an error and `W_` a warning,
 * unless the profile says otherwise.
 */
export function levelIn(profile: Profile, code: string): ProfileLevel {
  const changes = PROFILE_CHANGES[profile];
  const own = code.startsWith("W_") ? "warning" : "error";
  return Object.hasOwn(changes, code) ? (changes[code] ?? own) : own;
}

export interface ValidationOptions {
  /** Default: standard. */
  readonly profile?: Profile;
  /** Which one is taken where cmi5 and SCORM stand side by side. Default: cmi5. */
  readonly prefer?: "cmi5" | "scorm";
  /**
   * Changes the manifest where a file's name has other letter case, never the file. Default: false.
   */
  readonly fixCase?: boolean;
}
