import cliProgress from "cli-progress";
import type { ProgressEvent, Stage } from "../../pipeline/control.js";
import { describeLimits } from "./judge-limits.js";
import { createLimitsWatch, type LimitsWatch, type LookAtQueues } from "./limits-watch.js";
import { clockTime } from "./words.js";
import type { Writer } from "./writer.js";

/** Shows where a run stands: bars on a terminal, else now and then a line. */
export interface ProgressDisplay {
  show(event: ProgressEvent): void;
  /** Also tells what limits the run, as far as it is at these queues. */
  watch(look: LookAtQueues): void;
  /** A line of text that does not tear the bars. */
  line(text: string): void;
  /** Are bars on the screen? */
  isDrawn(): boolean;
  close(): void;
}

/** Milliseconds between two lines of a stage where there is no terminal, so that a log shows life and stays short. */
const LINE_EVERY = 30_000;

export function createProgressDisplay(wanted: boolean, writer: Writer): ProgressDisplay {
  const nothing = () => undefined;
  if (!wanted) return { show: nothing, watch: nothing, line: writer.line, isDrawn: () => false, close: nothing };
  const limits = createLimitsWatch();
  return { ...(writer.terminal ? bars(writer, limits) : lines(writer, limits)), watch: limits.watch };
}

function bars(writer: Writer, watch: LimitsWatch): Omit<ProgressDisplay, "watch"> {
  const screen = new cliProgress.MultiBar({
    stream: writer.stream,
    format: barLine,
    barsize: 30,
    hideCursor: true,
    // Signals are ours: its own handlers would end the run.
    gracefulExit: false,
  });
  const shown = new Map<Stage, { readonly bar: cliProgress.SingleBar; readonly since: number }>();
  let limits: cliProgress.SingleBar | undefined;
  const hideLimits = (): void => {
    if (limits !== undefined) screen.remove(limits);
    limits = undefined;
  };
  /** Below the bars. */
  const showLimits = (): void => {
    const known = watch.limits();
    if (known === null) {
      hideLimits();
      return;
    }
    limits ??= screen.create(1, 0, {}, { format: limitsLine });
    limits.update({ limits: describeLimits(known) });
  };
  const add = (event: ProgressEvent) => {
    hideLimits();
    const bar = { bar: screen.create(event.total ?? 0, 0, { event, left: "" }), since: Date.now() };
    shown.set(event.stage, bar);
    return bar;
  };
  return {
    show: (event) => {
      const { bar, since } = shown.get(event.stage) ?? add(event);
      bar.setTotal(event.total ?? Math.max(event.done, 1));
      bar.update(event.done, { event, left: timeLeft(event, Date.now() - since) });
      showLimits();
    },
    line: (text) => (screen.isActive ? screen.log(`${writer.redact(text)}\n`) : writer.line(text)),
    isDrawn: () => screen.isActive,
    close: () => {
      if (!screen.isActive) return;
      hideLimits();
      // A last draw: stop() forgets lines that wait for one.
      screen.update();
      screen.stop();
    },
  };
}

function lines(writer: Writer, watch: LimitsWatch): Omit<ProgressDisplay, "watch"> {
  const due = new Map<Stage, number>();
  return {
    show: (event) => {
      const now = Date.now();
      if (event.done !== event.total && now < (due.get(event.stage) ?? 0)) return;
      due.set(event.stage, now + LINE_EVERY);
      const limits = event.done === event.total ? null : watch.limits();
      const why = limits === null ? "" : `, ${describeLimits(limits)}`;
      writer.line(`${event.stage}: ${event.done} of ${event.total ?? "?"}${failedText(event)}${why}`);
    },
    line: writer.line,
    isDrawn: () => false,
    close: () => undefined,
  };
}

/** What a bar is drawn from beside its own numbers. */
interface BarFacts {
  readonly event: ProgressEvent;
  readonly left: string;
}

/** No bar where the total is not known: it could only lie. */
function barLine(options: cliProgress.Options, params: cliProgress.Params, { event, left }: BarFacts): string {
  const known = event.total !== null;
  const bar = known ? cliProgress.Format.BarFormat(params.progress, options) : "".padEnd(options.barsize ?? 0);
  const of = known ? `${event.done}/${event.total}` : String(event.done);
  return `${event.stage.padEnd(7)} ${bar} ${of}  ${left}${failedText(event)}`;
}

function limitsLine(_options: cliProgress.Options, _params: cliProgress.Params, { limits = "" }: LimitsText): string {
  return limits;
}

/** Nothing before the first look. */
interface LimitsText {
  readonly limits?: string;
}

/** Measured over the stage so far, which the rate limit makes even. */
function timeLeft(event: ProgressEvent, elapsed: number): string {
  if (event.total === null || event.done === 0 || event.done >= event.total) return "";
  return `${clockTime(((event.total - event.done) * elapsed) / event.done / 1000)} left`;
}

function failedText(event: ProgressEvent): string {
  return event.failed === 0 ? "" : `, ${event.failed} failed`;
}
