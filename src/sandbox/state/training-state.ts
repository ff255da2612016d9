import { type Answer, isAnswer, numberAt, objectAt, textAt, without } from "./answer.js";
import type { Site } from "./site.js";

/** External training modules by title, each with its imports in the order of their making; no dates. */
export function trainingState(site: Site): readonly Answer[] {
  const imports = site.rows.moduleImports.all();
  const modules = site.rows.modules.all().map((module) => ({
    id: module["id"],
    title: module["title"],
    draft: isAnswer(module["draft"]) ? textAt(module["draft"], "title") : null,
    versions: imports
      .filter((one) => one["moduleid"] === module["id"])
      .map((one) => versionState(one, numberAt(objectAt(module, "current"), "importid"))),
  }));
  return modules.toSorted(byTitle);
}

/** The same without the numbers that the site gave. */
export function namedTrainingState(site: Site): readonly Answer[] {
  return trainingState(site).map(({ id: _id, versions, ...module }) => ({
    ...module,
    versions: (versions as readonly Answer[]).map((version) => without(version, ["importid"])),
  }));
}

function versionState(one: Answer, current: number | undefined): Answer {
  const source = objectAt(one, "source");
  return {
    importid: one["importid"],
    version: numberAt(one, "version") ?? 1,
    source: sourceName(source),
    sha256: textAt(source, "sha256"),
    status: one["status"],
    isCurrent: one["importid"] === current,
  };
}

/** The file's name; of an address the last part, since hosts and ports change. Empty: not started. */
function sourceName(source: Answer): string {
  const url = textAt(source, "url");
  return textAt(source, "filename", URL.canParse(url) ? (new URL(url).pathname.split("/").at(-1) ?? "") : "");
}

function byTitle(one: Answer, other: Answer): number {
  return String(one["title"]).localeCompare(String(other["title"]), "en") || Number(one["id"]) - Number(other["id"]);
}
