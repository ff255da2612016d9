import type { ChildProcess } from "node:child_process";
import { once } from "node:events";

/** What a child process says; its kind tells what it answers. */
interface Said {
  readonly kind: string;
}

/**
 * Asks a child and waits for an answer of a kind. Throws Error when it ends before, or answers
 * something else.
 */
export function askChild<Told extends Said>(child: ChildProcess, question: Said) {
  return <Kind extends Told["kind"]>(kind: Kind): Promise<Extract<Told, { kind: Kind }>> => {
    const answered = answerOf<Told>(child)(kind);
    child.send(question);
    return answered;
  };
}

/** What a child says next, without being asked. Throws as `askChild`. */
export function answerOf<Told extends Said>(child: ChildProcess) {
  return async <Kind extends Told["kind"]>(kind: Kind): Promise<Extract<Told, { kind: Kind }>> => {
    const ended = new AbortController();
    const end = (): void => ended.abort(new Error("The site ended before it answered."));
    child.once("exit", end);
    try {
      const [told]: readonly Told[] = await once(child, "message", { signal: ended.signal });
      if (told?.kind === kind) return told as Extract<Told, { kind: Kind }>;
      throw new Error(`The site answered ${JSON.stringify(told)} where ${kind} was expected.`);
    } finally {
      child.off("exit", end);
    }
  };
}

/** Lets a child go, and waits until it has ended. */
export async function letChildGo(child: ChildProcess): Promise<void> {
  const exited = once(child, "exit");
  child.disconnect();
  await exited;
}
