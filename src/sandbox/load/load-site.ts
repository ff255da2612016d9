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
import { guideKey, NAMESPACES, type Namespace, wikiKey } from "../site/records.js";
import { ROW_KINDS, type RowKind, type RowKindName } from "../site/rows.js";
import type { Site } from "../site/site.js";
import { addWiki } from "../writes/wiki.js";
import { collect, createRewrite, filesByGuid, type Rewrite, rewriteTables } from "./media.js";
import { guideRecord, wikiRecord } from "./records.js";

/** A file of the folder: its name without `.json`, its answer. */
interface LoadedFile {
  readonly name: string;
  readonly answer: Answer;
}

/** The rows of `guides_index.json` by guideid. */
type GuideIndex = ReadonlyMap<number, Answer>;

/**
 * Fills a site from a folder of API answers (README). First all that numbers and media are known
 * by, then the records.
 */
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

/**
 * Throws when the folder is not there; else its `site.json` and its first guide, for the settings.
 */
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

/**
 * Takes the people and teams of another site's folder, who have accounts here too, without their
 * pictures.
 */
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

/** Returns the parents that category pages name. A file `<name>@<langid>.json` is a translation. */
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
 * The category tree: `hierarchy.json` if there, else `categories.json`, then what the category
 * pages say of their parents. Categories that only the tree or a guide names get an empty page.
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

/**
 * Takes in comments with their replies; where a comment does not say what it is on, `context` and
 * `contextid` do.
 */
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

/**
 * Fills the tables of plain rows from their files, and who has completed which guide from
 * `users/completions.json`.
 */
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

/**
 * The objects of an array, or of the one array in an object: lists are wrapped in places
 * (`{"results": […]}`).
 */
function rowsIn(folder: string, file: string): readonly Answer[] {
  const value = readJson(folder, ...file.split("/")) ?? [];
  const list = isAnswer(value) ? Object.values(value).find(Array.isArray) : value;
  if (!Array.isArray(list)) throw new SiteFolderError(`${folder}/${file} must hold a JSON array.`);
  return list.filter(isAnswer);
}

/** A site's folder, or a file of it, that can't be used: it says which one and why. */
class SiteFolderError extends FerryError {
  override readonly name = "SiteFolderError";
  constructor(message: string, facts: ErrorFacts = {}) {
    super(message, { exitCode: EXIT.usage, ...facts });
  }
}

/** The parsed JSON of a file; undefined when there is no such file. */
function readJson(folder: string, ...path: readonly string[]): unknown {
  const file = join(folder, ...path);
  if (!existsSync(file)) return undefined;
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new SiteFolderError(`${file} is not valid JSON: correct it or take it out of the folder.`, { cause: error });
  }
}

/** The same for a file that must hold an object. */
function readAnswer(folder: string, ...path: readonly string[]): Answer | undefined {
  const value = readJson(folder, ...path);
  if (value === undefined || isAnswer(value)) return value;
  throw new SiteFolderError(`${join(folder, ...path)} must hold a JSON object.`);
}

/** The objects of a file that holds an array; none when there is no such file. */
function readAnswers(folder: string, ...path: readonly string[]): readonly Answer[] {
  const value = readJson(folder, ...path) ?? [];
  if (Array.isArray(value)) return value.filter(isAnswer);
  throw new SiteFolderError(`${join(folder, ...path)} must hold a JSON array.`);
}

/**
 * The names in a folder that end as asked, without the ending, in order; none when there is no such
 * folder.
 */
function namesIn(folder: string, ending: string): readonly string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith(ending))
    .map((name) => name.slice(0, name.length - ending.length))
    .toSorted();
}
