import type { ImportPhase, SiteImport, SiteModule } from "../../core/training.js";
import { isObject, type JsonObject } from "../../core/util/json.js";
import { messageOf } from "../http/status-error.js";
import { asId, DEEPEST, fieldOf, firstOf, idIn, type Layers, layersOf, plainText, rowsOf } from "./answer-fields.js";
import { CURRENT_VERSION, FIELDS, PHASES, PLACES, plainWord, STATE_PREFIX, USAGE_PLACES } from "./vocabulary.js";

/** A course of a thousand files may have a warning for each. */
const MOST_WARNINGS = 100;

/** undefined: the answer has no readable id of an import. */
export function readImportId(answer: unknown): string | undefined {
  return idIn(answer, PLACES.import, FIELDS.importId);
}

/** undefined: the row has no id. */
export function readImport(row: unknown): SiteImport | undefined {
  const id = readImportId(row);
  return id === undefined ? undefined : siteImport(id, row);
}

/** An answer need not repeat the id (training modules, 1.2, 2). */
export function readProgress(id: string, answer: unknown): SiteImport {
  const rows = Array.isArray(answer) ? answer : (rowsOf(valueIn(answer), PLACES.import) ?? []);
  return siteImport(id, rows.find((row) => readImportId(row) === id) ?? answer);
}

/** Other lists in the answer, such as warnings, don't count. */
function valueIn(answer: unknown): unknown {
  return isObject(answer) ? fieldOf(answer, ["imports", "data"]) : undefined;
}

function siteImport(id: string, answer: unknown): SiteImport {
  const layers = layersOf(answer, PLACES.import);
  return {
    id,
    ...readState(layers),
    message: firstOf(layers, FIELDS.message, asMessage) ?? firstOf(layers, FIELDS.errors, errorsIn) ?? "",
    warnings: firstOf(layers, FIELDS.warnings, warningsIn) ?? [],
    source: firstOf(layers, [...FIELDS.source, "source"], asText) ?? null,
  };
}

/**
 * The import's own state, unless it is unknown. `complete` needs a job that does not contradict, so
 * that nothing is published too early.
 */
function readState({ inside, beside }: Layers): { readonly phase: ImportPhase; readonly state: string } {
  const own = firstState(inside.filter((layer, index) => index === 0 || !isEnvelope(layer)));
  const job = firstState(beside);
  const ownPhase = phaseOf(own);
  const jobPhase = phaseOf(job);
  const jobCounts =
    ownPhase === undefined ? jobPhase !== undefined : ownPhase === "complete" && jobPhase !== "complete";
  if (job !== undefined && jobCounts) return { phase: jobPhase ?? "running", state: plainText(job) };
  return { phase: ownPhase ?? "running", state: plainText(own ?? job ?? "") };
}

/** `{"status": "success", "data": …}` is about the request, not about the import. */
function isEnvelope(layer: JsonObject): boolean {
  return ["success", "ok"].includes(plainWord(firstState([layer]) ?? ""));
}

function firstState(layers: readonly JsonObject[]): string | undefined {
  for (const layer of layers) {
    const word = asWord(fieldOf(layer, FIELDS.state));
    if (word !== undefined) return word;
  }
  return undefined;
}

/** A number is a status or an unknown code. */
function asWord(value: unknown): string | undefined {
  if (isObject(value)) return asWord(fieldOf(value, ["name", "code", "value", "key", "label"]));
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}

function phaseOf(word: string | undefined): ImportPhase | undefined {
  const plain = plainWord(word ?? "");
  const name = Object.hasOwn(PHASES, plain) ? plain : plain.replace(STATE_PREFIX, "");
  return Object.hasOwn(PHASES, name) ? PHASES[name] : undefined;
}

function asMessage(value: unknown): string | undefined {
  if (Array.isArray(value)) return errorsIn(value);
  const text = isObject(value) ? messageOf(value) : value;
  return asText(text);
}

function errorsIn(value: unknown): string | undefined {
  return asText(messageOf({ errors: Array.isArray(value) ? value : [value] }));
}

function asText(value: unknown): string | undefined {
  const text = typeof value === "string" ? plainText(value) : "";
  return text === "" ? undefined : text;
}

function warningsIn(value: unknown): readonly string[] | undefined {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  const texts = list.flatMap((one) => asText(one) ?? warningIn(one) ?? []);
  if (texts.length <= MOST_WARNINGS) return texts.length === 0 ? undefined : texts;
  return [...texts.slice(0, MOST_WARNINGS), `and ${texts.length - MOST_WARNINGS} more`];
}

function warningIn(value: unknown): string | undefined {
  return isObject(value) ? asText(fieldOf(value, WARNING_TEXT)) : undefined;
}

const WARNING_TEXT = ["message", "text", "warning", "description", "detail", "title", "code"] as const;

/** Longest stored title in characters: a list may have 200,000 titles. */
const LONGEST_TITLE = 500;

