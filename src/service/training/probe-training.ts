import { ConnectionError } from "../../core/errors.js";
import { isObject, type JsonObject } from "../../core/util/json.js";
import { type Client, type Query, segment } from "../http/client.js";
import { rowsOf } from "./answer-fields.js";
import { readImport, readModule, readProgress, readUsage } from "./read-answers.js";
import { FIELDS, PHASES, PLACES, plainWord, ROUTES, STANDARD_WORDS, STATE_PREFIX } from "./vocabulary.js";

export interface ProbedAnswer {
  readonly method: "GET";
  /** Below the API root; ids are stand-ins, the same as in the answers. */
  readonly path: string;
  /** null: no complete answer came. */
  readonly status: number | null;
  /** `application/json`; empty: unknown. */
  readonly type: string;
  /** What guideferry reads in it: `3 modules`. */
  readonly understood: string;
  /** Its shape, see `redactAnswer`; null where it is not JSON. */
  readonly answer: unknown;
}

/** For the developers of guideferry: the answers of a site's external training modules. */
export interface TrainingProbe {
  readonly about: "external training modules";
  readonly answers: readonly ProbedAnswer[];
}

interface ProbeOptions {
  /** Also request previews: launch links, which are secrets. Default: no. */
  readonly preview?: boolean | undefined;
}

const MOST = 3;
const ANY_STATUS: readonly number[] = Array.from({ length: 400 }, (_, at) => 200 + at);

/**
 * Reads three modules and three imports at most; writes nothing and opens no player. Throws what a
 * Client throws, except StatusError and ConnectionError.
 */
export async function probeTraining(
  client: Client,
  { preview = false }: ProbeOptions,
  signal: AbortSignal,
): Promise<TrainingProbe> {
  const { ask, answers } = createAsking(client, signal);
  const list = await ask(() => ROUTES.modules, "", {}, describeRows("module", readModule));
  await ask(() => ROUTES.modules, "", { limit: 1, offset: 1 }, describeRows("module", readModule));
  const modules = idsIn(list, PLACES.module, readModule);
  const imports: string[] = [];
  for (const module of modules) {
    await ask(ROUTES.usage, module, {}, (answer) => counted(readUsage(answer).length, "place"));
    const history = await ask(ROUTES.imports, module, {}, describeRows("import", readImport));
    imports.push(...idsIn(history, PLACES.import, readImport));
  }
  for (const id of imports.slice(0, MOST)) {
    await ask(ROUTES.progress, id, {}, (answer) => describeProgress(readProgress(id, answer)));
    if (preview) await ask(ROUTES.preview, id, {}, () => "");
  }
  return { about: "external training modules", answers };
}

type Route = (id: string) => string;

function createAsking(client: Client, signal: AbortSignal) {
  const placeholder = createIdNumbers();
  const answers: ProbedAnswer[] = [];
  /** Records one request; returns the content of a good answer. */
  async function ask(route: Route, id: string, query: Query, told: (answer: unknown) => string): Promise<unknown> {
    const path = shownPath(route, id, query, placeholder);
    const asked = id === "" ? route(id) : route(segment(id));
    const got = await getAnyway(client, asked, query, signal);
    const isGood = got.status === 200;
    answers.push({
      method: "GET",
      path,
      status: got.status,
      type: /^[a-z]+\/[a-z0-9.+-]{1,40}/i.exec(got.type ?? "")?.[0] ?? "",
      understood: isGood ? told(got.json) : "",
      answer: redactAnswer(got.json, placeholder),
    });
    return isGood ? got.json : undefined;
  }
  return { ask, answers };
}

function shownPath(route: Route, id: string, query: Query, placeholder: IdNumber): string {
  const pairs = Object.entries(query).map(([name, value]) => `${name}=${value}`);
  return `${route(id === "" ? "" : String(placeholder(id)))}${pairs.length === 0 ? "" : `?${pairs.join("&")}`}`;
}

async function getAnyway(client: Client, path: string, query: Query, signal: AbortSignal) {
  try {
    return await client.get(path, { query, expect: ANY_STATUS, refusable: true }, signal);
  } catch (error) {
    if (!(error instanceof ConnectionError)) throw error;
    return { status: null, json: undefined, type: undefined };
  }
}

function idsIn(
  answer: unknown,
  place: (typeof PLACES)[keyof typeof PLACES],
  read: (row: unknown) => { readonly id: string } | undefined,
): readonly string[] {
  const ids = (rowsOf(answer, place) ?? []).flatMap((row) => read(row)?.id ?? []);
  return ids.slice(0, MOST);
}

function describeRows(noun: "module" | "import", read: (row: unknown) => unknown): (answer: unknown) => string {
  return (answer) => {
    const rows = rowsOf(answer, PLACES[noun]);
    if (rows === undefined) return "no list";
    const without = rows.filter((row) => read(row) === undefined).length;
    return `${counted(rows.length, noun)}${without === 0 ? "" : `, ${without} without an id`}`;
  };
}

