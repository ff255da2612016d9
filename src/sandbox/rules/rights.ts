import { forbidden } from "../server/service-error.js";
import type { GuideRecord } from "../state/guide.js";
import type { UserRecord } from "../state/user.js";

/** Public guides are seen by all; private ones by admins, their author, and those who were added as viewers. */
export function maySee(guide: GuideRecord, caller: UserRecord | undefined): boolean {
  if (guide.public) return true;
  if (caller === undefined) return false;
  return caller.admin || guide.author === caller.userid || guide.viewers.users.includes(caller.userid);
}

/** Admins edit everything, others what they wrote. */
export function mayEdit(guide: GuideRecord, caller: UserRecord | undefined): boolean {
  return caller !== undefined && (caller.admin || guide.author === caller.userid);
}

/** Throws 403 unless the caller may edit the guide. */
export function mustEdit(guide: GuideRecord, caller: UserRecord): void {
  if (!mayEdit(guide, caller)) throw forbidden("You may not edit this guide.", ["Moderator"]);
}

/** Throws 403 unless the caller is an admin; tags, for one, need a moderator (facts, 4.6). */
export function mustModerate(caller: UserRecord): void {
  if (!caller.admin) throw forbidden("You may not do this.", ["Moderator"]);
}
