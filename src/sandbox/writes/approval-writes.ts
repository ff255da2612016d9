import { forbidden, invalidValue } from "../server/service-error.js";
import { type Answer, numberAt, objectsAt } from "../state/answer.js";
import type { GuideRecord } from "../state/guide.js";
import type { Site } from "../state/site.js";
import type { UserRecord } from "../state/user.js";
import { wikiKey } from "../state/wiki.js";
import { changeRelease, findRelease } from "./release-writes.js";

/** Gives a new guide the default process of its category, if that has one. */
export function useDefaultProcess(site: Site, guide: GuideRecord): void {
  const category = site.wikis.get(wikiKey("CATEGORY", guide.category));
  const found = category === undefined ? undefined : site.rows.categoryProcesses.get(category.wikiid);
  if (found === undefined) return;
  site.rows.guideProcesses.put({ guideid: guide.guideid, approval_processid: found["approval_processid"] });
}

/** The stage of a request, counted from 1, in which this person may sign; undefined when there is none. */
export function stageOf(site: Site, request: Answer, user: UserRecord): number | undefined {
  const index = stagesOf(site, request).findIndex((stage) => signs(site, stage, user));
  return index === -1 ? undefined : index + 1;
}

/**
 * Signs or rejects the current stage of a request. The last signature of the last stage approves it and publishes its
 * release; a rejection cancels the release. Throws 403 and 422.
 */
export function signRequest(
  site: Site,
  request: Answer,
  user: UserRecord,
  { approved, note }: { readonly approved: boolean; readonly note: string },
): Answer {
  if (request["status"] !== "pending") throw invalidValue("approval_requestid", "the request is not pending");
  const stages = stagesOf(site, request);
  const number = numberAt(request, "stage") ?? 1;
  const stage = stages[number - 1];
  if (stage === undefined || !signs(site, stage, user)) throw forbidden("You may not sign this stage.");
  const done = objectsAt(request, "signatures");
  if (done.some((one) => one["stage"] === number && one["userid"] === user.userid)) {
    throw invalidValue("approval_requestid", "you have signed this stage already");
  }
  const now = site.now();
  const signatures = [...done, { stage: number, userid: user.userid, approved, note, date: now }];
  const count = done.filter((one) => one["stage"] === number).length + 1;
  const full = count >= (numberAt(stage, "signatures") ?? 1);
  const isLast = number === stages.length;
  const status = approved ? (full && isLast ? "approved" : "pending") : "rejected";
  const next = full && !isLast ? number + 1 : number;
  const end_date = status === "pending" ? null : now;
  const signed = site.rows.requests.put({ ...request, signatures, stage: next, status, end_date });
  if (status !== "pending") settleRelease(site, signed, now);
  return signed;
}

/** Throws 403 unless this is the password that the person signs in with. */
export function mustHavePassword(site: Site, user: UserRecord, password: string): void {
  const accounts = [...site.accounts.values()].filter((account) => account.userid === user.userid);
  if (!accounts.some((account) => account.password === password)) throw forbidden("The password is wrong.");
}

function settleRelease(site: Site, request: Answer, now: number): void {
  const found = findRelease(site, Number(request["releaseid"]));
  if (found === undefined) return;
  const out = { status: "released", publish_date: Math.max(now, numberAt(found.release, "release_date") ?? 0) };
  changeRelease(site, found.guide, found.release, request["status"] === "approved" ? out : { status: "cancelled" });
}

function stagesOf(site: Site, request: Answer): readonly Answer[] {
  return objectsAt(site.rows.processes.get(Number(request["approval_processid"])) ?? {}, "stages");
}

function signs(site: Site, stage: Answer, user: UserRecord): boolean {
  if (stage["userid"] === user.userid) return true;
  return site.teams.get(numberAt(stage, "teamid") ?? -1)?.members.includes(user.userid) === true;
}
