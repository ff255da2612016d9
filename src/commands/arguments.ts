import { existsSync } from "node:fs";
import { join, relative } from "node:path";
import { UsageError } from "../core/errors.js";
import { namesPackage } from "../documents/package-name.js";
import type { Command, CommandArgument } from "./command.js";
import { isAddress, LIKE_A_HOST } from "./location.js";
import type { ConfigFile } from "./options/config-file.js";
import { type Environment, SIDES, type Side } from "./options/credential-names.js";
import { variableOf } from "./options/option.js";
import { OPTIONS, type OptionName, type Settings } from "./options/table.js";
import { shellQuote } from "./output/words.js";

/** The arguments of a command line, and what fills them. */
export interface Given {
  readonly words: readonly string[];
  readonly settings: Settings;
  readonly given: ReadonlySet<OptionName>;
  readonly file: ConfigFile;
  readonly environment: Environment;
  readonly directory: string;
}

export interface Filled {
  readonly arguments: readonly string[];
  /** Whose site an argument is, where the configuration gave it; absent: nobody knows. */
  readonly sides?: readonly Side[];
  /** What is used that is not on the command line, as one line; null: nothing. */
  readonly note: string | null;
}

/**
 * The arguments of a command, with those that are not on the command line from the configuration.
 * Throws UsageError for a missing argument, and for words that can mean several arguments.
 */
export function fillArguments(command: Command, given: Given): Filled {
  const { words } = given;
  const all = command.arguments;
  if (!all.some(({ from }) => from !== undefined)) return { arguments: words, note: profileNote(given, []) };
  const places = placesOf(command, given);
  const ways = waysOf(all, words, (argument) => placeFor(argument, places, given) !== undefined);
  if (ways.length > 1) throw severalMeanings(command, words, given);
  const [way] = ways;
  // Where no argument is missing, the command reports which of the words it does not take.
  if (way === undefined && words.length >= all.filter(({ optional }) => !optional).length)
    return { arguments: words, note: profileNote(given, []) };
  if (way === undefined) throw missing(command, places, given);
  const used: Place[] = [];
  const filled = way.map((at, index): readonly string[] => {
    if (at.length > 0) return at;
    const argument = all[index];
    // A word on the command line says what is meant: an optional argument is then left out.
    if (argument === undefined || (argument.optional && words.length > 0)) return [];
    const place = placeFor(argument, places, given);
    if (place === undefined) return [];
    used.push(...place);
    return place.map(({ value }) => value);
  });
  const sides = used.flatMap(({ key }) => SIDES.filter((side) => side === key));
  return {
    arguments: filled.flat(),
    ...(all[0]?.from === "site" && sides.length > 0 ? { sides } : {}),
    note: profileNote(given, used, command.options.includes("workspace")),
  };
}

type ConfigKey = "source" | "target" | "workspace" | "repository";

interface Place {
  readonly key: ConfigKey;
  readonly value: string;
  /** `guideferry.config.json`, `GUIDEFERRY_REPOSITORY`. */
  readonly origin: string;
}

/** What each kind of argument is filled with; `site`: the sites of a command for one site. */
type Places = Readonly<Partial<Record<NonNullable<CommandArgument["from"]>, readonly Place[]>>>;

function placesOf({ name }: Command, given: Given): Places {
  const { settings, file } = given;
  const source = siteOf("source", given);
  const target = siteOf("target", given);
  const repository = folderOf("repository", given);
  const workspace = folderOf("workspace", given) ?? usualWorkspace(given);
  const sites = [source, target].filter((site) => site !== undefined);
  const { signInAs } = settings;
  const chosen = signInAs === null ? sites : sites.filter(({ key }) => key === signInAs);
  const isOne = chosen.length === 1 || (name === "check" && !settings.probeWrite);
  return {
    ...one("source", source),
    ...one("target", target),
    ...one("workspace", workspace),
    ...one("repository", repository),
    // A configuration of backups has no target: what can be verified is the repository.
    ...one("compared", target === undefined && file.path !== null ? (repository ?? source) : source),
    ...one("content", repository ?? workspace),
    ...(chosen.length > 0 && isOne && !settings.write ? { site: chosen } : {}),
  };
}

function one(kind: string, place: Place | undefined): Readonly<Record<string, readonly Place[]>> {
  return place === undefined ? {} : { [kind]: [place] };
}

function siteOf(key: Side, { file, directory }: Given): Place | undefined {
  const value = file.config[key];
  return value === undefined ? undefined : { key, value, origin: fileName(file, directory) };
}

function folderOf(key: "workspace" | "repository", { settings, given, ...rest }: Given): Place | undefined {
  const { environment, file, directory } = rest;
  const value = settings[key];
  if (value === null || !given.has(key)) return undefined;
  const variable = variableOf(key, OPTIONS[key]);
  return { key, value, origin: environment[variable] ? variable : fileName(file, directory) };
}

/** Only if it exists: a name that nobody gave would make the error hard to understand. */
function usualWorkspace({ settings, file, directory }: Given): Place | undefined {
  const value = settings.workspace;
  if (existsSync(join(directory, value))) {
    return { key: "workspace", value, origin: file.profile === undefined ? "the default" : fileName(file, directory) };
  }
  const ofBackups = settings.repository === null ? undefined : join(settings.repository, "workspace");
  if (ofBackups === undefined || !existsSync(join(directory, ofBackups))) return undefined;
  return { key: "workspace", value: ofBackups, origin: "the repository of backups" };
}

