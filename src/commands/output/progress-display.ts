import cliProgress from "cli-progress";
import type { ProgressEvent, Stage } from "../../pipeline/control.js";
import { clockTime } from "./words.js";
import type { Writer } from "./writer.js";

/** Shows where a run stands: bars on a terminal, else now and then a line. */
export interface ProgressDisplay {
  show(event: ProgressEvent): void;
  /** A line of text that does not tear the bars. */
  line(text: string): void;
  /** Are bars on the screen? */
  isDrawn(): boolean;
  close(): void;
}

/** Milliseconds between two lines of a stage where there is no terminal, so that a log shows life and stays short. */
const LINE_EVERY = 30_000;

export function createProgressDisplay(wanted: boolean, writer: Writer): ProgressDisplay {
  if (!wanted) return { show: () => undefined, line: writer.line, isDrawn: () => false, close: () => undefined };
  return writer.terminal ? bars(writer) : lines(writer);
}

function bars(writer: Writer): ProgressDisplay {
  const screen = new cliProgress.MultiBar({
    stream: writer.stream,
    format: barLine,
    barsize: 30,
    hideCursor: true,
    // Signals are ours: its own handlers would end the run.
    gracefulExit: false,
  });
  const shown = new Map<Stage, { readonly bar: cliProgress.SingleBar; readonly since: number }>();
  const add = (event: ProgressEvent) => {
    const bar = { bar: screen.create(event.total ?? 0, 0, { event, left: "" }), since: Date.now() };
    shown.set(event.stage, bar);
    return bar;
  };
  return {
    show: (event) => {
      const { bar, since } = shown.get(event.stage) ?? add(event);
      bar.setTotal(event.total ?? Math.max(event.done, 1));
      bar.update(event.done, { event, left: timeLeft(event, Date.now() - since) });
    },
    line: (text) => (screen.isActive ? screen.log(`${writer.redact(text)}\n`) : writer.line(text)),
    isDrawn: () => screen.isActive,
    close: () => {
      if (!screen.isActive) return;
      // A last draw: stop() forgets lines that wait for one.
      screen.update();
      screen.stop();
    },
  };
}

function lines(writer: Writer): ProgressDisplay {
  const due = new Map<Stage, number>();
  return {
    show: (event) => {
      const now = Date.now();
      if (event.done !== event.total && now < (due.get(event.stage) ?? 0)) return;
      due.set(event.stage, now + LINE_EVERY);
      writer.line(`${event.stage}: ${event.done} of ${event.total ?? "?"}${failedText(event)}`);
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

/** Measured over the stage so far, which the rate limit makes even. */
function timeLeft(event: ProgressEvent, elapsed: number): string {
  if (event.total === null || event.done === 0 || event.done >= event.total) return "";
  return `${clockTime(((event.total - event.done) * elapsed) / event.done / 1000)} left`;
}

function failedText(event: ProgressEvent): string {
  return event.failed === 0 ? "" : `, ${event.failed} failed`;
}
