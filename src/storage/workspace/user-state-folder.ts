import { join } from "node:path";

/** `process.env`, `process.platform` and `os.homedir()`. */
interface UserSystem {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly platform: string;
  readonly home: string;
}

/** The folder for state that outlives a run: `$XDG_STATE_HOME`, or the default of the system. */
export function userStateFolder({ environment, platform, home }: UserSystem): string {
  const given = environment["XDG_STATE_HOME"];
  // The XDG Base Directory Specification 0.8 ignores relative paths.
  if (given?.startsWith("/")) return join(given, "guideferry");
  if (platform === "darwin") return join(home, "Library", "Application Support", "guideferry");
  if (platform === "win32") return join(environment["LOCALAPPDATA"] ?? join(home, "AppData", "Local"), "guideferry");
  return join(home, ".local", "state", "guideferry");
}
