import { EXIT, type ExitCode, StoppedError } from "../core/errors.js";
import { nextTimeOfDay } from "../core/util/clock.js";
import type { Command } from "./command.js";
import type { Settings } from "./options/table.js";

/** The signals that stop a run in an orderly way, with its exit code. */
export const SIGNALS = {
  SIGINT: EXIT.interrupted,
  SIGTERM: EXIT.terminated,
  SIGHUP: EXIT.hangUp,
} as const satisfies Readonly<Record<string, ExitCode>>;
type SignalName = keyof typeof SIGNALS;

/** Milliseconds for running work to finish after the first signal. */
export const FINISH_WITHIN = 30_000;
/** Milliseconds to clean up after that, or after a second signal. */
const ABORT_WITHIN = 500;

/**
 * Milliseconds in which a second signal is the same one: `timeout` signals the program and its
 * group, and npx passes on the signal that the terminal sends to both.
 */
const SAME_WITHIN = 500;

export interface Interruption {
  /** Aborted by the first signal. */
  readonly stop: AbortSignal;
  /** Aborted by the second signal, or when finishing takes too long. */
  readonly abort: AbortSignal;
  /** The first signal. */
  caught(): SignalName | undefined;
  /** Rejects with StoppedError when the run must end without more waiting. */
  readonly over: Promise<never>;
  close(): void;
}

interface SignalOptions {
  /** Milliseconds of a monotonic clock. */
  readonly now?: () => number;
  /** Milliseconds for running work to finish after the first signal; default 30 s. */
  readonly finishWithin?: number | undefined;
}

/** Listens to the signals. */
export function listenToSignals(
  onFirst: (name: SignalName) => void,
  onLast: () => void,
  { now = () => performance.now(), finishWithin = FINISH_WITHIN }: SignalOptions = {},
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
    timer = setTimeout(end, ABORT_WITHIN);
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
    timer = setTimeout(drop, finishWithin, name);
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

/** Rejects with the signal's reason when it is aborted, or already was. */
export function untilStopped(stop: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const end = (): void => reject(stop.reason);
    if (stop.aborted) end();
    else stop.addEventListener("abort", end, { once: true });
  });
}

/** The run log stores the exit code of the process. */
function stoppedBy(name: SignalName): StoppedError {
  return new StoppedError(`Stopped by ${name}.`, { exitCode: SIGNALS[name] });
}

export interface TimeLimit {
  /** Aborted with a StoppedError when the time is over; never without a limit. */
  readonly stop: AbortSignal;
  /** The local time of the end, as text; undefined: no limit. */
  readonly words: string | undefined;
  close(): void;
}

/** The clock of the machine, and a monotonic one; both in milliseconds. */
interface Clocks {
  readonly wall: () => number;
  readonly steady: () => number;
}

const CLOCKS: Clocks = { wall: Date.now, steady: () => performance.now() };

/** Milliseconds between looks at the clocks: a sleep or a changed clock still stops in time. */
const LOOK_EVERY = 20_000;

/** Starts `--max-duration` and `--stop-at` for a command that has them; the earlier one counts. */
export function startTimeLimit(
  { options }: Pick<Command, "options">,
  settings: Pick<Settings, "maxDuration" | "stopAt">,
  onOver: (reason: string) => void,
  clocks: Clocks = CLOCKS,
): TimeLimit {
  const seconds = options.includes("maxDuration") ? settings.maxDuration : null;
  const minute = options.includes("stopAt") ? settings.stopAt : null;
  const controller = new AbortController();
  const ends = [...endAfter(seconds, clocks), ...endAt(minute, clocks)];
  let timer: NodeJS.Timeout | undefined;
  const look = (): void => {
    const [first] = ends.toSorted((one, other) => one.left() - other.left());
    if (first === undefined) return;
    if (first.left() > 0) {
      timer = setTimeout(look, Math.min(first.left(), LOOK_EVERY));
      return;
    }
    onOver(first.reason);
    controller.abort(new StoppedError(first.reason));
  };
  look();
  const [first] = ends.toSorted((one, other) => one.left() - other.left());
  return { stop: controller.signal, words: first?.words, close: () => clearTimeout(timer) };
}

interface End {
  readonly left: () => number;
  readonly reason: string;
  readonly words: string;
}

function endAfter(seconds: number | null, { wall, steady }: Clocks): readonly End[] {
  if (seconds === null) return [];
  const end = steady() + seconds * 1000;
  return [
    {
      left: () => end - steady(),
      reason: "The time of --max-duration is over.",
      words: `${atMinute(wall() + seconds * 1000)} (--max-duration)`,
    },
  ];
}

function endAt(minute: number | null, { wall }: Clocks): readonly End[] {
  if (minute === null) return [];
  const end = nextTimeOfDay(minute, wall());
  const words = `${atMinute(end)} (--stop-at)`;
  return [{ left: () => end - wall(), reason: `It is ${words}.`, words }];
}

/** `2026-11-21 06:00` by the clock of this machine. */
function atMinute(instant: number): string {
  const date = new Date(instant);
  const two = (value: number): string => String(value).padStart(2, "0");
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join("-");
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
}
