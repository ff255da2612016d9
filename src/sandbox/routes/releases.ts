import { z } from "zod";
import { checked, forbidden, invalidValue, maySee, mustEdit, notFound } from "../rules.js";
import {
  type AccountCall,
  type Call,
  created,
  NO_CONTENT,
  ok,
  paged,
  type Reply,
  type Route,
} from "../server/route.js";
import { type Answer, numberAt } from "../site/answer.js";
import { type GuideRecord, guideKey } from "../site/records.js";
import { guideView } from "../views/guide.js";
import { addRelease, changeRelease, findRelease, releaseAuthor, releaseView } from "../writes/document-control.js";
import { duplicateGuide } from "../writes/guide.js";
import { guideOf } from "./find-guide.js";
import { addRow, type RowFamily, removeRow } from "./row-routes.js";

const RELEASE = "/guides/releases/:releaseid{[0-9]+}";
const type = z.enum(["major", "minor"]);
const FIELDS = z.strictObject({
  title: z.string().trim().min(1).optional(),
  notes: z.string().optional(),
  type: type.optional(),
  release_date: z.int().positive().nullable().optional(),
});
const CREATION = FIELDS.extend({ guideid: z.int().positive(), langid: z.string().optional() });
const DUPLICATION = z.strictObject({
  guides: z.array(z.strictObject({ guideid: z.int().positive(), releaseid: z.int().positive() })).min(1),
});
const WIKI_RELEASE = z.strictObject({ title: z.string().trim().min(1).optional(), notes: z.string().optional() });

const WIKI_RELEASES: RowFamily = {
  rows: "wikiReleases",
  noun: "Release",
  may: ({ caller }, row) => caller.admin || row["userid"] === caller.userid,
};

/** Releases of guides and wikis (facts, 6.1); the bodies of all writes are inferred. */
export const RELEASES: readonly Route[] = [
  { method: "GET", path: "/guides/releases", access: "anyone", run: listReleases },
  {
    method: "GET",
    path: "/guides/:guideid{[0-9]+}/releases",
    access: "anyone",
    run: (call) => ok(paged(shown(call, guideOf(call).releases).toSorted(newestFirst), call.query)),
  },
  { method: "POST", path: "/guides/releases", access: "account", run: release },
  { method: "PATCH", path: RELEASE, access: "account", run: change },
  { method: "DELETE", path: RELEASE, access: "account", run: cancel },
  { method: "POST", path: "/guides/duplicateReleases", access: "admin", run: duplicate },
  addRow("/wikis/:wikiid{[0-9]+}/releases", "account", WIKI_RELEASES, WIKI_RELEASE, (call, body) => {
    const wiki = [...call.site.wikis.values()].find((one) => one.wikiid === Number(call.parameter("wikiid")));
    if (wiki === undefined) throw notFound("Wiki not found.");
    const { wikiid, revisionid, title } = wiki;
    const dates = { init_date: call.site.now(), publish_date: call.site.now() };
    return { wikiid, revisionid, title, notes: "", ...body, userid: call.caller.userid, status: "released", ...dates };
  }),
  removeRow("/wikis/releases/:id{[0-9]+}", "account", WIKI_RELEASES),
];

/**
 * An object, not an array (facts, 6.1); of the guides that the caller sees, by date of creation
 * (specification).
 */
async function listReleases(call: Call): Promise<Reply> {
  await call.beforeList();
  const guides = [...call.site.guides.values()].filter((guide) => !guide.deleted && maySee(guide, call.caller));
  const releases = guides.flatMap((guide) => shown(call, guide.releases));
  return ok({ releases: paged(releases.toSorted(byCreation), call.query) });
}

function release(call: AccountCall): Reply {
  const { guideid, langid, ...fields } = checked(CREATION, call.json());
  const guide = guideWith(call, guideid, langid);
  mustEdit(guide, call.caller);
  const title = fields.title ?? `${guide.releases.length + 1}.0`;
  const { notes = "", type: kind = "major", release_date = null } = fields;
  return created(addRelease(call.site, guide, { title, notes, type: kind, release_date }, call.caller));
}

function change(call: AccountCall): Reply {
  const { guide, release: found } = pendingRelease(call);
  const body = checked(FIELDS, call.json());
  const { release_date } = body;
  // As at its creation, no date means now.
  const dated = release_date === null ? { ...body, release_date: call.site.now() } : body;
  return ok(releaseView(call.site, changeRelease(call.site, guide, found, dated)));
}

/** A cancelled release stays in the lists. */
function cancel(call: AccountCall): Reply {
  const { guide, release: found } = pendingRelease(call);
  changeRelease(call.site, guide, found, { status: "cancelled" });
  return NO_CONTENT;
}

/** Authors and admins only (specification, States); what is out or cancelled stays as it is. */
function pendingRelease(call: AccountCall) {
  const found = findRelease(call.site, Number(call.parameter("releaseid")));
  if (found === undefined) throw notFound("Release not found.");
  if (!call.caller.admin && releaseAuthor(found.release) !== call.caller.userid) {
    throw forbidden("Only its author may do this to a release.", ["Admin"]);
  }
  if (found.release["status"] !== "pending") throw invalidValue("releaseid", "the release is not pending");
  return found;
}

/** Copies as the guides are now: the sandbox keeps no old revisions of guides. */
function duplicate(call: AccountCall): Reply {
  const { guides } = checked(DUPLICATION, call.json());
  const sources = guides.map(({ guideid, releaseid }) => {
    const guide = guideWith(call, guideid);
    if (!guide.releases.some((one) => one["releaseid"] === releaseid)) {
      throw invalidValue("guides", `guide ${guideid} has no release ${releaseid}`);
    }
    return guide;
  });
  const copies = sources.map((guide) => duplicateGuide(call.site, guide, call.caller));
  return created(copies.map((guide) => guideView(call.site, guide, call.caller)));
}

function guideWith(call: AccountCall, guideid: number, langid?: string): GuideRecord {
  const source = call.site.guides.get(guideKey(guideid));
  const translated = langid === undefined || langid === source?.langid;
  const guide = translated ? source : call.site.guides.get(guideKey(guideid, langid));
  if (guide === undefined || guide.deleted) throw invalidValue("guideid", `guide ${guideid} does not exist`);
  return guide;
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
