import type { Guide } from "../../core/model/guide.js";
import { idIn, type Key, languageIn } from "../../core/model/key.js";
import type { MediaUse } from "../../core/model/media.js";
import { readComments } from "./comment.js";
import { readDifficulty } from "./difficulty.js";
import { readDocuments } from "./document.js";
import { readFlags } from "./flags.js";
import { readImage } from "./image.js";
import { MediaUses } from "./media-uses.js";
import { readParts } from "./part.js";
import { readPerson } from "./person.js";
import { answerOf, type Place, type Reading } from "./place.js";
import { readSteps } from "./step.js";
import { readVideo } from "./video.js";

/** What stands outside of the guide's own answer: one more call each, or the summary (api-facts 11.6). */
export interface GuideExtras {
  readonly tags: readonly string[];
  readonly archived: boolean;
  readonly viewers: Guide["viewers"];
  readonly releases: readonly number[];
}

export const NO_EXTRAS: GuideExtras = { tags: [], archived: false, viewers: null, releases: [] };

export interface GuideRead {
  readonly guide: Guide;
  readonly media: readonly MediaUse[];
}

/** A full guide (api-facts 3.3): the answer of GET, of creates, and of most writes. Total: any JSON gives a guide. */
export function readGuide(json: unknown, reading: Reading, extras: GuideExtras = NO_EXTRAS): GuideRead {
  const answer = answerOf(json, reading);
  const uses = new MediaUses();
  const id = answer.at("guideid").integer() ?? (idIn(reading.key) || 0);
  const flags = readFlags(answer.at("flags"));
  const guide: Guide = {
    id,
    ...readTexts(answer),
    timeRequired: readTime(answer),
    flags,
    ...readMedia(answer, uses),
    parts: readParts(answer.at("parts")),
    tools: readParts(answer.at("tools")),
    prerequisites: readPrerequisites(answer.at("prerequisites"), id),
    steps: readSteps(answer.at("steps"), id, suffixOf(reading.key), uses),
    tags: extras.tags,
    comments: readComments(answer.at("comments")),
    author: readPerson(answer.at("author")),
    public: answer.at("public").flag() ?? false,
    archived: extras.archived || flags.includes("GUIDE_ARCHIVED"),
    viewers: extras.viewers,
    releases: extras.releases,
    workLogEnabled: answer.at("work_log_enabled").flag(),
    createdDate: answer.at("created_date").number(),
    publishedDate: answer.at("published_date").number(),
    modifiedDate: answer.at("modified_date").number(),
    url: answer.at("url").text(),
  };
  return { guide, media: uses.list() };
}

/** The languages that a guide is there in, when the site says (newer iFixit: api-facts 3.3). */
export function readAvailableLanguages(json: unknown, reading: Reading): readonly string[] | undefined {
  const place = answerOf(json, reading).at("available_langids");
  return place.value === undefined ? undefined : place.texts();
}

/** The language of an answer: `langid` where there is one, else `locale`, which is the same thing. */
export function readLanguage(answer: Place): string {
  return answer.at("langid").textOrNull() || answer.at("locale").text();
}

/** Every language that an answer says it is in. */
export function readLanguages(answer: Place): readonly string[] {
  return [answer.at("langid").textOrNull(), answer.at("locale").textOrNull()].filter((language) => language !== null);
}

/** Who may see a guide: decides whether its viewers are asked for. */
export function readGuideAccess(answer: Place): { readonly private: boolean; readonly granular: boolean } {
  return {
    private: answer.at("public").flag() === false,
    granular: answer.at("should_use_granular_permissions").flag() === true,
  };
}

function readTexts(answer: Place) {
  return {
    language: readLanguage(answer),
    title: answer.at("title").text(),
    category: answer.at("category").text(),
    type: answer.at("type").text(),
    subject: answer.at("subject").text(),
    summary: answer.at("summary").text(),
    introduction: answer.at("introduction_raw").text(),
    conclusion: answer.at("conclusion_raw").text(),
    difficulty: readDifficulty(answer.at("difficulty")),
  };
}

function readTime(answer: Place): Guide["timeRequired"] {
  return {
    min: answer.at("time_required_min").number() ?? 0,
    max: answer.at("time_required_max").number() ?? 0,
  };
}

function readMedia(answer: Place, uses: MediaUses) {
  return {
    image: readImage(answer.at("image"), uses, "image"),
    introductionVideo: readIntroductionVideo(answer.at("intro_video"), uses),
    documents: readDocuments(answer.at("documents"), uses),
    featuredDocument: readFeaturedDocument(answer.at("featured_documentid"), uses),
  };
}

/** A video, or an embed, which the model has no place for: it stays in the answer that is kept. */
function readIntroductionVideo(place: Place, uses: MediaUses): Key | null {
  const key = readVideo(place, uses, "introductionVideo");
  if (key === null && place.object() !== undefined) {
    place.report("introduction-embed", "loss", `is an embed (${place.at("url").text()}), not a video; it is left out`);
  }
  return key;
}

function readFeaturedDocument(place: Place, uses: MediaUses): Key | null {
  const id = place.integer();
  if (id === null || id === 0) return null;
  const key: Key = `document/${id}`;
  uses.add({ key, url: null, guid: null, fileName: null, path: "featuredDocument" });
  return key;
}

/** Objects on reading, plain ids in old data; a guide is no prerequisite of itself. */
function readPrerequisites(list: Place, own: number): readonly Key[] {
  const ids = list
    .items()
    .map((place) =>
      typeof place.value === "number" ? place.integer() : (place.object()?.at("guideid").integer() ?? null),
    );
  return [...new Set(ids)].filter((id) => id !== null && id !== own).map((id): Key => `guide/${id}`);
}

function suffixOf(key: Key): string {
  const language = languageIn(key);
  return language === undefined ? "" : `@${language}`;
}
