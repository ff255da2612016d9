import { ConnectionError } from "../../core/errors.js";
import { type Client, type Query, segment } from "../client.js";
import { rowsOf } from "./fields.js";
import { readImport, readProgress } from "./read-import.js";
import { readModule } from "./read-module.js";
import { readUsage } from "./read-usage.js";
import { redactAnswer } from "./redact-answer.js";
import { createStandIns, type StandIn } from "./stand-in.js";
import { PLACES, ROUTES } from "./vocabulary.js";

/** One question and what came of it, with nothing in it that is secret or personal. */
export interface ProbedAnswer {
  readonly method: "GET";
  /** Below the API root; ids are stand-ins, the same ones as in the answers. */
  readonly path: string;
  /** null: no whole answer came. */
  readonly status: number | null;
  /** `application/json`; empty: not said. */
  readonly type: string;
  /** What guideferry reads in it: `3 modules`. */
  readonly understood: string;
  /** Its shape, see `redactAnswer`; null where it is no JSON. */
  readonly answer: unknown;
}

/** For the makers of guideferry: how a site's external training modules answer. */
export interface TrainingProbe {
  readonly about: "external training modules";
  readonly answers: readonly ProbedAnswer[];
}

export interface ProbeOptions {
  /** Also ask for previews: makes launch links, which are secrets as long as they hold. Default: no. */
  readonly preview?: boolean | undefined;
}

const MOST = 3;
const ANY_STATUS: readonly number[] = Array.from({ length: 400 }, (_, at) => 200 + at);

/**
 * Asks a site's reads of the family, of three modules and three imports at most, and writes nothing there. The player is never opened.
 * @throws what a Client throws, but neither StatusError nor ConnectionError: both are answers here
 */
export async function probeTraining(
  client: Client,
  { preview = false }: ProbeOptions,
  signal: AbortSignal,
): Promise<TrainingProbe> {
  const { ask, answers } = createAsking(client, signal);
  const list = await ask(() => ROUTES.modules, "", {}, toldRows("module", readModule));
  await ask(() => ROUTES.modules, "", { limit: 1, offset: 1 }, toldRows("module", readModule));
  const modules = idsIn(list, PLACES.module, readModule);
  const imports: string[] = [];
  for (const module of modules) {
    await ask(ROUTES.usage, module, {}, (answer) => counted(readUsage(answer).length, "place"));
    const history = await ask(ROUTES.imports, module, {}, toldRows("import", readImport));
    imports.push(...idsIn(history, PLACES.import, readImport));
  }
  for (const id of imports.slice(0, MOST)) {
    await ask(ROUTES.progress, id, {}, (answer) => toldProgress(readProgress(id, answer)));
    if (preview) await ask(ROUTES.preview, id, {}, () => "");
  }
  return { about: "external training modules", answers };
}

type Route = (id: string) => string;

function createAsking(client: Client, signal: AbortSignal) {
  const standIn = createStandIns();
  const answers: ProbedAnswer[] = [];
  /** Records one question; gives what a good answer holds. */
  async function ask(route: Route, id: string, query: Query, told: (answer: unknown) => string): Promise<unknown> {
    const path = shownPath(route, id, query, standIn);
    const asked = id === "" ? route(id) : route(segment(id));
    const got = await getAnyway(client, asked, query, signal);
    const isGood = got.status === 200;
    answers.push({
      method: "GET",
      path,
      status: got.status,
      type: /^[a-z]+\/[a-z0-9.+-]{1,40}/i.exec(got.type ?? "")?.[0] ?? "",
      understood: isGood ? told(got.json) : "",
      answer: redactAnswer(got.json, standIn),
    });
    return isGood ? got.json : undefined;
  }
  return { ask, answers };
}

function shownPath(route: Route, id: string, query: Query, standIn: StandIn): string {
  const pairs = Object.entries(query).map(([name, value]) => `${name}=${value}`);
  return `${route(id === "" ? "" : String(standIn(id)))}${pairs.length === 0 ? "" : `?${pairs.join("&")}`}`;
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

function toldRows(noun: "module" | "import", read: (row: unknown) => unknown): (answer: unknown) => string {
  return (answer) => {
    const rows = rowsOf(answer, PLACES[noun]);
    if (rows === undefined) return "no list";
    const without = rows.filter((row) => read(row) === undefined).length;
    return `${counted(rows.length, noun)}${without === 0 ? "" : `, ${without} without an id`}`;
  };
}

function toldProgress({ phase, state, message, warnings, source }: ReturnType<typeof readProgress>): string {
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
