import { createRequire } from "node:module";
import { Readable, Writable } from "node:stream";
import type { Command, CommandCall, ResultEnd } from "../commands/command.js";
import { FINISH_WITHIN, startTimeLimit } from "../commands/interruption.js";
import {
  type Environment,
  IDENTITY_KEY_VARIABLE,
  PASSPHRASE_VARIABLE,
  type Side,
} from "../commands/options/credential-names.js";
import { readSettings } from "../commands/options/settings.js";
import { OPTIONS, type OptionName } from "../commands/options/table.js";
import { suggest } from "../commands/options/values.js";
import type { Output } from "../commands/output/output.js";
import { EXIT, messageOf, StoppedError, UsageError } from "../core/errors.js";
import { bandwidthOf } from "../core/util/bandwidth.js";
import { parseLocation } from "../service/http/address.js";
import { createRedactor, type Redact, Secret } from "../service/http/secret.js";
import type { Credentials } from "../service/http/sign-in.js";
import type { Failure } from "../storage/workspace/failure-list.js";
import type { ProgressEvent } from "../sync/control.js";
import { OPTION_NAMES } from "./option-values.js";

// The second front end of the commands, beside the command line: a program in place of words.

/** A site: its address, and the sign-in of an account. Default: without a sign-in. */
export interface Site {
  /** `https://site.example`, with or without `/api/2.0`. */
  readonly url: string;
  /** The token of a signed-in account, or an API key. */
  readonly token?: string | undefined;
  /** How the token is sent: `api` (default, `Authorization: api …`) or `bearer` (API keys). */
  readonly auth?: "api" | "bearer" | undefined;
  /** The application id (`X-App-Id`), if the site needs one. */
  readonly appId?: string | undefined;
  /** Without a token: the account's e-mail address. Each call signs in once. */
  readonly email?: string | undefined;
  /** The password for the e-mail address. */
  readonly password?: string | undefined;
}

/** What a program hears of a run, and how it stops one. A function that throws ends the run. */
export interface RunHooks {
  /** Called when a part of a stage is finished: often, and never by a timer. */
  readonly onProgress?: ((event: ProgressEvent) => void) | undefined;
  /** Called for each warning; the result lists them too. */
  readonly onWarning?: ((text: string) => void) | undefined;
  /** Called for each message that is not a warning. */
  readonly onNote?: ((text: string) => void) | undefined;
  /**
   * Stops the run as Ctrl-C stops a command: nothing new starts, and running work has 30 s to
   * finish. Then the call rejects with a StoppedError of exit code 130. The same call continues.
   */
  readonly signal?: AbortSignal | undefined;
  /**
   * Variables for proxies (`HTTPS_PROXY` …) and the user's state folder (`XDG_STATE_HOME`).
   * Default: none. Options and secrets are never read from it.
   */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
}

const HOOKS: ReadonlySet<string> = new Set(["onProgress", "onWarning", "onNote", "signal", "environment"]);

/** What a run told on its way. */
export interface Told {
  /** All warnings, in their order. */
  readonly warnings: readonly string[];
  /** The items that failed, with stage, reason and remedy. */
  readonly failedItems: readonly Failure[];
}

/** What opens and encrypts the archives of a repository, besides files of `identity`. */
export interface ArchiveKeys {
  /** The passphrase of the archives. Default: none. */
  readonly passphrase?: string | undefined;
  /** The text of identities, as age-keygen writes it: `AGE-SECRET-KEY-1…`. Default: none. */
  readonly identityKey?: string | undefined;
}

/** A call of a command by a program. */
interface Operation<Result> {
  readonly name: keyof typeof OPTION_NAMES;
  readonly command: Omit<Command, "run"> & { run(call: CommandCall): Promise<Result> };
  /** Sites and paths, in the order of the command's arguments. */
  readonly places: readonly (Site | string)[];
  readonly sites: Readonly<Partial<Record<Side, Site | string | undefined>>>;
  /** Options and hooks, as the program gave them. */
  readonly given: RunHooks;
  /** What opens and encrypts archives. */
  readonly keys?: ArchiveKeys;
}

/** The JSON objects of one type that the run told, if they have these fields. */
type Events = <T extends object>(type: string, fields: readonly (keyof T & string)[]) => readonly T[];

/**
 * Runs a command as a function: options in place of words, functions in place of output. Reads
 * neither the environment nor a configuration file. Throws what the command throws.
 */
export async function operate<Result extends ResultEnd>(
  operation: Operation<Result>,
): Promise<{ readonly result: Result & Told; readonly events: Events }> {
  const { command, given, sites } = operation;
  const secrets = Object.values(sites).flatMap(secretsIn);
  const keys = Object.values(operation.keys ?? {}).flatMap(asSecret);
  const hidden: Redact[] = [createRedactor([...secrets, ...keys]).redact];
  const redact: Redact = (text) => hidden.reduce((safe, each) => each(safe), text);
  const ear = listen(given, redact);
  const stopped = stopBy(given.signal);
  const { settings, given: names } = await readSettings(flagsOf(operation), {}, process.cwd(), { findsFile: false });
  const limit = startTimeLimit(command, settings, (why) => ear.output.warn(why));
  try {
    stopped.stop.throwIfAborted();
    const result = await command.run({
      arguments: operation.places.map((place) =>
        typeof place === "string" ? place : parseLocation(place.url, settings).root,
      ),
      settings,
      options: command.options,
      given: names,
      credentials: (side) => credentialsOf(side, sites[side]),
      output: ear.output,
      stdin: () => Readable.from([]),
      stdout: new Writable({ write: (_chunk, _encoding, done) => done() }),
      environment: environmentOf(operation),
      version: VERSION,
      hide: (more) => hidden.push(more),
      redact,
      again: null,
      bandwidth: bandwidthOf(settings.maxBandwidth),
      stop: AbortSignal.any([stopped.stop, limit.stop]),
      abort: stopped.abort,
    });
    const failedItems = ear.events<Failure>("failure", ["stage", "key", "target", "reason", "remedy", "at"]);
    return { result: { ...plain(result, redact), warnings: ear.warnings, failedItems }, events: ear.events };
  } catch (error) {
    throw withoutSecrets(error instanceof StoppedError && stopped.stop.aborted ? stopped.stop.reason : error, redact);
  } finally {
    limit.close();
    stopped.close();
  }
}

