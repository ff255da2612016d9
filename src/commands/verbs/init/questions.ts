import { isAbsolute, resolve } from "node:path";
import { readFolder, readSite, refuseSameSite } from "../../location.js";
import { credentialVariable, type Side } from "../../options/credential-names.js";
import type { Environment } from "../../options/environment.js";
import { rateSchema } from "../../options/values.js";
import type { Answers, Purpose, SignIn } from "./answers.js";
import { askChoice, askText, askYes, type Choice, type Terminal } from "./ask.js";

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

/** Says which variables a sign-in is read from, and whether they are set; what stands in them is nobody's business here. */
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

/** In capitals, so that a token that is pasted here by mistake is not taken for a name, and never written. */
function asVariable(text: string): void {
  if (!/^[A-Z_][A-Z0-9_]{0,63}$/.test(text)) throw new Error("expected a name in capitals such as OLD_SITE_TOKEN");
}
