import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import type { PeopleMaps, PeopleRow } from "../../core/contracts.js";
import { UsageError } from "../../core/errors.js";
import { type PeopleKind, parsePeopleMap } from "../../sync/people/parse-people-map.js";
import type { Settings } from "../options/table.js";
import { decodeText } from "./convert/decode-text.js";

/** The largest file that is read: a map of a million people is smaller. */
const LARGEST = 64 * 1024 * 1024;

/** Reads what `--user-map` and `--team-map` name. Throws UsageError: it is not there, no UTF-8, no such table. */
export async function readPeopleMaps({ userMap, teamMap }: Pick<Settings, "userMap" | "teamMap">): Promise<PeopleMaps> {
  return {
    users: userMap ? await readMap(userMap, "--user-map", "users") : [],
    teams: teamMap ? await readMap(teamMap, "--team-map", "teams") : [],
  };
}

async function readMap(path: string, flag: string, kind: PeopleKind): Promise<readonly PeopleRow[]> {
  const bytes = await bytesOf(path, flag);
  if (bytes.length > LARGEST) throw new UsageError(`${flag} ${path} is larger than 64 MiB, which no map of people is.`);
  return parsePeopleMap(decodeText(bytes, path), basename(path), kind);
}

/** Later runs read the file again, so that it may be gone although nobody named it this time. */
async function bytesOf(path: string, flag: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (error) {
    const reason = error instanceof Error && "code" in error ? String(error.code) : String(error);
    throw new UsageError(
      `The map ${path} can't be read (${reason}). It is what ${flag} names, or named in the last load. Put it back, name another one ` +
        `with ${flag}, or say ${flag} none to go without. Nothing was written.`,
      { cause: error },
    );
  }
}
