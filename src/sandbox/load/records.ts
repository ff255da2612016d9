import {
  type Answer,
  isAnswer,
  listAt,
  numberAt,
  objectAt,
  objectsAt,
  textAt,
  textsAt,
  without,
} from "../site/answer.js";
import type {
  GuideRecord,
  LineRecord,
  Namespace,
  PartRecord,
  StepMedia,
  StepRecord,
  WikiRecord,
} from "../site/records.js";
import type { Site } from "../site/site.js";
import { alphabetically } from "../writes/tags.js";
import { isImage } from "./media.js";

/** What stands beside a guide's own answer in the folder. */
interface GuideSurroundings {
  /** Its row of `guides_index.json`; `{}` when there is none. */
  readonly summary: Answer;
  readonly tags: readonly string[];
  readonly viewers: GuideRecord["viewers"];
  readonly releases: readonly Answer[];
}

/** Fields that are made anew at each reading, so that a loaded value can't go stale. */
const MADE_FOR_GUIDE = [
  "steps",
  "comments",
  "can_delete",
  "can_edit_language",
  "can_edit_permissions",
  "number_of_dependent_guides",
  "body_url_path",
  "work_log_url",
  "work_log_enabled",
];

/** The record of a loaded full guide. Content that today's rules would refuse is taken as it is. */
export function guideRecord(site: Site, answer: Answer, around: GuideSurroundings): GuideRecord {
  const guideid = numberAt(answer, "guideid") ?? 0;
  const modified = numberAt(answer, "modified_date") ?? site.now();
  return {
    guideid,
    langid: textAt(answer, "langid", textAt(answer, "locale", site.settings.languages[0])),
    title: textAt(answer, "title"),
    category: textAt(answer, "category"),
    subject: textAt(answer, "subject"),
    type: textAt(answer, "type"),
    summary: textAt(answer, "summary"),
    introduction: textAt(answer, "introduction_raw"),
    conclusion: textAt(answer, "conclusion_raw"),
    difficulty: textAt(answer, "difficulty") || null,
    timeRequiredMin: numberAt(answer, "time_required_min") ?? 0,
    timeRequiredMax: numberAt(answer, "time_required_max") ?? 0,
    flags: flagIds(answer),
    image: numberAt(objectAt(answer, "image"), "id") ?? null,
    documents: objectsAt(answer, "documents").flatMap((document) => numberAt(document, "documentid") ?? []),
    featuredDocument: numberAt(answer, "featured_documentid") ?? null,
    introVideo: numberAt(objectAt(answer, "intro_video"), "objectid") ?? null,
    prerequisites: objectsAt(answer, "prerequisites").flatMap((guide) => numberAt(guide, "guideid") ?? []),
    parts: objectsAt(answer, "parts").map(partRecord),
    tools: objectsAt(answer, "tools").map(partRecord),
    public: answer["public"] !== false,
    author: numberAt(objectAt(answer, "author"), "userid") ?? 0,
    workLog: answer["work_log_enabled"] === true,
    // Steps of prerequisites are inlined in an answer; each stays with its own guide.
    steps: objectsAt(answer, "steps")
      .filter((step) => (numberAt(step, "guideid") ?? guideid) === guideid)
      .map((step) => stepRecord(site, step)),
    tags: around.tags.toSorted(alphabetically),
    viewers: around.viewers,
    completedBy: [],
    releases: around.releases,
    revisions: revisionsOf(site, answer, around.summary),
    dates: {
      created: numberAt(answer, "created_date") ?? modified,
      modified,
      published: numberAt(answer, "published_date") ?? null,
      prerequisites: numberAt(answer, "prereq_modified_date") ?? 0,
    },
    deleted: false,
    loaded: without(answer, MADE_FOR_GUIDE),
  };
}

function revisionsOf(site: Site, answer: Answer, summary: Answer): GuideRecord["revisions"] {
  return {
    guide: numberAt(answer, "guide_revisionid") ?? site.next("revision"),
    full: numberAt(answer, "revisionid") ?? site.next("revision"),
    list: numberAt(summary, "revisionid") ?? site.next("revision"),
  };
}

/** Flag ids of an answer: objects with `flagid`, plain ids, or a map by id. */
function flagIds(answer: Answer): readonly string[] {
  const map = objectAt(answer, "flags");
  const flags = listAt(answer, "flags").map((flag) => (isAnswer(flag) ? textAt(flag, "flagid") : flag));
  return [...Object.keys(map), ...flags.filter((flag) => typeof flag === "string")].filter((flag) => flag !== "");
}

function stepRecord(site: Site, step: Answer): StepRecord {
  return {
    stepid: numberAt(step, "stepid") ?? site.next("step"),
    revisionid: numberAt(step, "revisionid") ?? site.next("revision"),
    title: textAt(step, "title"),
    lines: objectsAt(step, "lines").map(lineRecordOf),
    media: stepMedia(objectAt(step, "media")),
    loaded: without(step, ["lines", "media", "comments"]),
  };
}

function lineRecordOf(line: Answer): LineRecord {
  return {
    ...line,
    text_raw: textAt(line, "text_raw"),
    bullet: textAt(line, "bullet", "black"),
    level: numberAt(line, "level") ?? 0,
  };
}

function stepMedia(media: Answer): StepMedia {
  const video = numberAt(objectAt(media, "data"), "videoid");
  if (media["type"] === "video" && video !== undefined) return { type: "video", id: video };
  if (media["type"] !== "image") return { type: "kept", answer: media };
  return {
    type: "image",
    ids: objectsAt(media, "data")
      .filter(isImage)
      .flatMap((image) => numberAt(image, "id") ?? []),
  };
}

function partRecord(part: Answer): PartRecord {
  return {
    ...part,
    text: textAt(part, "text"),
    type: textAt(part, "type"),
    quantity: numberAt(part, "quantity") ?? 1,
    notes: textAt(part, "notes") || null,
    url: textAt(part, "url"),
  };
}

/** Fields that are made anew at each reading. */
const MADE_FOR_WIKI = ["ancestors", "children", "guides", "parent"];

/** The record of a loaded full wiki. */
export function wikiRecord(site: Site, namespace: Namespace, answer: Answer): WikiRecord {
  const title = textAt(answer, "title");
  const display = textAt(answer, "display_title");
  const modified = numberAt(answer, "modified_date") ?? site.now();
  return {
    wikiid: numberAt(answer, "wikiid") ?? site.next("wiki"),
    namespace,
    title,
    langid: textAt(answer, "langid", site.settings.languages[0]),
    revisionid: numberAt(answer, "revisionid") ?? site.next("revision"),
    sourceRevisionid: numberAt(answer, "source_revisionid") ?? null,
    contents: textAt(answer, "contents_raw"),
    displayTitle: display === "" || display === title ? null : display,
    description: textAt(answer, "description", textAt(answer, "summary")),
    image: numberAt(objectAt(answer, "image"), "id") ?? null,
    flags: flagIds(answer),
    documents: objectsAt(answer, "documents").flatMap((document) => numberAt(document, "documentid") ?? []),
    info: objectsAt(answer, "info"),
    suppliers: objectsAt(answer, "suppliers"),
    tableOfContents: answer["table_of_contents"] === true,
    pageTitle: textAt(answer, "page_title"),
    repairability: numberAt(answer, "repairability_score") ?? null,
    tags: textsAt(answer, "tags"),
    author: numberAt(objectAt(answer, "author"), "userid") ?? numberAt(answer, "author") ?? 0,
    dates: { created: numberAt(answer, "created_date") ?? modified, modified },
    loaded: without(answer, MADE_FOR_WIKI),
  };
}
