import { bodyObject, forbidden, invalidValue, maySee, mustEdit, notFound } from "../rules.js";
import {
  type AccountCall,
  type Call,
  created,
  family,
  NO_CONTENT,
  ok,
  paged,
  type Reply,
  type Route,
  route,
} from "../server/route.js";
import { type Answer, numberAt, objectAt } from "../site/answer.js";
import { type GuideRecord, guideKey } from "../site/records.js";
import { addRelease, changeRelease, releaseView } from "../writes/releases.js";
import { guideOf } from "./guides.js";

const RELEASE = "/guides/releases/:releaseid{[0-9]+}";

/** Releases of guides (facts, 6.1). The body of a write is not public: it is merged. */
const RELEASES: readonly Route[] = [
  route("anyone", "GET /guides/releases", listReleases),
  route("anyone", "GET /guides/:guideid{[0-9]+}/releases", (call) =>
    ok(paged(shown(call, guideOf(call).releases).toSorted(newestFirst), call.query)),
  ),
  route("account", "POST /guides/releases", release),
  route("account", `PATCH ${RELEASE}`, change),
  route("account", `DELETE ${RELEASE}`, cancel),
];

/** An object (facts, 6.1); of the guides that the caller sees, by date of creation. */
async function listReleases(call: Call): Promise<Reply> {
  await call.beforeList();
  const guides = [...call.site.guides.values()].filter((guide) => !guide.deleted && maySee(guide, call.caller));
  const releases = guides.flatMap((guide) => shown(call, guide.releases));
  return ok({ releases: paged(releases.toSorted(byCreation), call.query) });
}

function release(call: AccountCall): Reply {
  const { guideid, langid, ...fields } = bodyObject(call.json());
  const source = call.site.guides.get(guideKey(Number(guideid)));
  const isSource = langid === undefined || langid === source?.langid;
  const guide = isSource ? source : call.site.guides.get(guideKey(Number(guideid), String(langid)));
  if (guide === undefined || guide.deleted) throw invalidValue("guideid", `guide ${String(guideid)} does not exist`);
  mustEdit(guide, call.caller);
  return created(addRelease(call.site, guide, fields, call.caller));
}

function change(call: AccountCall): Reply {
  const { guide, release: found } = releaseOf(call);
  return ok(releaseView(call.site, changeRelease(call.site, guide, found, bodyObject(call.json()))));
}

/** A cancelled release stays in the lists. */
function cancel(call: AccountCall): Reply {
  const { guide, release: found } = releaseOf(call);
  if (found["status"] !== "pending") throw invalidValue("releaseid", "the release is not pending");
  changeRelease(call.site, guide, found, { status: "cancelled" });
  return NO_CONTENT;
}

/** The release of the path; for its author and admins only (specification, States). */
function releaseOf(call: AccountCall): { readonly guide: GuideRecord; readonly release: Answer } {
  const releaseid = Number(call.parameter("releaseid"));
  for (const guide of call.site.guides.values()) {
    const found = guide.deleted ? undefined : guide.releases.find((one) => one["releaseid"] === releaseid);
    if (found === undefined) continue;
    if (!call.caller.admin && objectAt(found, "user")["userid"] !== call.caller.userid) {
      throw forbidden("Only its author may do this to a release.", ["Admin"]);
    }
    return { guide, release: releaseView(call.site, found) };
  }
  throw notFound("Release not found.");
}

function shown(call: Call, releases: readonly Answer[]): readonly Answer[] {
  return releases.map((one) => releaseView(call.site, one));
}

function newestFirst(one: Answer, other: Answer): number {
  return published(other) - published(one);
}

function published(row: Answer): number {
  return numberAt(row, "publish_date") ?? numberAt(row, "release_date") ?? 0;
}

function byCreation(one: Answer, other: Answer): number {
  const between = (numberAt(one, "init_date") ?? 0) - (numberAt(other, "init_date") ?? 0);
  return between === 0 ? Number(one["releaseid"]) - Number(other["releaseid"]) : between;
}

export const RELEASE_ROUTES: readonly Route[] = family("releases", RELEASES, "not-ifixit");
