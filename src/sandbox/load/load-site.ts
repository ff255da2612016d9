import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { type ErrorFacts, EXIT, FerryError } from "../../core/errors.js";
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
import {
  type GuideRecord,
  guideKey,
  type LineRecord,
  NAMESPACES,
  type Namespace,
  type PartRecord,
  type StepMedia,
  type StepRecord,
  type WikiRecord,
  wikiKey,
} from "../site/records.js";
import { ROW_KINDS, type RowKind, type RowKindName } from "../site/rows.js";
import type { Site } from "../site/site.js";
import { alphabetically } from "../writes/tags.js";
import { addWiki } from "../writes/wiki.js";
import { collect, createRewrite, filesByGuid, isImage, type Rewrite, rewriteTables } from "./media.js";

/** `name`: without `.json`. */
interface LoadedFile {
  readonly name: string;
  readonly answer: Answer;
}

type GuideIndex = ReadonlyMap<number, Answer>;

/** The folder is described in docs/design/sandbox.md. Numbers and media come first. */
export function loadSite(site: Site, folder: string, file: Answer): void {
  const guides = filesIn(folder, "guides");
  const wikis = NAMESPACES.map((namespace) => [namespace, filesIn(folder, "wikis", namespace)] as const);
  const details = ["images", "videos", "documents"].flatMap((kind) => filesIn(folder, "media", kind));
  const comments = readAnswers(folder, "comments.json");
  const around = namesIn(join(folder, "guides"), "").map((name) => readJson(folder, "guides", name, "users.json"));
  const everything = [details, guides, wikis.map(([, files]) => files), comments, objectsAt(file, "users"), around];
  collect(site, filesByGuid(folder), everything);
  takePeople(site, file);
  const rewrite = createRewrite(site);
  rewriteTables(site, rewrite);
  for (const tag of listAt({ tags: readJson(folder, "tags.json") ?? [] }, "tags")) site.tags.add(String(tag));
  const parents = new Map(wikis.flatMap(([namespace, files]) => loadWikis(site, rewrite, namespace, files)));
  const rows = readAnswers(folder, "guides_index.json");
  const index: GuideIndex = new Map(rows.map((row) => [numberAt(row, "guideid") ?? 0, row]));
  for (const guide of guides) loadGuide(site, rewrite, folder, guide, index);
  loadComments(site, comments.map(rewrite));
  loadHierarchy(site, folder, parents);
  loadRows(site, rewrite, folder);
}

/** `site.json` and the first guide, for the settings. Throws when the folder is missing. */
export function openFolder(folder: string): { readonly file: Answer; readonly firstGuide: Answer } {
  if (!existsSync(folder) || !statSync(folder).isDirectory()) {
    throw new SiteFolderError(`There is no folder ${folder}: give the folder of a site's API answers.`, {
      exitCode: EXIT.notFound,
    });
  }
  const first = namesIn(join(folder, "guides"), ".json")[0];
  return {
    file: readAnswer(folder, "site.json") ?? {},
    firstGuide: first === undefined ? {} : (readAnswer(folder, "guides", `${first}.json`) ?? {}),
  };
}

/** People and teams of another site's folder, who get accounts here too, without pictures. */
export function loadPeople(site: Site, folder: string): void {
  const { file } = openFolder(folder);
  takePeople(site, { ...file, users: objectsAt(file, "users").map((user) => ({ ...user, image: null })) });
}

function filesIn(folder: string, ...path: readonly string[]): readonly LoadedFile[] {
  return namesIn(join(folder, ...path), ".json").map((name) => ({
    name,
    answer: readAnswer(folder, ...path, `${name}.json`) ?? {},
  }));
}

function takePeople(site: Site, file: Answer): void {
  for (const user of objectsAt(file, "users")) {
    const userid = numberAt(user, "userid") ?? 0;
    site.users.set(userid, { userid, username: textAt(user, "username"), admin: false, loaded: user });
  }
  for (const team of objectsAt(file, "teams")) {
    const teamid = numberAt(team, "teamid") ?? 0;
    const named = listAt(team, "members").filter((member) => typeof member === "number");
    const telling = objectsAt(file, "users").filter((user) => listAt(user, "teams").includes(teamid));
    const members = [...new Set([...named, ...telling.flatMap((user) => numberAt(user, "userid") ?? [])])];
    site.teams.set(teamid, { teamid, name: textAt(team, "name"), members, loaded: team });
  }
}

