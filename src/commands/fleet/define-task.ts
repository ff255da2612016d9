import { UsageError } from "../../core/errors.js";
import { checkTimeZone, readCron } from "../../fleet/cron.js";
import type { TaskDefinition } from "../../fleet/tasks.js";
import { isStorageAddress } from "../../storage/repository/files/open-storage.js";
import type { FleetVerb } from "../command.js";
import { isAddress, readSite, refuseSameSite } from "../location.js";
import {
  credentialVariable,
  KEY_VARIABLES,
  NOTIFY_VARIABLE,
  SIDES,
  type Side,
  secretVariables,
} from "../options/credential-names.js";
import { flagOf, isNegative } from "../options/option.js";
import { OPTIONS, type OptionName } from "../options/table.js";
import { suggest } from "../options/values.js";
import { REFERENCE } from "../program.js";

/** A task as a person describes it. */
export interface TaskRequest {
  readonly verb: string;
  readonly places: readonly string[];
  /** Texts of flags, or values of a file: the table of options checks both. */
  readonly options: Readonly<Record<string, unknown>>;
  /** References by variable. */
  readonly credentials: Readonly<Record<string, string>>;
  readonly store: string | null;
  readonly name: string | null;
  readonly tenant: string;
  readonly priority: number;
  readonly cron: string | null;
  readonly timeZone: string | null;
  readonly managed: boolean;
}

/**
 * The task of a request, with the command line that a worker runs. Throws UsageError for what the
 * command itself would refuse, so that it is refused now and not at night.
 */
export function defineTask(request: TaskRequest, verbs: ReadonlyMap<string, FleetVerb>): TaskDefinition {
  const verb = verbs.get(request.verb);
  if (verb === undefined) {
    throw new UsageError(
      `A fleet cannot run the command ${request.verb}.${suggest(request.verb, [...verbs.keys()])} It runs: ${[...verbs.keys()].join(", ")}.`,
    );
  }
  const { command } = verb;
  // What is wrong in itself comes before what another setting lacks.
  checkTimes(request);
  checkCredentials(request, command.signsIn);
  const flags = checkOptions(request, verb);
  const insecureHttp = flags.some(([name, value]) => name === "insecureHttp" && value !== false);
  const places = readPlaces(request, verb, insecureHttp);
  if (request.verb === "backup" && !flags.some(([name]) => name === "repository")) {
    const site = places[0]?.address ?? "";
    flags.push(["repository", repositoryOf(site, request.store)]);
  }
  const repositories = flags.flatMap(([name, value]) => (name === "repository" ? [String(value)] : []));
  const [source = null, target = null] = displayed(verb, places);
  const { name, tenant, credentials, priority, cron, timeZone, managed } = request;
  return {
    name,
    tenant,
    verb: request.verb,
    source,
    target,
    words: [
      request.verb,
      ...places.map(({ word }) => word),
      ...flags.flatMap(([option, value]) => wordsOf(option, value)),
    ],
    exclusive: [
      ...new Set([
        ...places.flatMap(({ address }) => (address === null ? [] : [address])),
        ...repositories.map(normal),
      ]),
    ],
    credentials,
    priority,
    cron,
    timeZone: cron === null ? null : (timeZone ?? "UTC"),
    managed,
  };
}

function checkTimes({ cron, timeZone }: TaskRequest): void {
  if (cron !== null) {
    readCron(cron);
    checkTimeZone(timeZone ?? "UTC");
  } else if (timeZone !== null) {
    throw new UsageError(
      "A time zone (--tz) is of a schedule: guideferry fleet schedule COMMAND PLACE --cron TIMES --tz ZONE",
    );
  }
}

interface ReadPlace {
  /** On the command line of the worker. */
  readonly word: string;
  /** What no other run may use meanwhile; null: anybody may. */
  readonly address: string | null;
}

function readPlaces(
  { verb, places, store }: TaskRequest,
  { command, places: kinds }: FleetVerb,
  insecureHttp: boolean,
): readonly ReadPlace[] {
  const many = kinds[0] === "package";
  if (places.length < kinds.length || (!many && places.length > kinds.length)) {
    const names = command.arguments.map((one) => one.name).slice(0, kinds.length);
    throw new UsageError(`The command ${verb} takes ${names.join(" and ")}, and ${places.length} were given.`);
  }
  const read = places.map((text, index): ReadPlace => {
    const kind = many ? (index === places.length - 1 ? "site" : "package") : kinds[index];
    if (kind === "package") return { word: text, address: null };
    if (kind === "site") return { word: text, address: readSite(text, insecureHttp) };
    const place = isAddress(text) ? repositoryOf(readSite(text, insecureHttp), store) : text;
    if (!isStorageAddress(place) && !place.startsWith("/")) {
      throw new UsageError(
        `${place} is a folder below the working directory of a worker, and each machine has another one. Give s3://bucket/prefix, the address of a site (its backups in --store), or an absolute path that all machines share.`,
      );
    }
    return { word: place, address: normal(place) };
  });
  const [first, second] = read;
  if (verb === "migrate") refuseSameSite(first?.address ?? "", second?.address ?? "");
  return read;
}