function fileName({ path }: ConfigFile, directory: string): string {
  const way = path === null ? "" : relative(directory, path);
  return way.startsWith("..") ? (path ?? "") : way;
}

function placeFor({ from, onlyDryRun }: CommandArgument, places: Places, { settings }: Given) {
  return from === undefined || (onlyDryRun && !settings.dryRun) ? undefined : places[from];
}

/**
 * Each way to give the words to the arguments, in their order; the arguments without a word are
 * optional or can be filled.
 */
function waysOf(
  all: readonly CommandArgument[],
  words: readonly string[],
  canFill: (argument: CommandArgument) => boolean,
): readonly (readonly (readonly string[])[])[] {
  const [argument, ...others] = all;
  if (argument === undefined) return words.length === 0 ? [[]] : [];
  const rest = (taken: number) =>
    waysOf(others, words.slice(taken), canFill).map((way) => [words.slice(0, taken), ...way]);
  if (argument.many) return manyWays(others, words, canFill);
  const [word] = words;
  return [
    ...(word !== undefined && fits(argument, word) ? rest(1) : []),
    ...(argument.optional || canFill(argument) ? rest(0) : []),
  ];
}

/** Packages, and a site behind them unless the configuration gives it. */
function manyWays(
  [last]: readonly CommandArgument[],
  words: readonly string[],
  canFill: (argument: CommandArgument) => boolean,
): readonly (readonly (readonly string[])[])[] {
  if (words.length === 0) return [];
  if (last === undefined) return [[words]];
  const isOnlyPackages = words.length === 1 || existsSync(words.at(-1) ?? "");
  if (isOnlyPackages && canFill(last)) return [[words, []]];
  return words.length === 1 ? [] : [[words.slice(0, -1), words.slice(-1)]];
}

/** Can this word be the argument? Only a site can have a scheme, only a folder a separator. */
function fits({ from, name }: CommandArgument, word: string): boolean {
  const isSite = isAddress(word) || (!existsSync(word) && LIKE_A_HOST.test(word) && !namesPackage(word));
  if (from === "workspace" || from === "repository" || from === "content")
    return !isAddress(word) && (from !== "workspace" || !namesPackage(word));
  if (from === "target") return isSite || namesPackage(word);
  return name === "SITE" && from === undefined ? isSite : true;
}

function severalMeanings({ name, arguments: all }: Command, words: readonly string[], given: Given): UsageError {
  const named = fileName(given.file, given.directory);
  const names = all.map((one) => one.name).join(" ");
  return new UsageError(
    `${words.join(" ")} can be more than one of ${all.map((one) => one.name).join(", ")}, since ${named} gives the others. ` +
      `Name all of them, or none: guideferry ${name} ${names}`,
  );
}

function missing(command: Command, places: Places, given: Given): UsageError {
  const { words, file, directory, settings } = given;
  const { name, arguments: all } = command;
  const lacking = all.filter((one) => !one.optional && placeFor(one, places, given) === undefined).slice(words.length);
  const first = lacking[0] ?? all[words.length] ?? all[0];
  const argument = first?.name ?? "";
  const named = file.path === null ? "guideferry.config.json" : fileName(file, directory);
  if (first?.onlyDryRun && !settings.dryRun) {
    const example = all.flatMap((one, index) => words[index] ?? (one.from && places[one.from]?.[0]?.value) ?? one.name);
    const choice = file.profile === undefined ? [] : ["--profile", file.profile];
    return new UsageError(
      `Missing required argument '${argument}'. ${name} changes or deletes what is there, so the command line has to name it. ` +
        `For example:\n  ${shellQuote(["guideferry", name, ...example, ...choice])}\n` +
        `With --dry-run, ${named} may give it.`,
    );
  }
  const key = first?.from === undefined ? undefined : KEYS[first.from];
  const ways = key === undefined ? "" : ` Name it on the command line, or set ${key} in ${named}.`;
  return new UsageError(
    `Missing required argument '${argument}'.${ways} guideferry ${name} --help lists what you can use.`,
  );
}

/** The keys that fill an argument, as an error names them. */
const KEYS: Readonly<Record<NonNullable<CommandArgument["from"]>, string>> = {
  source: '"source"',
  target: '"target"',
  workspace: '"workspace"',
  repository: '"repository"',
  compared: '"source" and "target", or "repository",',
  content: '"repository" or "workspace"',
  site: '"source" or "target" (with both, choose one with --as source or --as target)',
};

function profileNote(
  { file, directory, settings }: Given,
  used: readonly Place[],
  hasWorkspace = false,
): string | null {
  const shown = new Map<string, string[]>();
  for (const { key, value, origin } of used) shown.set(origin, [...(shown.get(origin) ?? []), `${key} ${value}`]);
  const name = fileName(file, directory);
  if (file.profile !== undefined) {
    const isShown = used.some(({ key }) => key === "workspace");
    const folder = hasWorkspace && !isShown ? [`workspace ${settings.workspace}`] : [];
    shown.set(name, [`profile ${file.profile}`, ...(shown.get(name) ?? []), ...folder]);
  }
  if (shown.size === 0) return null;
  const parts = [...shown].map(([origin, what]) =>
    origin.startsWith("the ") ? `${what.join(", ")} (${origin})` : `${what.join(", ")} from ${origin}`,
  );
  return `Using ${parts.join("; ")}.`;
}
