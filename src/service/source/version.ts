import { EXIT, FerryError } from "../../core/errors.js";
import type { Key } from "../../core/model/key.js";
import type { Answer, Query } from "../http/client.js";
import type { ParseContext } from "../wire/json-cursor.js";
import type { SiteSession, SourceOptions } from "./session.js";

type Version = NonNullable<SourceOptions["version"]>;

/** Presence flags: none is ever sent as `false` (api-facts 1.1). */
const VERSION_FLAGS: Readonly<Record<"guide" | "page", Readonly<Record<Version, Readonly<Record<string, true>>>>>> = {
  guide: { latest: {}, released: { released: true }, pending: { unpatrolled: true } },
  page: { latest: {}, released: { only_released: true }, pending: { unpatrolled: true } },
};

/** What versions other than the latest add to a change token. */
export function versionToken({ version = "latest" }: SourceOptions): readonly string[] {
  return version === "latest" ? [] : [version];
}

interface Asked {
  readonly key: Key;
  readonly kind: "guide" | "page";
  readonly path: string;
  readonly query: Query;
  readonly expect: readonly number[];
  readonly reading: ParseContext;
}

/**
 * Reads a guide or page in the wanted version. A newest edit that is 404 (no fallback to the source
 * language, api-facts 3.1) is read as approved, with a note. Throws UnreleasedError for a page that
 * was never released.
 */
export async function askVersion(session: SiteSession, asked: Asked, signal: AbortSignal): Promise<Answer> {
  const { key, kind, path, query, expect, reading } = asked;
  const version = versionOf(session, key);
  const flags = VERSION_FLAGS[kind][version];
  const answer = await session.client.get(path, { query: { ...query, ...flags }, expect }, signal);
  if (version === "latest" || answer.status !== 404) return answer;
  const plain = await session.client.get(path, { query, expect }, signal);
  if (version === "released" && plain.status !== 404) throw new UnreleasedError(key);
  if (plain.status === 200)
    reading.report({
      code: "no-pending-version",
      level: "note",
      key,
      path: "",
      message: "Its newest edit could not be read (404), so guideferry uses the approved version.",
    });
  return plain;
}

/** Categories and pages about people have no releases. */
const NEVER_RELEASED = /^(?:category|wiki\/(?:USER|TEAM))\//;

function versionOf({ options }: SiteSession, key: Key): Version {
  const { version = "latest" } = options;
  return version === "released" && NEVER_RELEASED.test(key) ? "latest" : version;
}

/** Released versions are requested, and this item has none: it is left out by name. */
export class UnreleasedError extends FerryError {
  override readonly name = "UnreleasedError";

  constructor(key: Key) {
    super(`${key} was never released, and --version released reads released versions only.`, {
      exitCode: EXIT.someFailed,
    });
  }
}

/** An archived guide that this account can't open (api-facts 11.16): no failure. */
export class ArchivedGuideError extends FerryError {
  override readonly name = "ArchivedGuideError";

  constructor(key: Key, status: number) {
    super(`${key} is archived, and this account cannot read it: the site answered ${status}.`, {
      exitCode: EXIT.someFailed,
    });
  }
}
