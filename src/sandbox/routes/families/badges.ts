import { paged } from "../../server/query.js";
import { type Call, ok, type Reply, type Route } from "../../server/route.js";
import { badRequest, notFound } from "../../server/service-error.js";
import type { Answer } from "../../state/answer.js";

const CATEGORIES = ["badgeGuide", "badgeAnswers", "badgeGeneral", "badgeWorkbench"];

/** Every badge of the site as one person has it, earned ones first (facts, 2.5). */
export const BADGES: readonly Route[] = [
  { method: "GET", path: "/user/badges", access: "account", run: (call) => badgesOf(call, call.caller.userid) },
  {
    method: "GET",
    path: "/users/:userid{[0-9]+}/badges",
    access: "anyone",
    run: (call) => {
      const userid = Number(call.parameter("userid"));
      if (!call.site.users.has(userid)) throw notFound("User not found.");
      return badgesOf(call, userid);
    },
  },
];

function badgesOf({ site, query }: Call, userid: number): Reply {
  const category = query.get("category");
  if (category !== null && !CATEGORIES.includes(category)) {
    throw badRequest(`category must be one of ${CATEGORIES.join(", ")}`);
  }
  const earned = site.rows.earnedBadges.all().filter((row) => row["userid"] === userid);
  const list = site.rows.badges
    .all()
    .filter((badge) => category === null || badge["category"] === category)
    .map((badge): Answer => {
      const own = earned.find((row) => row["badgeid"] === badge["badgeid"]);
      const { times_earned = own === undefined ? 0 : 1, date = null } = own ?? {};
      return { earned: own !== undefined, times_earned, date, badge };
    });
  return ok(paged([...list.filter((row) => row["earned"]), ...list.filter((row) => !row["earned"])], query));
}
