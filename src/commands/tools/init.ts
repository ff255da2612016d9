import { existsSync, statSync } from "node:fs";
import { access, constants, readFile } from "node:fs/promises";
import { dirname, isAbsolute, join, resolve } from "node:path";
import type { Readable, Writable } from "node:stream";
import { type CANCEL_SYMBOL, confirm, intro, isCancel, note, outro, select, text } from "@clack/prompts";
import { EXIT, type ExitCode, messageOf, StoppedError, UsageError } from "../../core/errors.js";
import { isObject, type JsonObject, parseJson } from "../../core/util/json.js";
import { createRedactor } from "../../service/http/secret.js";
import type { CommandCall } from "../command.js";
import { explainError } from "../exit-codes.js";
import { readFolder, readSite, refuseSameSite } from "../location.js";
import {
  CONFIG_FILES,
  type Config,
  configSchema,
  pathOfProfile,
  profileNameSchema,
  profileNamesIn,
} from "../options/config-file.js";
import type { Environment } from "../options/credential-names.js";
import { credentialKey, credentialVariable, SECRET_FORMS, type Side } from "../options/credential-names.js";
import { resolveVariables } from "../options/secrets.js";
import { readCredentials, readSecrets } from "../options/settings.js";
import { rateSchema } from "../options/values.js";
import { shellQuote } from "../output/words.js";
import { runCheck } from "./check.js";
import { configText, schemaFor, withProfileIn, writeConfig } from "./config-edit.js";

const NOTHING = "Nothing was written.";

export async function runInit(call: CommandCall): Promise<ExitCode> {
  const [named] = call.arguments;
  const file = resolve(named ?? CONFIG_FILES[0]);
  const terminal = terminalOf(call, file);
  refuseSecondFile(file, named);
  await refusePlace(file);
  if (!file.endsWith(".json"))
    throw new UsageError(
      `guideferry init writes JSON, and ${file} has another ending. Name a file that ends with .json.`,
    );
  try {
    intro("guideferry init", terminal);
    const place = await askPlace(call, terminal, file);
    const { profile } = place;
    const answers = await triedAnswers(call, terminal, { ...FIRST_ANSWERS, ...ownNames(profile), profile });
    const text = textOf(place, file, configOf(answers));
    note(text.trimEnd(), file, terminal);
    await agree(terminal, "Write this file?", true);
    await writeConfig(file, text, place.before !== null);
    printNextSteps(call, answers, named);
    return EXIT.ok;
  } catch (error) {
    if (!(error instanceof AbandonedError)) throw error;
    outro(NOTHING, terminal);
    return error.exitCode;
  }
}

interface PlaceInFile {
  /** The profile to write; null: the top level. */
  readonly profile: string | null;
  /** The text of the file, which keeps all of its keys; "": it is replaced; null: there is none. */
  readonly before: string | null;
}

/** Where the answers go. An existing file keeps what it has, unless the person replaces it. */
async function askPlace({ settings }: CommandCall, terminal: Terminal, file: string): Promise<PlaceInFile> {
  const named = settings.profile;
  const before = existsSync(file) ? await readFile(file, "utf8") : null;
  const content = before === null ? {} : parseJson(before);
  const taken = profileNamesIn(content);
  if (named !== null) asProfile(named, taken, file);
  if (before === null) return { profile: named, before };
  if (!isObject(content)) {
    if (named !== null)
      throw new UsageError(`${file} is not valid JSON, so no profile can be added. Correct it first.`);
    await agree(terminal, `${file} exists. Replace it at the end?`, false);
    return { profile: null, before: "" };
  }
  if (named !== null) return { profile: named, before };
  const next = await askChoice(terminal, `${file} exists.`, {
    initial: "add",
    choices: [
      { value: "add", label: "Add a profile to it", hint: "all other keys stay as they are" },
      { value: "replace", label: "Replace it at the end" },
      { value: "leave", label: "Quit; nothing is written" },
    ],
  });
  if (next === "leave") throw new AbandonedError("left by an answer", EXIT.stopped);
  if (next === "replace") return { profile: null, before: "" };
  const reads = (name: string): void => asProfile(name, taken, file);
  return { profile: await askText(terminal, "The name of the profile, such as acme", { initial: "", reads }), before };
}