/** Returns the parents in category pages. A file `<name>@<langid>.json` is a translation. */
function loadWikis(
  site: Site,
  rewrite: Rewrite,
  namespace: Namespace,
  files: readonly LoadedFile[],
): readonly (readonly [title: string, parent: string | null])[] {
  const pages = files.map(({ name, answer }) => {
    const wiki = wikiRecord(site, namespace, rewrite(answer));
    const translation = /@([a-z-]+)$/.exec(name)?.[1];
    site.wikis.set(wikiKey(namespace, wiki.title, translation), wiki);
    site.wikiHistory.set(wiki.revisionid, wiki);
    for (const tag of wiki.tags) site.tags.add(tag);
    const [ancestor] = listAt(answer, "ancestors");
    const above = typeof ancestor === "string" ? ancestor : textAt(isAnswer(ancestor) ? ancestor : {}, "title");
    const parent = textAt(answer, "parent", above) || null;
    if (namespace === "WIKI" && parent !== null) site.wikiParents.set(wiki.title, parent);
    return [wiki.title, parent] as const;
  });
  return namespace === "CATEGORY" ? pages : [];
}

/** `<id>.json`, or `<id>@<langid>.json` for a translation. */
function loadGuide(site: Site, rewrite: Rewrite, folder: string, file: LoadedFile, index: GuideIndex): void {
  const { name } = file;
  const answer = rewrite(file.answer);
  const [id = "", translation] = name.split("@");
  const summary = index.get(Number(id)) ?? {};
  const releases = readJson(folder, "guides", id, "releases.json");
  const teams = readJson(folder, "guides", id, "teams.json");
  const tagFile = readJson(folder, "guides", id, "tags.json");
  const tags = Array.isArray(tagFile) ? textsAt({ tagFile }, "tagFile") : textsAt(summary, "tags");
  const guide = guideRecord(site, answer, {
    summary,
    tags,
    viewers: {
      users: readAnswers(folder, "guides", id, "users.json").flatMap((user) => numberAt(user, "userid") ?? []),
      teams: objectsAt(isAnswer(teams) ? teams : { guideTeams: teams }, "guideTeams").flatMap(
        (team) => numberAt(team, "teamid") ?? [],
      ),
    },
    releases: objectsAt(isAnswer(releases) ? releases : { releases }, "releases"),
  });
  site.guides.set(guideKey(guide.guideid, translation), guide);
  for (const tag of guide.tags) site.tags.add(tag);
  if (translation !== undefined) return;
  loadComments(site, objectsAt(answer, "comments"), "guide", guide.guideid);
  for (const step of objectsAt(answer, "steps")) {
    loadComments(site, objectsAt(step, "comments"), "step", numberAt(step, "stepid") ?? 0);
  }
}

/**
 * The category tree: `hierarchy.json`, else `categories.json`, then the parents in category pages.
 * Categories that only the tree or a guide names get an empty page.
 */
function loadHierarchy(site: Site, folder: string, parentsOfPages: ReadonlyMap<string, string | null>): void {
  const ordered = readJson(folder, "hierarchy.json");
  const tree = readJson(folder, "categories.json");
  if (Array.isArray(ordered)) addNodes(site, ordered.filter(isAnswer), null);
  else if (isAnswer(tree)) addTree(site, tree, null);
  for (const [title, parent] of parentsOfPages) {
    if (!site.categoryParents.has(title)) site.categoryParents.set(title, parent);
  }
  for (const guide of site.guides.values()) {
    if (guide.category !== "" && !site.categoryParents.has(guide.category)) addCategory(site, guide.category, null, "");
  }
  for (const [title, parent] of site.categoryParents) {
    if (parent !== null && !site.categoryParents.has(parent)) site.categoryParents.set(title, null);
  }
}

function addNodes(site: Site, nodes: readonly Answer[], parent: string | null): void {
  for (const node of nodes) {
    const title = textAt(node, "title");
    addCategory(site, title, parent, textAt(node, "display_title"));
    addNodes(site, objectsAt(node, "children"), title);
  }
}

function addTree(site: Site, tree: Answer, parent: string | null): void {
  for (const [title, below] of Object.entries(tree)) {
    addCategory(site, title, parent, "");
    if (isAnswer(below)) addTree(site, below, title);
  }
}

function addCategory(site: Site, title: string, parent: string | null, displayTitle: string): void {
  site.categoryParents.set(title, parent);
  const page = site.wikis.get(wikiKey("CATEGORY", title));
  const shown = displayTitle === "" || displayTitle === title ? null : displayTitle;
  if (page === undefined) addWiki(site, { namespace: "CATEGORY", title, displayTitle: shown });
  else if (page.displayTitle === null && shown !== null) {
    site.wikis.set(wikiKey("CATEGORY", title), { ...page, displayTitle: shown });
  }
}

