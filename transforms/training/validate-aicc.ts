import type { Module, ModuleUnit } from "../../src/core/model/module.js";
import { readRows } from "../../src/core/util/csv.js";
import { decodeWindows1252 } from "../xml/decode-bytes.js";
import { resolveAddress } from "./addresses.js";
import { numberOf } from "./elements.js";
import { type FindingCollector, shown } from "./findings.js";
import { MANIFEST_LIMITS } from "./manifest-limits.js";
import { AICC_ENDINGS, type AiccEnding, type AiccSet, endingOf, type FileIndex, stemOf } from "./package-files.js";
import { addressRepairs, type ManifestBytes, type RepairedManifest, UNCHANGED } from "./read-manifest-xml.js";
import { filesOf } from "./recognise.js";
import { checkTitle } from "./shared-checks.js";
import type { TrainingCode } from "./training-codes.js";
import type { Validation } from "./validation.js";

/** Validates AICC course files (training modules, 2.4). */
export function validateAicc(
  set: AiccSet,
  contents: (path: string) => ManifestBytes,
  validation: Validation,
): Module | null {
  const { findings } = validation;
  const texts = readTexts(set, contents, validation);
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
  checkIds(units, validation);
  const identifier = course.values.get("course_id") ?? "";
  const title = checkTitle(
    { text: course.values.get("course_title") ?? null, place: crs.path, owner: "the course" },
    findings,
  );
  const members = aiccUnits({ units, descriptions, structure, structurePath: cst.path }, validation);
  if (members.every(({ launch }) => launch === null) && !findings.isRefused)
    findings.add("E_MAN_NO_LAUNCH", au.path, "it names no unit that a learner can open");
  return {
    standard: "aicc",
    identifier,
    title: title || members.find((unit) => unit.title !== "")?.title || identifier,
    language: null,
    units: members,
    external: [...validation.external],
    usesSequencing: false,
  };
}

interface CourseFile {
  readonly path: string;
  readonly text: string;
}

/** null, and findings: one of the four cannot be read. */
function readTexts(
  set: AiccSet,
  contents: (path: string) => ManifestBytes,
  { findings }: Validation,
): Readonly<Record<AiccEnding, CourseFile>> | null {
  const [first = null] = filesOf(set);
  const found = new Map<AiccEnding, CourseFile>();
  for (const ending of AICC_ENDINGS) {
    const path = set[ending];
    if (path === null) {
      findings.add("E_AICC_MISSING_FILE", first, `the course file with the ending .${ending} is missing`);
      continue;
    }
    const bytes = contents(path);
    if (bytes === undefined || bytes === "too-large") {
      findings.add(
        "E_AICC_SYNTAX",
        path,
        bytes === undefined ? "its content is missing" : "it is much larger than a course file can be",
      );
      continue;
    }
    const { text, encoding } = decodeCourseFile(bytes);
    if (encoding !== "UTF-8") findings.add("W_AICC_ENCODING", path, `it is not UTF-8 and was read as ${encoding}`);
    found.set(ending, { path, text });
  }
  if (new Set(filesOf(set).map(stemOf)).size > 1)
    findings.add(
      "W_AICC_BASENAME",
      first,
      `the course files are ${filesOf(set).join(", ")}, and should have the same name`,
    );
  const [crs, au, des, cst] = AICC_ENDINGS.map((ending) => found.get(ending));
  return crs && au && des && cst ? { crs, au, des, cst } : null;
}

function checkIds(units: readonly TableRow[], { findings }: Validation): void {
  const seen = new Set<string>();
  for (const unit of units) {
    const id = unit.field("system_id").toLowerCase();
    if (id === "") findings.add("E_MAN_MISSING_ID", unit.place, "a unit has no System_ID");
    else if (seen.has(id))
      findings.add("E_MAN_DUP_ID", unit.place, `the System_ID "${unit.field("system_id")}" occurs twice`);
    seen.add(id);
  }
}

interface AiccTables {
  readonly units: readonly TableRow[];
  readonly descriptions: readonly TableRow[];
  readonly structure: readonly TableRow[];
  readonly structurePath: string;
}

/** In the order of the course; resolves every unit's address. */
function aiccUnits(tables: AiccTables, validation: Validation): readonly ModuleUnit[] {
  const { units, descriptions, structure, structurePath } = tables;
  const byId = new Map(units.map((unit) => [unit.field("system_id").toLowerCase(), unit]));
  const described = new Map(descriptions.map((row) => [row.field("system_id").toLowerCase(), row]));
  const ids = [...byId.values()].map((unit) => unit.field("system_id")).filter((id) => id !== "");
  const missing = codeForMissing(validation.files);
  return courseTree(structure, ids, structurePath, validation.findings).map(({ id, depth, isBlock }) => {
    const row = described.get(id.toLowerCase());
    const unit = isBlock ? undefined : byId.get(id.toLowerCase());
    const owner = `${isBlock ? "block" : "unit"} "${shown(id)}"`;
    return {
      id,
      title: titleOf(row, unit, owner, validation) || id,
      launch: unit === undefined ? null : openUnit(unit, owner, missing, validation),
      depth,
      masteryScore: unit === undefined ? null : numberOf(unit.field("mastery_score")),
    };
  });
}

