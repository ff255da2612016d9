import type { ModuleUnit } from "../../../src/core/model/module.js";
import type { Judging } from "../judging.js";
import type { FileIndex } from "../launch/file-index.js";
import { settleAddress } from "../launch/settle-address.js";
import { numberOf } from "../manifest/elements.js";
import { AICC_ENDINGS, AICC_EXTRA_ENDINGS, endingOf } from "../recognise/markers.js";
import { shown } from "../shown.js";
import { checkTitle } from "../titles/check-title.js";
import type { TrainingCode } from "../training-codes.js";
import { courseTree } from "./course-tree.js";
import type { TableRow } from "./read-table.js";

export interface AiccTables {
  readonly units: readonly TableRow[];
  readonly descriptions: readonly TableRow[];
  readonly structure: readonly TableRow[];
  readonly structurePath: string;
}

/** Blocks and units in the order of the course; every unit's address is looked up. */
export function aiccUnits(tables: AiccTables, judging: Judging): readonly ModuleUnit[] {
  const { units, descriptions, structure, structurePath } = tables;
  const byId = new Map(units.map((unit) => [unit.field("system_id").toLowerCase(), unit]));
  const described = new Map(descriptions.map((row) => [row.field("system_id").toLowerCase(), row]));
  const ids = [...byId.values()].map((unit) => unit.field("system_id")).filter((id) => id !== "");
  const missing = codeForMissing(judging.files);
  return courseTree(structure, ids, structurePath, judging.findings).map(({ id, depth, isBlock }) => {
    const row = described.get(id.toLowerCase());
    const unit = isBlock ? undefined : byId.get(id.toLowerCase());
    const owner = `${isBlock ? "block" : "unit"} "${shown(id)}"`;
    return {
      id,
      title: titleOf(row, unit, owner, judging) || id,
      launch: unit === undefined ? null : openUnit(unit, owner, missing, judging),
      depth,
      masteryScore: unit === undefined ? null : numberOf(unit.field("mastery_score")),
    };
  });
}

/** A unit without a description has its id for a title, and nobody misses more. */
function titleOf(row: TableRow | undefined, unit: TableRow | undefined, owner: string, { findings }: Judging): string {
  if (row === undefined || (unit === undefined && row.field("title") === "")) return "";
  return checkTitle({ text: row.field("title"), place: row.place, owner }, findings);
}

function openUnit(unit: TableRow, owner: string, missing: TrainingCode, judging: Judging): string | null {
  const name = unit.field("file_name");
  if (name === "") {
    judging.findings.add("E_MAN_LAUNCH_MISSING", unit.place, `${owner} names no file`);
    return null;
  }
  return settleAddress(
    {
      written: withQuery(name, unit.field("web_launch")),
      place: unit.place,
      owner,
      missing,
      unsafe: "E_MAN_LAUNCH_UNSAFE",
      mend: (change) => judging.fieldEdits.set(name, change),
    },
    judging,
  ).launch;
}

/** Launch = File_Name, `?` and Web_Launch (training modules, 2.4). */
function withQuery(name: string, webLaunch: string): string {
  const query = webLaunch.replace(/^[?&]+/, "");
  if (query === "") return name;
  return `${name}${name.includes("?") ? "&" : "?"}${query}`;
}

const COURSE_ENDINGS: ReadonlySet<string> = new Set([...AICC_ENDINGS, ...AICC_EXTRA_ENDINGS]);

/**
 * A whole set of course files, those for order and objectives too, and nothing beside them is a course whose content stays on its
 * server: then a file that is not there is told of, and refuses nothing. With the four mandatory files alone somebody forgot the content.
 */
function codeForMissing(files: FileIndex | null): TrainingCode {
  const endings = files?.paths.map(endingOf) ?? [];
  const isStructureOnly = endings.every((ending) => COURSE_ENDINGS.has(ending));
  return isStructureOnly && endings.some((ending) => AICC_EXTRA_ENDINGS.has(ending))
    ? "W_MAN_FILE_MISSING"
    : "E_MAN_LAUNCH_MISSING";
}