// By its own name, since the file lies at another depth in src than in dist.
const { version: VERSION }: { readonly version: string } = createRequire(import.meta.url)("guideferry/package.json");

/** The options as the flags of a command line, whose schemas read texts and values. */
function flagsOf({ name: command, given }: Operation<unknown>): Readonly<Record<string, unknown>> {
  const known: readonly OptionName[] = OPTION_NAMES[command];
  const entries = Object.entries(given).filter(([name, value]) => !HOOKS.has(name) && value !== undefined);
  return Object.fromEntries(
    entries.map(([name, value]) => {
      const option = known.find((one) => one === name);
      if (option === undefined)
        throw new UsageError(`${command}: unknown option "${name}".${suggest(name, [...known, ...HOOKS])}`);
      return [OPTIONS[option].single ?? option, value instanceof Date ? value.toISOString() : value];
    }),
  );
}

/** Throws UsageError for the address of a site as a text, which has no sign-in. */
export function placeOf(place: Site | string): Site | string {
  if (typeof place !== "string" || !/^[a-z][a-z0-9+.-]*:\/\//i.test(place)) return place;
  throw new UsageError(`${place} is an address. Give a site as an object: { url: "${place}", token }`);
}

function credentialsOf(side: Side, site: Site | string | undefined): Credentials {
  if (site === undefined || typeof site === "string") return { kind: "none" };
  const [appId] = asSecret(site.appId);
  const [token] = asSecret(site.token);
  const [email] = asSecret(site.email);
  const [password] = asSecret(site.password);
  if (token !== undefined) return { kind: "token", token, scheme: site.auth ?? "api", appId };
  if (email !== undefined && password !== undefined) return { kind: "password", email, password, appId };
  if (email === undefined && password === undefined) return { kind: "none", appId };
  throw new UsageError(`${side}: a sign-in without a token needs both, email and password.`);
}

function secretsIn(site: Site | string | undefined): readonly Secret[] {
  if (site === undefined || typeof site === "string") return [];
  return [site.token, site.appId, site.email, site.password].flatMap(asSecret);
}

function asSecret(text: string | undefined): readonly Secret[] {
  return text === undefined || text === "" ? [] : [new Secret(text)];
}

/** Commands take the keys of archives from variables. */
function environmentOf({ given, keys = {} }: Operation<unknown>): Environment {
  const outside = Object.entries(given.environment ?? {}).filter(([name]) => !name.startsWith("GUIDEFERRY_"));
  return {
    ...Object.fromEntries(outside),
    [PASSPHRASE_VARIABLE]: keys.passphrase,
    [IDENTITY_KEY_VARIABLE]: keys.identityKey,
  };
}

interface Ear extends Pick<Told, "warnings"> {
  readonly output: Output;
  readonly events: Events;
}

/** Takes what a run tells, without secrets. Nothing is printed. */
function listen({ onProgress, onWarning, onNote }: RunHooks, redact: Redact): Ear {
  const warnings: string[] = [];
  const told = new Map<string, object[]>();
  return {
    warnings,
    events: <T extends object>(type: string, fields: readonly (keyof T & string)[]) =>
      (told.get(type) ?? []).filter((facts): facts is T => fields.every((field) => field in facts)),
    output: {
      say: ignore,
      table: ignore,
      request: ignore,
      watch: ignore,
      fail: ignore,
      stopped: ignore,
      close: ignore,
      event: (type, facts) => {
        if (type === "summary") return;
        told.set(type, [...(told.get(type) ?? []), plain(facts, redact)]);
      },
      note: (text) => onNote?.(redact(text)),
      warn: (text) => {
        warnings.push(redact(text));
        onWarning?.(redact(text));
      },
      progress: (event) => onProgress?.(event),
    },
  };
}

function ignore(): void {
  // A library prints nothing.
}

/** A value as `--json` prints it: plain, and without secrets. */
function plain<T extends object>(value: T, redact: Redact): T {
  const read: T = JSON.parse(redact(JSON.stringify(value)));
  return read;
}

function withoutSecrets(error: unknown, redact: Redact): unknown {
  if (error instanceof Error) error.message = redact(messageOf(error));
  return error;
}

interface StopBy {
  readonly stop: AbortSignal;
  readonly abort: AbortSignal;
  close(): void;
}

function stopBy(signal: AbortSignal | undefined): StopBy {
  const [stop, abort] = [new AbortController(), new AbortController()];
  let timer: NodeJS.Timeout | undefined;
  const end = (): void => {
    const words = "Stopped by the program. All results so far are kept. The same call continues the run.";
    const reason = new StoppedError(words, { exitCode: EXIT.interrupted, cause: signal?.reason });
    stop.abort(reason);
    timer = setTimeout(() => abort.abort(reason), FINISH_WITHIN);
  };
  if (signal?.aborted) end();
  else signal?.addEventListener("abort", end, { once: true });
  return {
    stop: stop.signal,
    abort: abort.signal,
    close: () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
    },
  };
}
