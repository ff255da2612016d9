import { z } from "zod";
import { maySee } from "../../rules/rights.js";
import { checked } from "../../server/check.js";
import { paged } from "../../server/query.js";
import { type AccountCall, type Call, NO_CONTENT, ok, type Reply, type Route } from "../../server/route.js";
import { notFound, ServiceError } from "../../server/service-error.js";
import { guideKey } from "../../state/guide.js";
import { guideSummary } from "../../views/guide-summary-view.js";
import { guideOf } from "../find-guide.js";

const BODY = z.strictObject({ langid: z.string().optional() });
const HOUR = 3600;
const COMPLETED = "/guides/:guideid{[0-9]+}/completed";

/** Who has completed what (facts, 2.5 and 4.3): once a guide and person, without dates. */
export const COMPLETIONS: readonly Route[] = [
  { method: "PUT", path: COMPLETED, access: "account", run: (call) => setCompleted(call, true) },
  { method: "DELETE", path: COMPLETED, access: "account", run: (call) => setCompleted(call, false) },
  {
    method: "GET",
    path: "/user/completions",
    access: "account",
    run: (call) => completionsOf(call, call.caller.userid),
  },
  {
    method: "GET",
    path: "/users/:userid{[0-9]+}/completions",
    access: "anyone",
    run: (call) => completionsOf(call, Number(call.parameter("userid"))),
  },
];

function setCompleted(call: AccountCall, completed: boolean): Reply {
  const guide = guideOf(call);
  const { langid } = checked(BODY, call.json());
  const translated = langid === undefined || langid === guide.langid;
  if (!translated && !call.site.guides.has(guideKey(guide.guideid, langid))) throw notFound("No such translation.");
  if (completed && !guide.completedBy.includes(call.caller.userid)) countCompletion(call);
  const others = guide.completedBy.filter((userid) => userid !== call.caller.userid);
  const completedBy = completed ? [...others, call.caller.userid] : others;
  call.site.guides.set(guideKey(guide.guideid), { ...guide, completedBy });
  return NO_CONTENT;
}

/** Throws 420 when the person was too quick (facts, 1.3). */
function countCompletion({ site, caller }: AccountCall): void {
  const now = site.now();
  const times = (site.completionTimes.get(caller.userid) ?? []).filter((time) => time > now - HOUR);
  if (times.length >= site.settings.completionsPerHour) {
    throw new ServiceError(420, { message: "You complete guides too quickly." });
  }
  site.completionTimes.set(caller.userid, [...times, now]);
}

/** What can't be seen is left out after paging, so that a page can be short before the end (facts, 1.2). */
async function completionsOf(call: Call, userid: number): Promise<Reply> {
  await call.beforeList();
  const { site, query } = call;
  const list = [...site.guides]
    .filter(([key, guide]) => key === guideKey(guide.guideid) && guide.completedBy.includes(userid))
    .map(([, guide]) => guide)
    .toSorted((one, other) => one.guideid - other.guideid);
  const page = paged(list, query).filter((guide) => !guide.deleted && maySee(guide, call.caller));
  return ok(page.map((guide) => guideSummary(site, guide)));
}
