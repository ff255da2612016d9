import { isAbsolute, resolve } from "node:path";
import type { Readable, Writable } from "node:stream";
import { type CANCEL_SYMBOL, confirm, isCancel, select, text } from "@clack/prompts";
import { EXIT, type ExitCode, messageOf } from "../../core/errors.js";
import { readFolder, readSite, refuseSameSite } from "../location.js";
import { credentialKey, credentialVariable, type Side } from "../options/credential-names.js";
import type { Environment } from "../options/settings.js";
import { rateSchema } from "../options/values.js";
import { shellQuote } from "../output/words.js";

const PURPOSES: readonly Choice<Purpose>[] = [
  { value: "migrate", label: "Move content from one site to another" },
  { value: "backup", label: "Back up a site" },
];

/** What stands in the fields at first. */
export const FIRST_ANSWERS: Answers = {
  purpose: "migrate",
  source: "",
  target: null,
  signIn: { source: { by: "token" }, target: { by: "token" } },
  rate: "",
  includePrivate: true,
  folder: "",
};

/** Asks everything, with what was answered before in the fields. Throws LeftError. */
export async function askAll(terminal: Terminal, environment: Environment, before: Answers): Promise<Answers> {
  const purpose = await askChoice(terminal, "What is to be done?", { initial: before.purpose, choices: PURPOSES });
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
    "How many requests a second at most? 5/s, 300/min; empty: 10/s, as sites ask for",
    {
      initial: before.rate,
      reads: asRate,
    },
  );
  return { purpose, source, target, signIn, includePrivate, rate, folder: await askFolder(terminal, purpose, before) };
}

/** Not of who signs in nowhere: nobody else than an admin sees them. */
function askPrivate(terminal: Terminal, before: Answers): Promise<boolean> {
  const question = "Take private guides too? They come only where your account is an admin.";
  return askYes(terminal, question, before.includePrivate);
}

function askTarget(terminal: Terminal, source: string, initial: string): Promise<string> {
  return askText(terminal, "To which site? Its address, https://…", {
    initial,
    reads: (text) => refuseSameSite(asSite(source), asSite(text)),
  });
}

function askFolder(terminal: Terminal, purpose: Purpose, before: Answers): Promise<string> {
  const usual = purpose === "backup" ? "./backups" : "./guideferry-workspace";
  const initial = before.purpose === purpose && before.folder !== "" ? before.folder : usual;
  const question =
    purpose === "backup"
      ? "Which folder for the archives?"
      : "Which folder for what is read, and for the log of what was done?";
  return askText(terminal, `${question} Made when it is not there`, { initial, reads: asFolder });
}

/**
 * Says which variables a sign-in is read from, and whether they are set; what stands in them is
 * nobody's business here.
 */
