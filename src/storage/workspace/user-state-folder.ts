import { join } from "node:path";

/** What the folder depends on: `process.env`, `process.platform`, `os.homedir()`. */
interface UserSystem {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly platform: string;
  readonly home: string;
}

/**
 * Where programs keep what outlives a run and is no configuration: `$XDG_STATE_HOME` where set,
 * else what the system is used to.
 */
export function userStateFolder({ environment, platform, home }: UserSystem): string {
  const given = environment["XDG_STATE_HOME"];
  // A relative path is to be ignored (XDG Base Directory Specification 0.8).
  if (given?.startsWith("/")) return join(given, "guideferry");
  if (platform === "darwin") return join(home, "Library", "Application Support", "guideferry");
  if (platform === "win32") return join(environment["LOCALAPPDATA"] ?? join(home, "AppData", "Local"), "guideferry");
  return join(home, ".local", "state", "guideferry");
}
