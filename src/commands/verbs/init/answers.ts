import type { Side } from "../../options/credential-names.js";
import { credentialKey } from "../../options/credential-names.js";
import { shellQuote } from "../../shell-quote.js";

export type Purpose = "migrate" | "backup";

/** How somebody signs in at a site: by the variables that guideferry reads, by a token in one of their own, or not at all. */
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

/** The configuration that says what was answered. It has no address: those stand on the command line. */
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
