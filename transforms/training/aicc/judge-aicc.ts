import type { Module } from "../../../src/core/model/module.js";
import type { Judging } from "../judging.js";
import { filesOf } from "../recognise/aicc-set.js";
import { AICC_ENDINGS, type AiccEnding, type AiccSet, stemOf } from "../recognise/markers.js";
import type { ManifestBytes } from "../text/read-manifest-xml.js";
import { checkTitle } from "../titles/check-title.js";
import { aiccUnits } from "./aicc-units.js";
import { decodeCourseFile } from "./decode-course-file.js";
import { readIni } from "./read-ini.js";
import { readTable, type TableRow } from "./read-table.js";

/** What a set of AICC course files says, and what is wrong with it (training modules, 2.4). */
export function judgeAicc(set: AiccSet, contents: (path: string) => ManifestBytes, judging: Judging): Module | null {
  const { findings } = judging;
  const texts = readTexts(set, contents, judging);
  if (texts === null) return null;
  const { crs, au, des, cst } = texts;
  const course = readIni(crs.text).get("course");
  if (course === undefined) findings.add("E_AICC_SYNTAX", crs.path, "it has no section [Course]");
  const tables = [
    readTable(au.path, au.text, ["system_id", "file_name"], findings),
    readTable(des.path, des.text, ["system_id", "title"], findings),
    readTable(cst.path, cst.text, ["block", "member"], findings),
  ] as const;
  const [units, descriptions, structure] = tables;
  if (course === undefined || units === null || descriptions === null || structure === null) return null;
  checkIds(units, judging);
  const identifier = course.values.get("course_id") ?? "";
  const title = checkTitle(
    { text: course.values.get("course_title") ?? null, place: crs.path, owner: "the course" },
    findings,
  );
  const members = aiccUnits({ units, descriptions, structure, structurePath: cst.path }, judging);
  if (members.every(({ launch }) => launch === null) && !findings.isRefused)
    findings.add("E_MAN_NO_LAUNCH", au.path, "it names no unit that could be opened");
  return {
    standard: "aicc",
    identifier,
    title: title || members.find((unit) => unit.title !== "")?.title || identifier,
    language: null,
    units: members,
    external: [...judging.external],
    usesSequencing: false,
  };
}

interface CourseFile {
  readonly path: string;
  readonly text: string;
}

/** All four, or null and findings. */
function readTexts(
  set: AiccSet,
  contents: (path: string) => ManifestBytes,
  { findings }: Judging,
): Readonly<Record<AiccEnding, CourseFile>> | null {
  const [first = null] = filesOf(set);
  const found = new Map<AiccEnding, CourseFile>();
  for (const ending of AICC_ENDINGS) {
    const path = set[ending];
    if (path === null) {
      findings.add("E_AICC_MISSING_FILE", first, `the course file with the ending .${ending} is absent`);
      continue;
    }
    const bytes = contents(path);
    if (bytes === undefined || bytes === "too-large") {
      findings.add(
        "E_AICC_SYNTAX",
        path,
        bytes === undefined ? "its content was not given" : "it is far larger than any course file",
      );
      continue;
    }
    const { text, encoding } = decodeCourseFile(bytes);
    if (encoding !== "UTF-8") findings.add("W_AICC_ENCODING", path, `it is no UTF-8 and was read as ${encoding}`);
    found.set(ending, { path, text });
  }
  if (new Set(filesOf(set).map(stemOf)).size > 1)
    findings.add("W_AICC_BASENAME", first, `the course files are ${filesOf(set).join(", ")}, and should have one name`);
  const [crs, au, des, cst] = AICC_ENDINGS.map((ending) => found.get(ending));
  return crs && au && des && cst ? { crs, au, des, cst } : null;
}

function checkIds(units: readonly TableRow[], { findings }: Judging): void {
  const seen = new Set<string>();
  for (const unit of units) {
    const id = unit.field("system_id").toLowerCase();
    if (id === "") findings.add("E_MAN_MISSING_ID", unit.place, "a unit has no System_ID");
    else if (seen.has(id))
      findings.add("E_MAN_DUP_ID", unit.place, `the System_ID "${unit.field("system_id")}" is there twice`);
    seen.add(id);
  }
}