function describeProgress({ phase, state, message, warnings, source }: ReturnType<typeof readProgress>): string {
  return [
    phase,
    state === "" ? "no state" : "",
    message === "" ? "" : "a message",
    warnings.length === 0 ? "" : counted(warnings.length, "warning"),
    source === null ? "" : "a source",
  ]
    .filter((part) => part !== "")
    .join(", ");
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

const DEEPEST = 12;
const MOST_ROWS = 3;
const MOST_FIELDS = 60;
/** Larger numbers are times, telephone numbers or sizes. */
const LARGEST_NUMBER = 9_999;

/**
 * The shape of a JSON value without content: names, types, booleans, small numbers and state words
 * stay; ids are numbered; a text becomes its kind (`<text 12>`, `<url>`). Long lists are cut.
 */
export function redactAnswer(value: unknown, placeholder: IdNumber): unknown {
  return redact(value, "", 0, placeholder);
}

function redact(value: unknown, name: string, depth: number, placeholder: IdNumber): unknown {
  if (depth > DEEPEST) return "<deeper>";
  if (Array.isArray(value)) {
    const shown = value.slice(0, MOST_ROWS).map((one: unknown) => redact(one, name, depth + 1, placeholder));
    return value.length > MOST_ROWS ? [...shown, `<${value.length - MOST_ROWS} more>`] : shown;
  }
  if (isObject(value)) return redactFields(value, depth, placeholder);
  if (typeof value === "string") return redactText(value, name, placeholder);
  if (typeof value === "number") return redactNumber(value, name, placeholder);
  return value ?? null;
}

function redactFields(fields: JsonObject, depth: number, placeholder: IdNumber): unknown {
  const all = Object.entries(fields);
  const shown = all
    .slice(0, MOST_FIELDS)
    .map(([name, value], at) => [fieldName(name, at, placeholder), redact(value, name, depth + 1, placeholder)]);
  return Object.fromEntries(all.length > MOST_FIELDS ? [...shown, ["<more>", all.length - MOST_FIELDS]] : shown);
}

function redactText(text: string, name: string, placeholder: IdNumber): string {
  if (text === "" || namesWord(text, name)) return text;
  const kind = kindOfText(text);
  return isIdName(name) ? `<id ${placeholder(text)}, ${kind}>` : `<${kind}>`;
}

function redactNumber(number: number, name: string, placeholder: IdNumber): number | string {
  if (isIdName(name) && Number.isSafeInteger(number)) return placeholder(String(number));
  if (Number.isInteger(number) && Math.abs(number) <= LARGEST_NUMBER) return number;
  if (number >= 1e9 && number < 3e9) return "<date, seconds>";
  if (number >= 1e12 && number < 3e12) return "<date, milliseconds>";
  return Number.isInteger(number) ? `<number, ${String(Math.abs(number)).length} digits>` : "<fraction>";
}

const WORDS: ReadonlySet<string> = new Set([
  ...Object.keys(PHASES),
  ...STANDARD_WORDS,
  "ok",
  "true",
  "false",
  "none",
  "draft",
  "current",
  "published",
  "course",
  "quiz",
  "assignment",
  "endpointnotfound",
]);

const LONGEST_WORD = 32;

/**
 * May a text stay? A known word; in a field for a state or kind also an unknown one: one to four
 * parts in one letter case without digits, unlike tokens and personal names.
 */
function namesWord(text: string, name: string): boolean {
  if (text.length > LONGEST_WORD || !/^[A-Za-z0-9]+(?:[ _.-][A-Za-z0-9]+)*$/.test(text)) return false;
  const word = plainWord(text);
  if (WORDS.has(word) || WORDS.has(word.replace(STATE_PREFIX, ""))) return true;
  return (
    isStateName(name) && /^(?:[a-z]{2,14}(?:[_-][a-z]{2,14}){0,3}|[A-Z]{2,14}(?:[_-][A-Z]{2,14}){0,3})$/.test(text)
  );
}

function isStateName(name: string): boolean {
  const word = plainWord(name);
  return STATE_NAMES.has(word) || /(?:status|state|stage|phase|standard)$/.test(word);
}

const STATE_NAMES: ReadonlySet<string> = new Set([...FIELDS.state, ...FIELDS.kind]);

function isIdName(name: string): boolean {
  return /(?:id|guid|uuid)s?$/i.test(name);
}

/** The longest known name has 26: `external_training_moduleid`. */
const LONGEST_NAME = 40;

/** Some answers use ids, addresses or people as names: those become `<id 3>` and `<name 4>`. */
function fieldName(name: string, at: number, placeholder: IdNumber): string {
  if (/^\d+$/.test(name)) return `<id ${placeholder(name)}>`;
  const written = name.length <= LONGEST_NAME && /^[A-Za-z_][A-Za-z0-9_-]*$/.test(name);
  return written && !looksDrawn(name) ? name : `<name ${at + 1}>`;
}

/** Tokens mix digits and letter cases: `sk_4fA9…`. */
function looksDrawn(name: string): boolean {
  const digits = name.match(/\d/g)?.length ?? 0;
  const capitals = name.match(/[A-Z]/g)?.length ?? 0;
  return digits > 4 || (capitals > 6 && capitals < (name.match(/[A-Za-z]/g)?.length ?? 0));
}

const KINDS: readonly (readonly [RegExp, string])[] = [
  [/^[a-z][a-z0-9+.-]*:\/\/\S+$/i, "url"],
  [/^\/\S*$/, "path"],
  [/^[^\s@]+@[^\s@]+$/, "email"],
  [/^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i, "uuid"],
  [/^\d{4}-\d{2}-\d{2}(?:[T ][\d:.]+(?:Z|[+-]\d{2}:?\d{2})?)?$/, "date"],
  [/^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d/, "date"],
];

function kindOfText(text: string): string {
  const [, kind] = KINDS.find(([pattern]) => pattern.test(text)) ?? [];
  if (kind !== undefined) return kind;
  const length = [...text].length;
  if (/^\d+$/.test(text)) return `digits ${length}`;
  return `${/<[a-z!/]/i.test(text) ? "html" : "text"} ${length}`;
}

type IdNumber = (id: string) => number;

/** Stand-ins in the order of first use, from 1. */
export function createIdNumbers(): IdNumber {
  const known = new Map<string, number>();
  return (id) => {
    const number = known.get(id) ?? known.size + 1;
    known.set(id, number);
    return number;
  };
}