/** The repository of a site's backups: `s3://bucket/prefix/backups/a.example`. */
function repositoryOf(site: string, store: string | null): string {
  if (store === null) {
    throw new UsageError(
      "Where are the backups? Name a repository (--to s3://bucket/prefix), or the object storage of the fleet in GUIDEFERRY_STORE.",
    );
  }
  return `${normal(store)}/backups/${new URL(site).host.replace(":", "-")}`;
}

function normal(place: string): string {
  return place.replace(/\/+$/, "");
}

function displayed({ places: kinds }: FleetVerb, places: readonly ReadPlace[]): readonly (string | null)[] {
  const short = places.map(({ address }) => address?.replace(/\/api\/2\.0$/, "") ?? null);
  return kinds[0] === "package" ? [null, short.at(-1) ?? null] : short;
}

/** The options of the command, in the order of the table. */
function checkOptions({ verb, options }: TaskRequest, { command }: FleetVerb): [OptionName, unknown][] {
  const known: readonly string[] = command.options;
  const flagNames = new Map(
    command.options.map((name) => [OPTIONS[name].single ?? OPTIONS[name].flag ?? name, name] as const),
  );
  const given = new Map<OptionName, unknown>();
  for (const [key, value] of Object.entries(options)) {
    const name = command.options.find((one) => one === key) ?? flagNames.get(key);
    if (name === undefined) {
      throw new UsageError(
        `The command ${verb} in a fleet has no option ${key}.${suggest(key, known)} guideferry ${verb} --help --all lists the options.`,
      );
    }
    const { schema } = OPTIONS[name];
    const parsed = schema.safeParse(value);
    if (!parsed.success) {
      const reason = parsed.error.issues.map(({ message }) => message).join("; ");
      throw new UsageError(`${flagOf(name, OPTIONS[name])} is ${JSON.stringify(value)}, ${reason}.`);
    }
    given.set(name, value);
  }
  return command.options.filter((name) => given.has(name)).map((name) => [name, given.get(name)]);
}

function wordsOf(name: OptionName, value: unknown): readonly string[] {
  const row = OPTIONS[name];
  const flag = flagOf(name, row);
  if (row.value === undefined) {
    const isOn = value === true || value === "true" || value === "1";
    if (isOn !== isNegative(row)) return [flag];
    return [isNegative(row) ? flag.replace("--no-", "--") : flag.replace("--", "--no-")];
  }
  const texts = textsOf(value);
  return row.single === undefined ? [`${flag}=${texts.join(",")}`] : texts.map((text) => `${flag}=${text}`);
}

function textsOf(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.map(String);
  if (typeof value === "object" && value !== null)
    return Object.entries(value).map(([key, one]) => `${key}=${String(one)}`);
  return [String(value)];
}

const SECRETS: readonly string[] = [...secretVariables(SIDES), ...KEY_VARIABLES, NOTIFY_VARIABLE];

/** Throws UsageError, which never repeats what may be the secret itself. */
function checkCredentials({ verb, credentials }: TaskRequest, signsIn: readonly Side[]): void {
  for (const [variable, reference] of Object.entries(credentials)) {
    if (!SECRETS.includes(variable)) {
      throw new UsageError(
        `${variable} is no variable of a secret.${suggest(variable, SECRETS)} The reference configuration lists them: docs/reference/configuration.md.`,
      );
    }
    if (!REFERENCE.test(reference)) {
      throw new UsageError(
        `${variable} needs a reference: env:NAME (a variable of the worker), file:PATH or command:LINE. If you gave the secret itself, nothing stored it, but replace it: others may have read it.`,
      );
    }
    const side = SIDES.find((one) => secretVariables([one]).includes(variable));
    if (side !== undefined && !signsIn.includes(side)) {
      throw new UsageError(
        `The command ${verb} signs in to no ${side}. ${signsIn.length === 0 ? "It contacts no site." : `Its sign-in is that of the ${signsIn.join(" or ")}.`}`,
      );
    }
  }
}

/** `{ source: "env:A" }` of two flags and `VARIABLE=REFERENCE` texts as references by variable. */
export function readCredentialFlags(
  tokens: Readonly<Record<Side, string | null>>,
  others: readonly string[],
): Readonly<Record<string, string>> {
  const ofTokens = SIDES.flatMap((side): readonly (readonly [string, string])[] => {
    const reference = tokens[side];
    return reference === null ? [] : [[credentialVariable(side, "token"), reference]];
  });
  const ofOthers = others.map((text): readonly [string, string] => {
    const at = text.indexOf("=");
    if (at > 0) return [text.slice(0, at), text.slice(at + 1)];
    throw new UsageError(
      "--credential needs VARIABLE=REFERENCE, such as GUIDEFERRY_SOURCE_PASSWORD=file:/run/secrets/a. The value was not used.",
    );
  });
  return Object.fromEntries([...ofTokens, ...ofOthers]);
}
