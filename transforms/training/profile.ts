export const PROFILES = ["strict", "standard", "lenient"] as const;
export type Profile = (typeof PROFILES)[number];

/** `allowed`: not reported. */
type ProfileLevel = "error" | "warning" | "allowed";

/** Levels that differ from the default (training modules, 6.1), also those of archives. */
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

/** `E_` is an error and `W_` a warning, unless the profile changes it. */
export function levelIn(profile: Profile, code: string): ProfileLevel {
  const changes = PROFILE_CHANGES[profile];
  const own = code.startsWith("W_") ? "warning" : "error";
  return Object.hasOwn(changes, code) ? (changes[code] ?? own) : own;
}

export interface ValidationOptions {
  /** Default: standard. */
  readonly profile?: Profile;
  /** For packages with both cmi5 and SCORM. Default: cmi5. */
  readonly prefer?: "cmi5" | "scorm";
  /** Uses the letter case of the files in the manifest. Default: false. */
  readonly fixCase?: boolean;
}