/** A unit without a description gets its id as title. */
function titleOf(
  row: TableRow | undefined,
  unit: TableRow | undefined,
  owner: string,
  { findings }: Validation,
): string {
  if (row === undefined || (unit === undefined && row.field("title") === "")) return "";
  return checkTitle({ text: row.field("title"), place: row.place, owner }, findings);
}

function openUnit(unit: TableRow, owner: string, missing: TrainingCode, validation: Validation): string | null {
  const name = unit.field("file_name");
  if (name === "") {
    validation.findings.add("E_MAN_LAUNCH_MISSING", unit.place, `${owner} names no file`);
    return null;
  }
  return resolveAddress(
    {
      written: withQuery(name, unit.field("web_launch")),
      place: unit.place,
      owner,
      missing,
      unsafe: "E_MAN_LAUNCH_UNSAFE",
      repair: (change) => validation.fieldEdits.set(name, change),
    },
    validation,
  ).launch;
}

/** File_Name, `?` and Web_Launch (training modules, 2.4). */
function withQuery(name: string, webLaunch: string): string {
  const query = webLaunch.replace(/^[?&]+/, "");
  if (query === "") return name;
  return `${name}${name.includes("?") ? "&" : "?"}${query}`;
}

const AICC_EXTRA_ENDINGS: ReadonlySet<string> = new Set(["ort", "pre", "cmp"]);
const COURSE_ENDINGS: ReadonlySet<string> = new Set([...AICC_ENDINGS, ...AICC_EXTRA_ENDINGS]);

/**
 * Without other files the content is on its own server, and missing files are only reported. With
 * only the four mandatory files the content was forgotten.
 */
function codeForMissing(files: FileIndex | null): TrainingCode {
  const endings = files?.paths.map(endingOf) ?? [];
  const isStructureOnly = endings.every((ending) => COURSE_ENDINGS.has(ending));
  return isStructureOnly && endings.some((ending) => AICC_EXTRA_ENDINGS.has(ending))
    ? "W_MAN_FILE_MISSING"
    : "E_MAN_LAUNCH_MISSING";
}

export interface Member {
  readonly id: string;
  /** Zero: outermost. */
  readonly depth: number;
  readonly isBlock: boolean;
}

/** Ids ignore letter case. Units without a block come last, since they can be opened. */
function courseTree(
  rows: readonly TableRow[],
  unitIds: readonly string[],
  path: string,
  findings: FindingCollector,
): readonly Member[] {
  const blocks = new Map(rows.map((row) => [key(row.fields[0] ?? ""), row]));
  const units = new Map(unitIds.map((id) => [key(id), id]));
  const walk: Walk = { blocks, units, seen: new Set(), members: [], findings };
  const root = blocks.get("root");
  if (root === undefined)
    findings.add("W_MAN_NO_ORGANIZATION", path, "it has no row ROOT; the units keep their own order");
  else visit(root, walk);
  const outsideBlocks = unitIds.filter((id) => !walk.seen.has(key(id)));
  return [...walk.members, ...outsideBlocks.map((id) => ({ id, depth: 0, isBlock: false }))];
}

interface Walk {
  readonly blocks: ReadonlyMap<string, TableRow>;
  readonly units: ReadonlyMap<string, string>;
  readonly seen: Set<string>;
  readonly members: Member[];
  readonly findings: FindingCollector;
}

/** No recursion: blocks may be nested as deep as the table is long. */
function visit(root: TableRow, walk: Walk): void {
  const open = [{ row: root, next: 1 }];
  for (let at = open.at(-1); at !== undefined; at = open.at(-1)) {
    const id = at.row.fields[at.next];
    at.next += 1;
    if (id === undefined) open.pop();
    else if (id !== "") {
      const block = take(id, at.row, open.length - 1, walk);
      if (block !== undefined) open.push({ row: block, next: 1 });
    }
  }
}

function take(
  id: string,
  row: TableRow,
  depth: number,
  { blocks, units, seen, members, findings }: Walk,
): TableRow | undefined {
  const block = blocks.get(key(id));
  const unit = units.get(key(id));
  if (block === undefined && unit === undefined) {
    findings.add("W_MAN_ITEM_REF_MISSING", row.place, `"${shown(id)}" is neither a unit nor a block`);
    return undefined;
  }
  if (seen.has(key(id))) {
    // A repeated unit is harmless; a block within itself has no end.
    if (block !== undefined)
      findings.add("W_MAN_DEPENDENCY_CYCLE", row.place, `the block "${shown(id)}" occurs twice, or in itself`);
    return undefined;
  }
  seen.add(key(id));
  members.push({ id: unit ?? id, depth, isBlock: unit === undefined });
  return unit === undefined ? block : undefined;
}

