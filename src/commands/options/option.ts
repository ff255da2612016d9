import type { z } from "zod";
import { choiceSchema, switchSchema, textSchema } from "./values.js";

/**
 * One option. Its key in the table gives all of its names: `maxFailures` is the flag
 * `--max-failures`, the variable `GUIDEFERRY_MAX_FAILURES` and the key `maxFailures` of the
 * configuration file.
 */
export interface Option<T> {
  readonly about: string;
  /** The value's placeholder in the help, `DIR`; absent: a switch. */
  readonly value?: string;
  /** A flag of one letter that means the same: `-o`. */
  readonly short?: string;
  /**
   * Takes the text of a flag or a variable, and the value of a configuration file. Its messages
   * begin with "expected".
   */
  readonly schema: z.ZodType<T>;
  readonly fallback: T;
  /** The default in words, where the fallback alone does not say it. */
  readonly fallbackText?: string;
  /** A flag that may be given several times; the values are collected. */
  readonly repeatable?: true;
  /**
   * The name of the flag and the variable where each flag adds one to the key's array: `transforms`
   * is `--transform`.
   */
  readonly single?: string;
  /**
   * The flag's name where another command has one of the key's name that means something else:
   * `to`. Variable and key keep theirs.
   */
  readonly flag?: string;
  /** One of the dozen that a short help shows; `--help --all` shows all of them. */
  readonly usual?: boolean;
  /** Not to be set in a configuration file: a secret, or the file's own name. */
  readonly flagOnly?: true;
}

export function option<T>(row: Option<T>): Option<T> {
  return row;
}

/** A switch; off by default. */
export function switchOption({
  fallback = false,
  ...row
}: Omit<Option<boolean>, "value" | "schema" | "fallback"> & { readonly fallback?: boolean }): Option<boolean> {
  return { ...row, schema: switchSchema, fallback };
}

/** Any text; null by default. */
export function textOption(row: Omit<Option<string | null>, "schema" | "fallback">): Option<string | null> {
  return { ...row, schema: textSchema, fallback: null };
}

/** One of several words, which the help shows as `A|B` unless the row has another placeholder. */
export function choiceOption<const Word extends string, Fallback extends Word | null>(
  words: readonly Word[],
  row: Omit<Option<Word | Fallback>, "schema" | "fallback"> & { readonly fallback: Fallback },
): Option<Word | Fallback> {
  return { value: words.join("|"), ...row, schema: choiceSchema(words) };
}

/**
 * A switch that is on by default is shown, and named in the environment, by its negative:
 * `--no-progress`.
 */
export function isNegative(row: Option<unknown>): boolean {
  return row.value === undefined && row.fallback === true;
}

export function flagOf(key: string, row: Option<unknown>): string {
  return `--${isNegative(row) ? "no-" : ""}${kebab(row.flag ?? row.single ?? key)}`;
}

export function variableOf(key: string, row: Option<unknown>): string {
  const { flag: _flag, ...plain } = row;
  return `GUIDEFERRY_${flagOf(key, plain).slice(2).replaceAll("-", "_").toUpperCase()}`;
}

/** `maxFailures` becomes `max-failures`. */
export function kebab(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
