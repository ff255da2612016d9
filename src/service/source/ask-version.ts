import type { Key } from "../../core/model/key.js";
import type { Answer, Query } from "../client.js";
import type { Reading } from "../wire/place.js";
import type { SiteSession } from "./site-session.js";
import { VERSION_FLAGS, type Version } from "./source-settings.js";
import { UnreleasedError } from "./unreleased-error.js";

interface Asked {
  readonly key: Key;
  readonly kind: "guide" | "page";
  readonly path: string;
  readonly query: Query;
  readonly expect: readonly number[];
  readonly reading: Reading;
}

/**
 * Asks for a guide or page in the version that is wanted. What is asked for as its newest edit and is 404 so (there is no fallback to the source
 * language then, api-facts 3.1) is taken as approved, with a note.
 * @throws UnreleasedError for a page that is there and was never released
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
      message: "Its newest edit could not be read (404), so it is taken as it was approved.",
    });
  return plain;
}

/** Categories are where things stand, and pages about people are nobody's to release: they are taken as they are. */
const NEVER_RELEASED = /^(?:category|wiki\/(?:USER|TEAM))\//;

function versionOf({ options }: SiteSession, key: Key): Version {
  const { version = "latest" } = options;
  return version === "released" && NEVER_RELEASED.test(key) ? "latest" : version;
}
