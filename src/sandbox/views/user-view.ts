import { type Answer, without } from "../state/answer.js";
import type { Site } from "../state/site.js";
import type { UserRecord } from "../state/user.js";

/** A light user (facts, 2.3); dozuki adds `banned` and `enabled`. An unknown id reads as a disabled account. */
export function lightUser(site: Site, userid: number): Answer {
  const user = site.users.get(userid) ?? { userid, username: "Deleted user", admin: false, loaded: { enabled: false } };
  const dozuki = site.settings.dialect === "dozuki" ? { banned: null, enabled: true } : {};
  return {
    unique_username: null,
    join_date: 0,
    image: null,
    reputation: 1,
    teams: [...site.teams.values()].filter((team) => team.members.includes(userid)).map((team) => team.teamid),
    ...dozuki,
    ...without(user.loaded, ["authToken"]),
    userid: user.userid,
    username: user.username,
    url: `${site.origin}/User/${user.userid}/${encodeURIComponent(user.username)}`,
  };
}

/** The full user object; `privileges` only for the caller's own record. */
export function fullUser(site: Site, user: UserRecord, own: boolean): Answer {
  return {
    certification_count: 0,
    badge_counts: { bronze: 0, silver: 0, gold: 0, total: 0 },
    summary: null,
    about_raw: false,
    about_rendered: false,
    ...lightUser(site, user.userid),
    ...(own ? { privileges: user.admin ? ["User", "Moderator", "Admin"] : ["User"] } : {}),
  };
}

/** The same with what only admins and the person see: `email`, `employee_id`, `sso_userid`, where they are known. */
export function privateUser(site: Site, user: UserRecord, own: boolean): Answer {
  const identity = without(site.rows.identities.get(user.userid) ?? {}, ["created_by"]);
  return { ...fullUser(site, user, own), ...identity };
}