/** Throws UsageError for a name that no profile can have, or that one has. */
function asProfile(name: string, taken: readonly string[], file: string): void {
  const read = profileNameSchema.safeParse(name);
  if (!read.success) throw new UsageError(`"${name}": ${read.error.issues.map(({ message }) => message).join(" ")}.`);
  if (taken.includes(name))
    throw new UsageError(`${file} has a profile "${name}". Choose another name, or edit the file.`);
}

/** A profile has its own variables: a token must not go to the site of another customer. */
function ownNames(profile: string | null): Partial<Answers> {
  if (profile === null) return {};
  const variable = (side: Side): string => `${profile.replaceAll(/[^a-z0-9]/g, "_")}_${side}_token`.toUpperCase();
  const signIn = (side: Side): SignIn => ({ by: "variable", variable: variable(side).replace(/^(?=\d)/, "_") });
  return { signIn: { source: signIn("source"), target: signIn("target") } };
}

function textOf({ profile, before }: PlaceInFile, file: string, config: JsonObject): string {
  if (profile === null) return configText({ ...schemaFor(file), ...config });
  if (before === null) return configText({ ...schemaFor(file), profiles: { [profile]: config } });
  return withProfileIn(before, profile, config);
}

/** A "no" ends the command with an error: a command after `&&` must not run without the file. */
async function agree(terminal: Terminal, question: string, initial: boolean): Promise<void> {
  if (!(await askYes(terminal, question, initial))) throw new AbandonedError("left by an answer", EXIT.stopped);
}

/** Checked before the first question, so that no answers are lost. Throws UsageError. */
async function refusePlace(file: string): Promise<void> {
  const folder = dirname(file);
  try {
    if (statSync(file, { throwIfNoEntry: false })?.isDirectory() === true) {
      throw new UsageError(`${file} is a folder. Name a file: guideferry init FILE`);
    }
    await access(folder, constants.W_OK | constants.X_OK);
  } catch (cause) {
    if (cause instanceof UsageError) throw cause;
    throw new UsageError(
      `No file can be written in ${folder}: ${messageOf(cause)}. Create the folder, or name another file: guideferry init FILE`,
      { cause, exitCode: EXIT.notFound },
    );
  }
}

function terminalOf({ stdin, stdout, settings }: CommandCall, file: string): Terminal {
  const input = stdin();
  if (isTerminal(input) && isTerminal(stdout) && !settings.json && !settings.quiet) {
    return { input, output: stdout as Writable };
  }
  throw new UsageError(
    `\`guideferry init\` asks questions and needs a terminal. Without one, write ${file} by hand, for example:\n` +
      '  { "source": "https://old.example", "target": "https://new.example", "sourceTokenVariable": "OLD_SITE_TOKEN" }\n' +
      "The file can contain every option of a command; `guideferry COMMAND --help` lists them. Then test a site with `guideferry check SITE`.",
  );
}

function isTerminal(stream: (Readable | NodeJS.WritableStream) & { readonly isTTY?: boolean }): boolean {
  return stream.isTTY === true;
}

/** Every command refuses two configuration files in one folder. */
function refuseSecondFile(file: string, named: string | undefined): void {
  const other = join(dirname(file), CONFIG_FILES[1]);
  if (named !== undefined || !existsSync(other)) return;
  throw new UsageError(
    `${other} exists, and a folder can have only one configuration. Remove it, or name another file: guideferry init FILE`,
  );
}

/** Asks until the sites pass the check, or the person accepts a failure. Throws AbandonedError. */
async function triedAnswers(call: CommandCall, terminal: Terminal, first: Answers): Promise<Answers> {
  let answers = first;
  for (let isAsked = true; ; ) {
    if (isAsked) answers = await askAll(terminal, call.environment, answers);
    const failed = await trySites(call, answers);
    if (failed === 0) return answers;
    const next = await askChoice(terminal, "Some checks failed. What to do is listed next to each of them.", {
      initial: "back",
      choices: [
        { value: "back", label: "Go back to the questions" },
        { value: "again", label: "Check once more", hint: "after you corrected it on the site" },
        { value: "keep", label: "Keep it anyway" },
        { value: "leave", label: "Quit; nothing is written" },
      ],
    });
    if (next === "keep") return answers;
    if (next === "leave") throw new AbandonedError("left by an answer", EXIT.stopped);
    isAsked = next === "back";
  }
}