/** undefined: the answer has no readable id of a module. */
export function readModuleId(answer: unknown): string | undefined {
  return idIn(answer, PLACES.module, FIELDS.moduleId);
}

/** undefined: the row has no id. */
export function readModule(row: unknown): SiteModule | undefined {
  const id = readModuleId(row);
  if (id === undefined) return undefined;
  const layers = layersOf(row, PLACES.module);
  const title = firstOf(layers, FIELDS.title, (value) => (typeof value === "string" ? value : undefined)) ?? "";
  return {
    id,
    title: title.length > LONGEST_TITLE ? beginning(title) : title,
    currentImport: readCurrentImport(layers),
  };
}

/** A slice would keep the whole text in memory. */
function beginning(title: string): string {
  return Buffer.from(title.slice(0, LONGEST_TITLE)).toString();
}

function readCurrentImport({ inside }: Layers): string | null {
  for (const layer of inside) {
    const named = importIn(fieldOf(layer, FIELDS.currentImport)) ?? importIdOf(fieldOf(layer, CURRENT_VERSION));
    if (named !== undefined) return named;
  }
  return null;
}

function importIn(value: unknown): string | undefined {
  return asId(value) ?? (isObject(value) ? asId(fieldOf(value, FIELDS.importId)) : undefined);
}

/** A version's own `id` is not that of its import. */
function importIdOf(version: unknown): string | undefined {
  if (!isObject(version)) return typeof version === "boolean" ? undefined : asId(version);
  return asId(fieldOf(version, ["importid"])) ?? importIn(fieldOf(version, ["import"]));
}

/** One line for each place; the format of the answer is not public. */
export function readUsage(answer: unknown): readonly string[] {
  const content = contentOf(answer);
  if (Array.isArray(content)) return content.flatMap((row: unknown) => lineOf("", row));
  if (!isObject(content)) return scalar("", content);
  return Object.entries(content).flatMap(([name, value]) => usageLines(name, value));
}

function contentOf(answer: unknown, depth = 0): unknown {
  const inner = isObject(answer) && depth < DEEPEST ? fieldOf(answer, USAGE_PLACES) : undefined;
  return typeof inner === "object" ? contentOf(inner, depth + 1) : answer;
}

/** Fields of the module itself. */
const NO_PLACE: ReadonlySet<string> = new Set([...FIELDS.moduleId, ...FIELDS.title, ...FIELDS.state]);

function usageLines(name: string, value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((row: unknown) => lineOf(name, row));
  if (isObject(value)) return lineOf(name, value);
  return NO_PLACE.has(plainWord(name)) ? [] : scalar(name, value);
}

function lineOf(group: string, row: unknown): readonly string[] {
  if (!isObject(row)) return scalar(group, row);
  const kind = textOf(fieldOf(row, FIELDS.kind)) ?? group;
  const title = textOf(fieldOf(row, FIELDS.title));
  const id = idOf(row);
  const line =
    title === undefined && id === undefined
      ? [group, pairsOf(row)].filter((part) => part !== "").join(": ")
      : [kind, title === undefined ? "" : `“${title}”`, id ?? ""].filter((part) => part !== "").join(" ");
  return line === "" ? [] : [plainText(line)];
}

/** `{"courseid": 7}` names one too. */
function idOf(row: JsonObject): string | undefined {
  const own = asId(fieldOf(row, ["id"]));
  if (own !== undefined) return own;
  const named = Object.entries(row).flatMap(([name, value]) => {
    const id = /id$/i.test(name) && !NO_PLACE.has(plainWord(name)) ? asId(value) : undefined;
    return id === undefined ? [] : [`${name} ${id}`];
  });
  return named.length === 0 ? undefined : named.join(", ");
}

function pairsOf(row: JsonObject): string {
  return Object.entries(row)
    .flatMap(([name, value]) => scalar(name, value))
    .join(", ");
}

/** Nothing, zero and an empty text: not used. */
function scalar(name: string, value: unknown): readonly string[] {
  const text = textOf(value);
  if (text === undefined || text === "0") return [];
  return [plainText(name === "" ? text : `${name}: ${text}`)];
}

function textOf(value: unknown): string | undefined {
  if (typeof value === "number" || value === true) return String(value);
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}

/**
 * The absolute address of an answer; null: none, or one with a name or password, which must not be
 * shown. `root`: for addresses without a host.
 */
export function readLink(answer: unknown, root: string): string | null {
  const link = (value: unknown): string | undefined =>
    webAddress(isObject(value) ? fieldOf(value, FIELDS.link) : value, root);
  return link(answer) ?? firstOf(layersOf(answer, PLACES.import), FIELDS.link, link) ?? null;
}

function webAddress(value: unknown, root: string): string | undefined {
  if (typeof value !== "string" || !/^(?:https?:)?\//i.test(value.trim())) return undefined;
  if (!URL.canParse(value.trim(), root)) return undefined;
  const url = new URL(value.trim(), root);
  return url.username === "" && url.password === "" ? url.href : undefined;
}
