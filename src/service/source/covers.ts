import { type Key, kindOf, restOf } from "../../core/model/key.js";
import type { Walk } from "../endpoints/endpoint.js";
import { recordEndpoint } from "../endpoints/record-endpoints.js";
import { isTaken } from "./families.js";
import { isBasicRecord } from "./list-records.js";
import type { SiteSession } from "./site-session.js";

/**
 * Would the listing have shown this record, if it were there? No, when its family wasn't asked for, or when the list that it stands on was
 * refused or failed.
 */
export function coversRecord(session: SiteSession, key: Key): boolean {
  if (kindOf(key) !== "record" || isBasicRecord(restOf(key))) return true;
  const endpoint = recordEndpoint(restOf(key));
  if (!session.listing().families || endpoint?.use.by !== "backup" || !isTaken(session, endpoint)) return false;
  return endpoint.use.walks.every((walk) => isWalked(session, walk));
}

/** No, when it is data about people that wasn't asked for. */
export function takesRecord(session: SiteSession, key: Key): boolean {
  const endpoint = kindOf(key) === "record" ? recordEndpoint(restOf(key)) : undefined;
  return endpoint === undefined || isTaken(session, endpoint);
}

function isWalked(session: SiteSession, walk: Walk): boolean {
  const { followed, refused, privateListed } = session.listing();
  // Rows of an answer that isn't the site's own (the imports of a module) were shown only as far as that answer was read.
  if (walk.per === "row") return followed.has(walk.of.slice(1));
  if (walk.per === "site") return true;
  if (walk.ifAny !== undefined && !followed.has(walk.ifAny.slice(1))) return false;
  // Guides and pages that no list shows to this account stay, and what stands on them.
  return walk.per === "guide" ? privateListed : refused.size === 0;
}