function printNextSteps({ output, environment }: CommandCall, answers: Answers, named: string | undefined): void {
  const isSet = (name: string): boolean =>
    [name, ...SECRET_FORMS.map((form) => `${name}_${form}`)].some((one) => (environment[one] ?? "").trim() !== "");
  const missing = variablesOf(answers).filter((name) => !isSet(name));
  if (missing.length > 0) output.say(`Set ${missing.join(", ")} before the run. Never put a secret into a file.`);
  const disturbing = sidesOf(answers).flatMap((side) => disturbingVariables(side, answers).filter(isSet));
  if (disturbing.length > 0)
    output.warn(
      `Unset ${disturbing.join(", ")} before the run: a run would sign in with it instead of the chosen sign-in.`,
    );
  output.say("The file is written. Next:");
  for (const command of nextCommands(answers, named ?? null)) output.say(`  ${command}`);
}

/** A profile reads only the variables that it names. */
function disturbingVariables(side: Side, { profile, signIn }: Answers): readonly string[] {
  return profile !== null && signIn[side].by !== "nobody" ? [] : otherVariables(side, signIn[side]);
}

function variablesOf(answers: Answers): readonly string[] {
  return sidesOf(answers).flatMap((side) => signInVariables(side, answers.signIn[side]));
}

function sidesOf({ target }: Answers): readonly Side[] {
  return target === null ? ["source"] : ["source", "target"];
}

/** Checks each site; gives the number of failed sites. Throws StoppedError. */
async function trySites(call: CommandCall, answers: Answers): Promise<number> {
  const config = configSchema.parse(configOf(answers));
  // A file or a command may hold a value, as in a run.
  const environment = await resolveVariables(call.environment, [
    ...new Set(variablesOf(answers).filter((name) => (call.environment[name] ?? "").trim() === "")),
  ]);
  call.hide(createRedactor(readSecrets(environment, { path: null, config })).redact);
  let failed = 0;
  for (const [side, site] of sitesIn(answers)) {
    call.output.say(`\n${site}`);
    if (!(await passes({ ...call, environment, arguments: [site] }, side, answers, config))) failed += 1;
  }
  return failed;
}

async function passes(call: CommandCall, side: Side, answers: Answers, config: Config): Promise<boolean> {
  const others = new Set(disturbingVariables(side, answers));
  // Without them, since the person is asked to unset them at the end.
  const environment = Object.fromEntries(Object.entries(call.environment).filter(([name]) => !others.has(name)));
  const file = { path: null, config, ...(answers.profile === null ? {} : { profile: answers.profile }) };
  try {
    const exitCode = await runCheck({
      ...call,
      settings: { ...call.settings, ...config, profile: answers.profile, signInAs: side },
      credentials: (of) => readCredentials(of, of === side ? environment : call.environment, file),
    });
    return exitCode === EXIT.ok;
  } catch (error) {
    if (error instanceof StoppedError || call.stop.aborted) throw error;
    call.output.warn(explainError(error, false).text);
    return false;
  }
}

/** The names of the variables of the chosen sign-in. */
export function signInVariables(side: Side, signIn: SignIn): readonly string[] {
  if (signIn.by === "variable") return [signIn.variable];
  if (signIn.by === "nobody") return [];
  const names = signIn.by === "token" ? (["token"] as const) : (["email", "password"] as const);
  return names.map((name) => credentialVariable(side, name));
}

/**
 * The variables with priority over the chosen sign-in: a token over e-mail and password, and any of
 * them over no sign-in.
 */
export function otherVariables(side: Side, signIn: SignIn): readonly string[] {
  const own = signInVariables(side, signIn);
  const before = signIn.by === "nobody" ? (["token", "email", "password"] as const) : (["token"] as const);
  return before.map((name) => credentialVariable(side, name)).filter((variable) => !own.includes(variable));
}

const PURPOSES: readonly Choice<Purpose>[] = [
  { value: "migrate", label: "Migrate content from one site to another" },
  { value: "backup", label: "Back up a site" },
];

