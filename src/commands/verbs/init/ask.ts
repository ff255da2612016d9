import type { Readable, Writable } from "node:stream";
import { type CANCEL_SYMBOL, confirm, isCancel, select, text } from "@clack/prompts";
import { EXIT, type ExitCode } from "../../../core/errors.js";

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
export interface Choice<T extends string> {
  readonly value: T;
  readonly label: string;
  readonly hint?: string;
}

/** Asks for a text. `reads` throws what is wrong with one; what it throws is told, and the question stays. Throws LeftError. */
export async function askText(
  terminal: Terminal,
  message: string,
  { initial, reads }: { readonly initial: string; readonly reads: (text: string) => unknown },
): Promise<string> {
  const validate = (given: string | undefined): string | undefined => {
    try {
      reads((given ?? "").trim());
      return undefined;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
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
