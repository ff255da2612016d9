import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { EXIT } from "../../core/errors.js";
import { type Answer, isAnswer, listAt, numberAt, objectsAt, textAt, textsAt } from "../state/answer.js";
import { guideKey } from "../state/guide.js";
import type { Site } from "../state/site.js";
import { NAMESPACES, type Namespace, wikiKey } from "../state/wiki.js";
import { collect, filesByGuid } from "./collect.js";
import { guideRecord } from "./guide-record.js";
import { loadComments } from "./load-comments.js";
import { loadHierarchy } from "./load-hierarchy.js";
import { loadRows } from "./load-rows.js";
import { namesIn, readAnswer, readAnswers, readJson, SiteFolderError } from "./read-json.js";
import { createRewrite, type Rewrite, rewriteTables } from "./rewrite.js";
import { wikiRecord } from "./wiki-record.js";

/** A file of the folder: its name without `.json`, its answer. */
interface LoadedFile {
  readonly name: string;
  readonly answer: Answer;
}

/** The rows of `guides_index.json` by guideid. */
type GuideIndex = ReadonlyMap<number, Answer>;

/** Fills a site from a folder of API answers (README). First all that numbers and media are known by, then the records. */
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

/** Throws when the folder is not there; else its `site.json` and its first guide, for the settings. */
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

/** Takes the people and teams of another site's folder, who have accounts here too, without their pictures. */
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