const FIRST_ANSWERS: Answers = {
  profile: null,
  purpose: "migrate",
  source: "",
  target: null,
  signIn: { source: { by: "token" }, target: { by: "token" } },
  rate: "",
  includePrivate: true,
  folder: "",
};

async function askAll(terminal: Terminal, environment: Environment, before: Answers): Promise<Answers> {
  const purpose = await askChoice(terminal, "What do you want to do?", { initial: before.purpose, choices: PURPOSES });
  const isBackup = purpose === "backup";
  const where = isBackup ? "Which site?" : "From which site?";
  const source = await askText(terminal, `${where} Its address, https://…`, { initial: before.source, reads: asSite });
  const sourceSignIn = await askSignIn(terminal, environment, "source", before.signIn.source);
  const target = isBackup ? null : await askTarget(terminal, source, before.target ?? "");
  const signIn = {
    source: sourceSignIn,
    target: isBackup ? before.signIn.target : await askSignIn(terminal, environment, "target", before.signIn.target),
  };
  const includePrivate = sourceSignIn.by !== "nobody" && (await askPrivate(terminal, before));
  const rate = await askText(
    terminal,
    "How many requests per second at most? For example 5/s or 300/min. Empty: 10/s, as sites recommend",
    {
      initial: before.rate,
      reads: asRate,
    },
  );
  const folder = await askFolder(terminal, purpose, before);
  return { profile: before.profile, purpose, source, target, signIn, includePrivate, rate, folder };
}

/** Only with a sign-in: only an admin sees private guides. */
function askPrivate(terminal: Terminal, before: Answers): Promise<boolean> {
  const question = "Include private guides? Only an admin account can read them.";
  return askYes(terminal, question, before.includePrivate);
}

function askTarget(terminal: Terminal, source: string, initial: string): Promise<string> {
  return askText(terminal, "To which site? Its address, https://…", {
    initial,
    reads: (text) => refuseSameSite(asSite(source), asSite(text)),
  });
}

function askFolder(terminal: Terminal, purpose: Purpose, before: Answers): Promise<string> {
  const ofAll = purpose === "backup" ? "./backups" : "./guideferry-workspace";
  const usual = before.profile === null ? ofAll : pathOfProfile(ofAll, before.profile);
  const initial = before.purpose === purpose && before.folder !== "" ? before.folder : usual;
  const question =
    purpose === "backup"
      ? "Which folder for the archives?"
      : "Which folder for the workspace (extracted items, ledger and reports)?";
  return askText(terminal, `${question} It is created if it does not exist`, { initial, reads: asFolder });
}

/** Asks for the sign-in; shows which variables are set, never their values. */
async function askSignIn(terminal: Terminal, environment: Environment, side: Side, before: SignIn): Promise<SignIn> {
  const named = (name: Parameters<typeof credentialVariable>[1]): string => credentialVariable(side, name);
  const isSet = (...variables: readonly string[]): string =>
    variables.every((variable) => (environment[variable] ?? "").trim() !== "") ? "is set" : "not set yet";
  const [token, email, password] = [named("token"), named("email"), named("password")];
  const by = await askChoice(terminal, "How do you sign in to this site?", {
    initial: before.by,
    choices: [
      { value: "token", label: `with a token in ${token}`, hint: isSet(token) },
      { value: "password", label: `with ${email} and ${password}`, hint: isSet(email, password) },
      { value: "variable", label: "with a token in another environment variable" },
      { value: "nobody", label: "without a sign-in: only public content" },
    ],
  });
  if (by !== "variable") return { by };
  const variable = await askText(terminal, "The name of the variable (not the token itself)", {
    initial: before.by === "variable" ? before.variable : "",
    reads: asVariable,
  });
  return { by, variable };
}

function asSite(text: string): string {
  return readSite(text, false);
}

function asRate(text: string): void {
  const read = rateSchema.safeParse(text);
  if (text !== "" && !read.success) throw new Error(read.error.issues.map(({ message }) => message).join(" "));
}

function asFolder(text: string): void {
  if (text === "") throw new Error("expected a folder");
  readFolder(isAbsolute(text) ? text : resolve(text));
}

/** In capitals, so that a token pasted by mistake is not taken for a name and written. */
function asVariable(text: string): void {
  if (!/^[A-Z_][A-Z0-9_]{0,63}$/.test(text)) throw new Error("expected a name in capitals such as OLD_SITE_TOKEN");
}

