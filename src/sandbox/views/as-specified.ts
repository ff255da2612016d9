import type { Answer } from "../state/answer.js";
import type { Site } from "../state/site.js";

/** The rows and objects whose fields the specification lists to the end ("Resources and their fields"). */
const FIELDS = {
  guideSummary: [
    ...["dataType", "guideid", "category", "subject", "title", "type", "locale", "flags", "image", "modified_date"],
    ...["prereq_modified_date", "public", "revisionid", "url", "userid", "username"],
  ],
  prerequisite: [
    ...["dataType", "guideid", "locale", "revisionid", "modified_date", "prereq_modified_date", "url", "type"],
    ...["category", "subject", "title", "summary", "difficulty", "time_required_max", "public", "userid", "username"],
    ...["flags", "image"],
  ],
  step: ["title", "lines", "guideid", "stepid", "orderby", "revisionid", "media", "comments"],
  line: ["text_raw", "text_rendered", "bullet", "level", "lineid"],
  comment: [
    ...["commentid", "locale", "context", "contextid", "parentid", "author", "title", "text_raw", "text_rendered"],
    ...["date", "modified_date", "status", "replies"],
  ],
  commentAuthor: [
    ...["userid", "username", "unique_username", "join_date", "image", "reputation", "url", "teams", "privileges"],
  ],
  lightWiki: ["dataType", "wikiid", "title", "display_title", "namespace", "summary", "url", "text", "image"],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** The view with the specification's fields alone, where the site speaks as the specification does; else as it is. */
export function asSpecified(site: Site, of: keyof typeof FIELDS, view: Answer): Answer {
  if (site.settings.dialect !== "specification") return view;
  return Object.fromEntries(FIELDS[of].flatMap((field) => (field in view ? [[field, view[field]]] : [])));
}