function key(id: string): string {
  return id.trim().toLowerCase();
}

interface DecodedCourseFile {
  readonly text: string;
  readonly encoding: "UTF-8" | "UTF-16" | "windows-1252";
}

/** A byte order mark, else UTF-8 where valid, else windows-1252 (training modules, 2.4). */
function decodeCourseFile(bytes: Uint8Array): DecodedCourseFile {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return { text: new TextDecoder("utf-16le").decode(bytes), encoding: "UTF-16" };
  if (first === 0xfe && second === 0xff) return { text: new TextDecoder("utf-16be").decode(bytes), encoding: "UTF-16" };
  try {
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(bytes), encoding: "UTF-8" };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return { text: decodeWindows1252(bytes), encoding: "windows-1252" };
  }
}

const FIELD = /[^",\r\n]+/g;

/** Other encodings than UTF-8 stay as they are. */
export function repairUnits(path: string | null, bytes: ManifestBytes, validation: Validation): RepairedManifest {
  const { fieldEdits } = validation;
  if (path === null || bytes === undefined || bytes === "too-large" || fieldEdits.size === 0) return UNCHANGED;
  const { text, encoding } = decodeCourseFile(bytes);
  if (encoding !== "UTF-8") return UNCHANGED;
  const changed = text.replace(FIELD, (field) => fieldEdits.get(field.trim())?.(field) ?? field);
  if (changed === text) return UNCHANGED;
  return {
    rewritten: new Map([[path, new TextEncoder().encode(changed)]]),
    repairs: addressRepairs(path, validation),
  };
}

/** Fields by lower-case column. */
interface TableRow {
  readonly place: string;
  /** Empty: no such column or value. */
  field(column: string): string;
  /** For rows whose last column repeats. */
  readonly fields: readonly string[];
}

/**
 * Columns in any order and letter case (training modules, 2.4). null, and a finding: unreadable.
 */
function readTable(
  path: string,
  text: string,
  mandatory: readonly string[],
  findings: FindingCollector,
): readonly TableRow[] | null {
  // One more for the header.
  const { rows, isCut, faults } = readRows(text, { isPadded: true, mostRows: MANIFEST_LIMITS.items + 1 });
  for (const { line, what } of faults) findings.add("E_AICC_SYNTAX", `${path}:${line}`, what);
  if (isCut) findings.add("E_MAN_TOO_MANY_ITEMS", path, `more than ${MANIFEST_LIMITS.items} rows`);
  if (faults.length > 0 || isCut) return null;
  const [head, ...body] = rows;
  const columns = new Map(head?.fields.map((name, index) => [name.toLowerCase(), index]));
  const absent = mandatory.filter((name) => !columns.has(name));
  if (absent.length > 0) {
    const found = head === undefined ? "nothing" : shown(head.fields.join(", "));
    findings.add(
      "E_AICC_SYNTAX",
      `${path}:${head?.line ?? 1}`,
      `it begins with ${found}; the columns ${absent.join(", ")} are missing`,
    );
    return null;
  }
  return body.map(({ line, fields }) => ({
    place: `${path}:${line}`,
    field: (column) => fields[columns.get(column) ?? -1] ?? "",
    fields,
  }));
}

/** Keys are in lower case. */
type Ini = ReadonlyMap<string, IniSection>;

interface IniSection {
  readonly values: ReadonlyMap<string, string>;
  /** For sections of free text. */
  readonly text: string;
}

const SECTION = /^\s*\[([^\]]*)\]\s*$/;

/** `key=value`, free text in `[Course_Description]`, any line ends. Other lines are text. */
function readIni(text: string): Ini {
  const sections = new Map<string, { readonly values: Map<string, string>; readonly lines: string[] }>();
  let current: { readonly values: Map<string, string>; readonly lines: string[] } | undefined;
  for (const line of text.split(/\r\n|\n|\r/)) {
    const name = SECTION.exec(line)?.[1]?.trim().toLowerCase();
    if (name !== undefined) {
      current = sections.get(name) ?? { values: new Map(), lines: [] };
      sections.set(name, current);
      continue;
    }
    if (current === undefined) continue;
    current.lines.push(line);
    const equals = line.indexOf("=");
    if (equals < 0) continue;
    const key = line.slice(0, equals).trim().toLowerCase();
    if (!current.values.has(key)) current.values.set(key, line.slice(equals + 1).trim());
  }
  return new Map([...sections].map(([name, { values, lines }]) => [name, { values, text: lines.join("\n").trim() }]));
}