type Purpose = "migrate" | "backup";

/** The sign-in of a site: guideferry's variables, a token in another variable, or none. */
type SignIn = { readonly by: "token" | "password" | "nobody" } | { readonly by: "variable"; readonly variable: string };

interface Answers {
  /** The profile that they are of; null: the top level. */
  readonly profile: string | null;
  readonly purpose: Purpose;
  readonly source: string;
  /** null: none is needed. */
  readonly target: string | null;
  readonly signIn: Readonly<Record<Side, SignIn>>;
  /** Requests a second to each site, as typed; "": the default. */
  readonly rate: string;
  readonly includePrivate: boolean;
  /** The workspace of a migration, the repository of a backup. */
  readonly folder: string;
}

function configOf({ purpose, source, target, signIn, rate, includePrivate, folder }: Answers): JsonObject {
  const isBackup = purpose === "backup";
  return {
    source,
    ...(target === null ? {} : { target }),
    ...variablesIn("source", signIn.source),
    ...(target === null ? {} : variablesIn("target", signIn.target)),
    ...(isBackup ? { repository: folder } : { workspace: folder }),
    ...(rate === "" ? {} : { rate }),
    ...(includePrivate ? {} : isBackup ? { publicOnly: true } : { includePrivate: false }),
  };
}

/** The keys of a sign-in: without its variable, a run fails rather than reads as nobody. */
function variablesIn(side: Side, signIn: SignIn): Readonly<Record<string, string>> {
  const names = signIn.by === "password" ? (["email", "password"] as const) : (["token"] as const);
  const variables = signInVariables(side, signIn);
  return Object.fromEntries(variables.map((variable, at) => [credentialKey(side, names[at] ?? "token"), variable]));
}

function sitesIn({ source, target }: Answers): readonly (readonly [Side, string])[] {
  return [["source", source], ...(target === null ? [] : [["target", target] as const])];
}

/** The next commands; `file` null: guideferry finds the configuration. */
function nextCommands({ purpose, profile }: Answers, file: string | null): readonly string[] {
  const flags = [...(file === null ? [] : ["--config", file]), ...(profile === null ? [] : ["--profile", profile])];
  const line = (name: string): string => shellQuote(["guideferry", name, ...flags]);
  return purpose === "backup" ? [line("backup")] : [line("plan"), line("migrate")];
}

interface Terminal {
  readonly input: Readable;
  readonly output: Writable;
}

/** The person quit, with Ctrl-C at a question or with an answer. */
class AbandonedError extends Error {
  readonly exitCode: ExitCode;

  constructor(message: string, exitCode: ExitCode) {
    super(message);
    this.exitCode = exitCode;
  }
}

interface Choice<T extends string> {
  readonly value: T;
  readonly label: string;
  readonly hint?: string;
}

/** Asks for a text, again while `reads` throws, and shows the message. Throws AbandonedError. */
async function askText(
  terminal: Terminal,
  message: string,
  { initial, reads }: { readonly initial: string; readonly reads: (text: string) => unknown },
): Promise<string> {
  const validate = (given: string | undefined): string | undefined => {
    try {
      reads((given ?? "").trim());
      return undefined;
    } catch (error) {
      return messageOf(error);
    }
  };
  return answered<string>(await text({ message, initialValue: initial, validate, ...terminal })).trim();
}

async function askChoice<T extends string>(
  terminal: Terminal,
  message: string,
  { initial, choices }: { readonly initial: T; readonly choices: readonly Choice<T>[] },
): Promise<T> {
  const chosen = answered<string>(
    await select<string>({ message, initialValue: initial, options: [...choices], ...terminal }),
  );
  return choices.find(({ value }) => value === chosen)?.value ?? initial;
}

async function askYes(terminal: Terminal, message: string, initial: boolean): Promise<boolean> {
  return answered<boolean>(await confirm({ message, initialValue: initial, ...terminal }));
}

function answered<T extends string | boolean>(given: T | typeof CANCEL_SYMBOL): T {
  if (isCancel(given)) throw new AbandonedError("left by Ctrl-C", EXIT.interrupted);
  return given;
}
