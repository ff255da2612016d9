import { z } from "zod";
import { maySee } from "../../rules/rights.js";
import { checked } from "../../server/check.js";
import { paged } from "../../server/query.js";
import { type AccountCall, type Call, NO_CONTENT, ok, type Reply, type Route } from "../../server/route.js";
import { notFound } from "../../server/service-error.js";
import { type Answer, numberAt } from "../../state/answer.js";
import { guideKey } from "../../state/guide.js";
import { favoriteOf } from "../../views/favorite-view.js";
import { guideSummary } from "../../views/guide-summary-view.js";
import { guideOf } from "../find-guide.js";

const BODY = z.strictObject({ langid: z.string().optional() });
const ONE = "/user/favorites/guides/:guideid{[0-9]+}";

/** Favourite guides (facts, 2.5). */
export const FAVORITES: readonly Route[] = [
  {
    method: "GET",
    path: "/user/favorites/guides",
    access: "account",
    run: (call) => favoritesOf(call, call.caller.userid),
  },
  {
    method: "GET",
    path: "/users/:userid{[0-9]+}/favorites/guides",
    access: "anyone",
    run: (call) => favoritesOf(call, Number(call.parameter("userid"))),
  },
  { method: "PUT", path: ONE, access: "account", run: add },
  { method: "DELETE", path: ONE, access: "account", run: remove },
];

/** `{date, guide}`, newest first; what the caller can't see is left out. */
async function favoritesOf(call: Call, userid: number): Promise<Reply> {
  await call.beforeList();
  const rows = call.site.rows.favorites
    .all()
    .filter((row) => row["userid"] === userid)
    .toSorted((one, other) => (numberAt(other, "date") ?? 0) - (numberAt(one, "date") ?? 0))
    .flatMap((row): readonly Answer[] => {
      const guide = call.site.guides.get(guideKey(Number(row["guideid"])));
      if (guide === undefined || guide.deleted || !maySee(guide, call.caller)) return [];
      return [{ date: row["date"], guide: guideSummary(call.site, guide) }];
    });
  return ok(paged(rows, call.query));
}

/** A second time is no error and keeps the date. */
function add(call: AccountCall): Reply {
  const { langid } = checked(BODY, call.json());
  const guide = guideOf(call);
  const translated = langid === undefined || langid === guide.langid;
  if (!translated && !call.site.guides.has(guideKey(guide.guideid, langid))) throw notFound("No such translation.");
  if (favoriteOf(call.site, call.caller.userid, guide.guideid) === undefined) {
    call.site.rows.favorites.put({ userid: call.caller.userid, guideid: guide.guideid, date: call.site.now() });
  }
  return NO_CONTENT;
}

function remove(call: AccountCall): Reply {
  const row = favoriteOf(call.site, call.caller.userid, Number(call.parameter("guideid")));
  if (row !== undefined) call.site.rows.favorites.remove(Number(row["favoriteid"]));
  return NO_CONTENT;
}
