import { EXIT, type ExitCode, StoppedError } from "../core/errors.js";

/** The signals that end a run in an orderly way, and what it ends with. */
export const SIGNALS = {
  SIGINT: EXIT.interrupted,
  SIGTERM: EXIT.terminated,
  SIGHUP: EXIT.hangUp,
} as const satisfies Readonly<Record<string, ExitCode>>;
type SignalName = keyof typeof SIGNALS;

/** What runs may take this long to finish after the first signal, in milliseconds. */
const FINISH_WITHIN = 30_000;
/** After that, or after a second signal, what was dropped may take this long to tidy up. */
const TIDY_WITHIN = 500;

/**
 * A signal so soon after one is the same one: `timeout` sends its own to the program and then to the program's group, and npx passes on what the terminal
 * sent to both.
 */
const SAME_WITHIN = 500;

/** How the signals of the process reach a running command. */
export interface Interruption {
  /** Aborted by the first signal. */
  readonly stop: AbortSignal;
  /** Aborted by the second one, or when finishing took too long. */
  readonly abort: AbortSignal;
  /** The first signal that came. */
  caught(): SignalName | undefined;
  /** Rejects with StoppedError when nothing may be waited for any longer. */
  readonly over: Promise<never>;
  /** Stops listening. */
  close(): void;
}

/** Listens to the signals; `onFirst` and `onLast` tell the person at the keyboard what happens. `now`: milliseconds by a clock that nobody puts on or back. */
export function listenToSignals(
  onFirst: (name: SignalName) => void,
  onLast: () => void,
  now: () => number = () => performance.now(),
): Interruption {
  const stop = new AbortController();
  const abort = new AbortController();
  let end: () => void = () => undefined;
  const over = new Promise<never>((_resolve, reject) => {
    end = () => reject(abort.signal.reason);
  });
  let first: SignalName | undefined;
  let heard = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  const drop = (name: SignalName): void => {
    if (abort.signal.aborted) {
      end();
      return;
    }
    onLast();
    abort.abort(stoppedBy(name));
    clearTimeout(timer);
    timer = setTimeout(end, TIDY_WITHIN);
  };
  const listen = (name: SignalName): void => {
    if (now() - heard < SAME_WITHIN) return;
    heard = now();
    if (first !== undefined) {
      drop(first);
      return;
    }
    first = name;
    onFirst(name);
    stop.abort(stoppedBy(name));
    timer = setTimeout(drop, FINISH_WITHIN, name);
  };
  const names = Object.keys(SIGNALS) as readonly SignalName[];
  for (const name of names) process.on(name, listen);
  return {
    stop: stop.signal,
    abort: abort.signal,
    caught: () => first,
    over,
    close: () => {
      clearTimeout(timer);
      for (const name of names) process.off(name, listen);
    },
  };
}

/** The run log keeps the code that the process ends with. */
function stoppedBy(name: SignalName): StoppedError {
  return new StoppedError(`Stopped by ${name}.`, { exitCode: SIGNALS[name] });
}