async function askSignIn(terminal: Terminal, environment: Environment, side: Side, before: SignIn): Promise<SignIn> {
  const named = (name: Parameters<typeof credentialVariable>[1]): string => credentialVariable(side, name);
  const isSet = (...variables: readonly string[]): string =>
    variables.every((variable) => (environment[variable] ?? "").trim() !== "") ? "is set" : "not set yet";
  const [token, email, password] = [named("token"), named("email"), named("password")];
  const by = await askChoice(terminal, "How do you sign in there?", {
    initial: before.by,
    choices: [
      { value: "token", label: `by a token in ${token}`, hint: isSet(token) },
      { value: "password", label: `by ${email} and ${password}`, hint: isSet(email, password) },
      { value: "variable", label: "by a token in another environment variable" },
      { value: "nobody", label: "not at all: what everybody may see" },
    ],
  });
  if (by !== "variable") return { by };
  const variable = await askText(terminal, "The variable's name, never the token itself", {
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

/**
 * In capitals, so that a token that is pasted here by mistake is not taken for a name, and never
 * written.
 */
function asVariable(text: string): void {
  if (!/^[A-Z_][A-Z0-9_]{0,63}$/.test(text)) throw new Error("expected a name in capitals such as OLD_SITE_TOKEN");
}

type Purpose = "migrate" | "backup";

/**
 * How somebody signs in at a site: by the variables that guideferry reads, by a token in one of
 * their own, or not at all.
 */
export type SignIn =
  | { readonly by: "token" | "password" | "nobody" }
  | { readonly by: "variable"; readonly variable: string };

/** What was asked. */
export interface Answers {
  readonly purpose: Purpose;
  /** Addresses. */
  readonly source: string;
  /** null: none is needed. */
  readonly target: string | null;
  readonly signIn: Readonly<Record<Side, SignIn>>;
  /** Requests a second to each site, as it was typed; "": as guideferry has it. */
  readonly rate: string;
  readonly includePrivate: boolean;
  /** The workspace of a migration, the repository of a backup. */
  readonly folder: string;
}

/**
 * The configuration that says what was answered. It has no address: those stand on the command
 * line.
 */
export function configOf({
  purpose,
  signIn,
  rate,
  includePrivate,
  folder,
}: Answers): Readonly<Record<string, unknown>> {
  const isBackup = purpose === "backup";
  return {
    ...(isBackup ? { repository: folder } : { workspace: folder }),
    ...(rate === "" ? {} : { rate }),
    ...(includePrivate ? {} : isBackup ? { publicOnly: true } : { includePrivate: false }),
    ...variableOf("source", signIn.source),
    ...(isBackup ? {} : variableOf("target", signIn.target)),
  };
}

function variableOf(side: Side, signIn: SignIn): Readonly<Record<string, string>> {
  return signIn.by === "variable" ? { [credentialKey(side, "token")]: signIn.variable } : {};
}

/** The sites that were named, with the side that they are. */
export function sitesIn({ source, target }: Answers): readonly (readonly [Side, string])[] {
  return [["source", source], ...(target === null ? [] : [["target", target] as const])];
}

/** What to type next; `file` null: the configuration is found by itself. */
export function nextCommands({ purpose, source, target }: Answers, file: string | null): readonly string[] {
  const flags = file === null ? [] : ["--config", file];
  const line = (...words: readonly string[]): string => shellQuote(["guideferry", ...words, ...flags]);
  if (purpose === "backup") return [line("backup", source)];
  return [line("plan", source, target ?? ""), line("migrate", source, target ?? "")];
}

/** Where questions are asked. */
export interface Terminal {
  readonly input: Readable;
  readonly output: Writable;
}

/** Somebody left: by Ctrl-C at a question, or by an answer. */
export class LeftError extends Error {
  readonly exitCode: ExitCode;

  constructor(message: string, exitCode: ExitCode) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** One of several things to choose from. */
interface Choice<T extends string> {
  readonly value: T;
  readonly label: string;
  readonly hint?: string;
}

/**
 * Asks for a text. `reads` throws what is wrong with one; what it throws is told, and the question
 * stays. Throws LeftError.
 */
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

/** Asks for one of several things. Throws LeftError. */
export async function askChoice<T extends string>(
  terminal: Terminal,
  message: string,
  { initial, choices }: { readonly initial: T; readonly choices: readonly Choice<T>[] },
): Promise<T> {
  const chosen = answered<string>(
    await select<string>({ message, initialValue: initial, options: [...choices], ...terminal }),
  );
  return choices.find(({ value }) => value === chosen)?.value ?? initial;
}

/** Asks for yes or no. Throws LeftError. */
export async function askYes(terminal: Terminal, message: string, initial: boolean): Promise<boolean> {
  return answered<boolean>(await confirm({ message, initialValue: initial, ...terminal }));
}

function answered<T extends string | boolean>(given: T | typeof CANCEL_SYMBOL): T {
  if (isCancel(given)) throw new LeftError("left by Ctrl-C", EXIT.interrupted);
  return given;
}
