import type { ImportPhase, SiteImport } from "../../core/training.js";
import { messageOf } from "../error-message.js";
import { isObject } from "../wire/place.js";
import { type Fields, fieldOf, firstOf, idIn, type Layers, layersOf, rowsOf } from "./fields.js";
import { plainText } from "./plain-text.js";
import { FIELDS, PHASES, PLACES, plainWord, STATE_PREFIX } from "./vocabulary.js";

/** A course of a thousand files may have a warning for each; nobody reads more of them than this. */
const MOST_WARNINGS = 100;

/** The id of the import that an answer tells of; undefined: it can't be read. */
export function readImportId(answer: unknown): string | undefined {
  return idIn(answer, PLACES.import, FIELDS.importId);
}

/** An import as a list shows it; undefined: it has no id. */
export function readImport(row: unknown): SiteImport | undefined {
  const id = readImportId(row);
  return id === undefined ? undefined : importOf(id, row);
}

/** What an answer tells of the import that was asked for. It need not repeat the id, as the engine's doesn't always (training modules, 1.2, 2). */
export function readProgress(id: string, answer: unknown): SiteImport {
  const rows = Array.isArray(answer) ? answer : (rowsOf(valueIn(answer), PLACES.import) ?? []);
  return importOf(id, rows.find((row) => readImportId(row) === id) ?? answer);
}

/** Only a list of imports: other lists in the answer, as that of the warnings, are none. */
function valueIn(answer: unknown): unknown {
  return isObject(answer) ? fieldOf(answer, ["imports", "data"]) : undefined;
}

function importOf(id: string, answer: unknown): SiteImport {
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
 * The state. The job beside an import is believed where the import itself says nothing that is known, and where the import is said to be
 * complete but its job isn't: nothing is published that may still be on its way.
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

/** `{"status": "success", "data": …}` says that the question was answered. */
function isEnvelope(layer: Fields): boolean {
  return ["success", "ok"].includes(plainWord(firstState([layer]) ?? ""));
}

function firstState(layers: readonly Fields[]): string | undefined {
  for (const layer of layers) {
    const word = asWord(fieldOf(layer, FIELDS.state));
    if (word !== undefined) return word;
  }
  return undefined;
}

/** A number is the answer's status, or a code of which nothing is known. */
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
