import type { Profile } from "./profile.js";

export interface JudgeOptions {
  /** Default: standard. */
  readonly profile?: Profile;
  /** Which one is taken where cmi5 and SCORM stand side by side. Default: cmi5. */
  readonly prefer?: "cmi5" | "scorm";
  /** Changes the manifest where a file's name has other letter case, never the file. Default: false. */
  readonly fixCase?: boolean;
}
