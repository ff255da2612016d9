import type { Guide, Part } from "../../../src/core/model/guide.js";
import { idIn, type Key } from "../../../src/core/model/key.js";
import type { ManualGuide, ManualPart, ManualReference } from "../manual.js";
import { type Converting, remark } from "./converting.js";
import { idOf } from "./derived-id.js";
import { embeddedVideo, pickDocument, pickImage, pickVideo } from "./pick-media.js";
import { resolvePath } from "./resolve-path.js";
import { parseTime } from "./time-required.js";
import { toSteps } from "./to-steps.js";
import { dateOf, flagIds, keysOf } from "./values.js";
import { pageText } from "./wiki-text.js";

/** A guide of the model; what the format has and the model has no place for is an Issue of level `loss`. Total. */
export function toGuide(manual: ManualGuide, converting: Converting): Guide {
  return {
    id: idIn(converting.key),
    language: manual.locale || "en",
    title: manual.title,
    category: toCategory(manual, converting),
    // Sites have their types in lower case; before 1.0 manuals had them capitalised (omanual 5).
    type: manual.type?.trim().toLowerCase() ?? "",
    subject: manual.subject ?? "",
    summary: manual.summary ?? "",
    introduction: pageText(manual.introduction, "introduction", converting),
    conclusion: pageText(manual.conclusion, "conclusion", converting),
    difficulty: toDifficulty(manual, converting),
    timeRequired: toTime(manual, converting),
    flags: flagIds(manual.flags, converting),
    image: toMainImage(manual, converting),
    introductionVideo: toIntroductionVideo(manual, converting),
    documents: keysOf(manual.documents, (document, index) => pickDocument(document, `documents[${index}]`, converting)),
    featuredDocument: null,
    parts: manual.parts.map((part, index) => toPart(part, `parts[${index}]`, converting)),
    tools: manual.tools.map((tool, index) => toPart(tool, `tools[${index}]`, converting)),
    prerequisites: keysOf(manual.prerequisites, (reference, index) =>
      toPrerequisite(reference, `prerequisites[${index}]`, converting),
    ),
    steps: toSteps(manual, converting),
    author: toAuthor(manual),
    public: converting.public ?? false,
    createdDate: dateOf(manual.createdDate, "createdDate", converting, manual.at),
    modifiedDate: dateOf(manual.modifiedDate, "modifiedDate", converting, manual.at),
    ...NOT_IN_MANUALS,
  };
}

const NOT_IN_MANUALS = {
  tags: [],
  comments: [],
  archived: false,
  viewers: null,
  releases: [],
  workLogEnabled: null,
  publishedDate: null,
  url: "",
} as const;

/** One with a place among the images of a step repeats the first of them for a guide without a main image. */
function toMainImage({ image, steps }: ManualGuide, converting: Converting): Key | null {
  if (image === null) return null;
  const first = steps.flatMap(({ media }) => (media?.type === "image" ? media.images : []))[0];
  const isRepeated = image.order !== null && image.path !== "" && image.path === first?.path;
  return isRepeated ? null : pickImage(image, "image", converting);
}

/** Its own, else the one whose page lists it. A site has one for each guide. */
function toCategory({ categories, at }: ManualGuide, converting: Converting): string {
  const [first, ...more] = categories;
  if (more.length > 0) {
    const what = `a guide has one category; ${first} is taken, ${more.join(", ")} left out`;
    remark(converting, { code: "categories", level: "loss", path: "category", what }, at);
  }
  return first ?? converting.bundle.listedIn.get(converting.path) ?? "";
}

const DIFFICULTIES = ["Very easy", "Easy", "Moderate", "Difficult", "Very difficult"];

function toDifficulty({ difficulty, at }: ManualGuide, converting: Converting): string | null {
  const word = difficulty?.trim().replace(/[\s_-]+/g, " ") ?? "";
  const label = DIFFICULTIES.find((each) => each.toLowerCase() === word.toLowerCase());
  if (label !== undefined || word === "") return label ?? null;
  const what = `the difficulty is "${word}", which is none of ${DIFFICULTIES.join(", ")}; it is taken as unset`;
  remark(converting, { code: "unknown-difficulty", level: "loss", path: "difficulty", what }, at);
  return null;
}

function toTime({ timeRequired, at }: ManualGuide, converting: Converting): Guide["timeRequired"] {
  const time = parseTime(timeRequired ?? "");
  if (time !== undefined) return time;
  const what = `the time required is "${timeRequired}", which names no span of time; it is taken as no estimate`;
  remark(converting, { code: "unknown-time", level: "loss", path: "timeRequired", what }, at);
  return { min: 0, max: 0 };
}

/** 0.4 allows any medium before the introduction, sites a video; an embed that leads into the package is one. */
function toIntroductionVideo({ introductionMedia: media, at }: ManualGuide, converting: Converting): Key | null {
  if (media === null) return null;
  if (media.type === "video") return pickVideo(media.video, "introductionVideo", converting);
  const video = media.type === "embed" ? embeddedVideo(media.embed, "introductionVideo", converting) : undefined;
  if (video !== undefined) return video;
  const what = `the introduction begins with an ${media.type}, where sites take a video; it is left out`;
  remark(converting, { code: "introduction-media", level: "loss", path: "introduction", what }, at);
  return null;
}

/** Thumbnails come from the site's own page of a tool or part. */
function toPart(part: ManualPart, path: string, converting: Converting): Part {
  const { name, quantity, notes, type, url, sku, externalSources, at } = part;
  const digits = quantity?.trim() ?? "";
  const count = /^\d{1,9}(?:\.0+)?$/.test(digits) ? Number(digits) : null;
  if (digits !== "" && count === null) {
    const what = `the quantity of "${name}" is "${digits}", where sites take a number; it is taken as 1`;
    remark(converting, { code: "unknown-quantity", level: "loss", path: `${path}.quantity`, what }, at);
  }
  const lost = [
    ...(sku ? [`sku ${sku}`] : []),
    ...externalSources.map((source) => `external source ${source.url ?? source.id ?? ""}`),
  ];
  if (lost.length > 0) {
    const what = `sites have no place for what is said of "${name}": ${lost.join(", ")}`;
    remark(converting, { code: "part-details", level: "loss", path, what }, at);
  }
  // A missing quantity is 1 (documentation, omanual 2).
  return {
    name,
    type: type ?? "",
    quantity: count ?? 1,
    notes: notes ?? "",
    url: url || null,
    optional: null,
    featured: null,
  };
}

/** By its file where that is in the package, else by its id. */
function toPrerequisite(reference: ManualReference, path: string, converting: Converting): Key | null {
  const { bundle, key } = converting;
  const file = reference.path === null ? undefined : resolvePath(reference.path, converting.path, bundle);
  const id = idOf(reference.id);
  const found =
    (file === undefined ? undefined : bundle.guides.get(file)) ?? (id === null ? null : (`guide/${id}` as const));
  if (found === null) {
    const what = `the prerequisite "${reference.title ?? reference.path ?? ""}" has no id and is not in the package; it is left out`;
    remark(converting, { code: "prerequisite-missing", level: "loss", path, what }, reference.at);
  }
  return found === key ? null : found;
}

/** People are recognised by their unique name, which manuals don't have; the name stays for whoever looks. */
function toAuthor({ author }: ManualGuide): Guide["author"] {
  return author === null ? null : { id: idOf(author.id) ?? 0, name: author.name, uniqueName: null };
}
