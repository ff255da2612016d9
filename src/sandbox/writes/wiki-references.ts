import type { WikiBody } from "../rules/wiki-body.js";
import { type FieldProblem, unprocessable } from "../server/service-error.js";
import type { Site } from "../state/site.js";
import type { UserRecord } from "../state/user.js";
import type { WikiRecord } from "../state/wiki.js";
import { WIKI_FLAGS } from "../state/wiki-flags.js";
import { mayAttach } from "./media-use.js";

/** Throws 422 that names every reference of a wiki body that the site can't follow: image, documents, flags. */
export function mustReferFromWiki(
  site: Site,
  body: WikiBody,
  caller: UserRecord,
  before: WikiRecord | undefined,
): void {
  const problems = [...imageProblems(site, body, caller, before), ...documentProblems(site, body, caller, before)];
  const unknown = (body.flags ?? []).filter((flag) => !WIKI_FLAGS.has(flag) && before?.flags.includes(flag) !== true);
  const flags = unknown.map(
    (flag): FieldProblem => ({
      field: "flags",
      code: "invalid_value",
      message: `you may not set ${flag}`,
    }),
  );
  if (problems.length + flags.length > 0) throw unprocessable([...problems, ...flags]);
}

function imageProblems(
  site: Site,
  { image }: WikiBody,
  caller: UserRecord,
  before: WikiRecord | undefined,
): readonly FieldProblem[] {
  if (image === undefined || image === null || image === before?.image) return [];
  if (mayAttach(site.media.images.get(image), caller)) return [];
  return [{ field: "image", code: "invalid_value", message: `image ${image} is not in your media manager` }];
}

function documentProblems(
  site: Site,
  { documents }: WikiBody,
  caller: UserRecord,
  before: WikiRecord | undefined,
): readonly FieldProblem[] {
  return (documents ?? [])
    .filter(({ documentid }) => before?.documents.includes(documentid) !== true)
    .filter(({ documentid }) => !mayAttach(site.media.documents.get(documentid), caller))
    .map(({ documentid }) => ({
      field: "documents",
      code: "invalid_value",
      message: `document ${documentid} is not in your media manager`,
    }));
}