/** With replies; `context` and `contextid`: for a comment without its own. */
function loadComments(site: Site, comments: readonly Answer[], context = "", contextid = 0): void {
  for (const comment of comments) {
    const commentid = numberAt(comment, "commentid") ?? site.next("comment");
    const on = { context: textAt(comment, "context", context), contextid: numberAt(comment, "contextid") ?? contextid };
    site.comments.set(commentid, {
      commentid,
      ...on,
      parentid: numberAt(comment, "parentid") ?? null,
      langid: textAt(comment, "locale") || null,
      author: numberAt(objectAt(comment, "author"), "userid") ?? 0,
      text: textAt(comment, "text_raw"),
      date: numberAt(comment, "date") ?? site.now(),
      modified: numberAt(comment, "modified_date") ?? 0,
      status: textAt(comment, "status", "public"),
      loaded: without(comment, ["replies"]),
    });
    const replies = objectsAt(comment, "replies").map((reply) => ({ parentid: commentid, ...reply }));
    loadComments(site, replies, on.context, on.contextid);
  }
}

/** Fills the tables of plain rows, and completed guides from `users/completions.json`. */
function loadRows(site: Site, rewrite: Rewrite, folder: string): void {
  for (const [name, { file }] of Object.entries<RowKind>(ROW_KINDS)) {
    const rows = file === undefined ? [] : rowsIn(folder, file);
    for (const row of rows) site.rows[name as RowKindName].put(rewrite(row));
  }
  for (const row of rowsIn(folder, "users/completions.json")) {
    const [key, userid] = [guideKey(numberAt(row, "guideid") ?? 0), numberAt(row, "userid") ?? 0];
    const guide = site.guides.get(key);
    if (guide !== undefined) site.guides.set(key, { ...guide, completedBy: [...guide.completedBy, userid] });
  }
}

/** The objects of an array, or of the array in an object (`{"results": […]}`). */
function rowsIn(folder: string, file: string): readonly Answer[] {
  const value = readJson(folder, ...file.split("/")) ?? [];
  const list = isAnswer(value) ? Object.values(value).find(Array.isArray) : value;
  if (!Array.isArray(list)) throw new SiteFolderError(`${folder}/${file} must hold a JSON array.`);
  return list.filter(isAnswer);
}

class SiteFolderError extends FerryError {
  override readonly name = "SiteFolderError";
  constructor(message: string, facts: ErrorFacts = {}) {
    super(message, { exitCode: EXIT.usage, ...facts });
  }
}

function readJson(folder: string, ...path: readonly string[]): unknown {
  const file = join(folder, ...path);
  if (!existsSync(file)) return undefined;
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new SiteFolderError(`${file} is not valid JSON: correct it or take it out of the folder.`, { cause: error });
  }
}

function readAnswer(folder: string, ...path: readonly string[]): Answer | undefined {
  const value = readJson(folder, ...path);
  if (value === undefined || isAnswer(value)) return value;
  throw new SiteFolderError(`${join(folder, ...path)} must hold a JSON object.`);
}

/** None when the file is missing. */
function readAnswers(folder: string, ...path: readonly string[]): readonly Answer[] {
  const value = readJson(folder, ...path) ?? [];
  if (Array.isArray(value)) return value.filter(isAnswer);
  throw new SiteFolderError(`${join(folder, ...path)} must hold a JSON array.`);
}

/** Without the ending, in order; none when the folder is missing. */
function namesIn(folder: string, ending: string): readonly string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith(ending))
    .map((name) => name.slice(0, name.length - ending.length))
    .toSorted();
}

interface GuideSurroundings {
  /** Its row of `guides_index.json`; `{}`: none. */
  readonly summary: Answer;
  readonly tags: readonly string[];
  readonly viewers: GuideRecord["viewers"];
  readonly releases: readonly Answer[];
}

/** Computed at each read, so that no loaded value becomes outdated. */
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

/** Accepts content that today's rules refuse. */
function guideRecord(site: Site, answer: Answer, around: GuideSurroundings): GuideRecord {
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
    // An answer may inline steps of prerequisites; each stays with its own guide.
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

/** Computed at each read. */
const MADE_FOR_WIKI = ["ancestors", "children", "guides", "parent"];

/** Accepts content that today's rules refuse. */
function wikiRecord(site: Site, namespace: Namespace, answer: Answer): WikiRecord {
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
