import { createRequire } from "node:module";
import type { GenericFormatter, Options, Params, SingleBar } from "cli-progress";
import type { ProgressEvent, Stage } from "../../sync/control.js";
import {
  createLimitsWatch,
  createPaceMeasure,
  createRunClock,
  describeLimits,
  describeRunTimeLeft,
  describeSites,
  type LimitsWatch,
  type LookAtQueues,
  type StagePace,
  type StageText,
  stageTexts,
} from "./pace.js";
import type { Label, SafeText, Writer } from "./writer.js";

interface ProgressDisplay extends ProgressView {
  /** Also shows what limits the run at these queues. */
  watch(look: LookAtQueues): void;
}

export function createProgressDisplay(wanted: boolean, writer: Writer): ProgressDisplay {
  const nothing = () => undefined;
  if (!wanted) return { show: nothing, watch: nothing, line: writer.line, isDrawn: () => false, close: nothing };
  const limits = createLimitsWatch();
  const display = writer.terminal ? progressBars(writer, limits) : progressLines(writer, limits);
  return { ...display, watch: limits.watch };
}

interface ProgressView {
  show(event: ProgressEvent): void;
  /** A line of text that does not tear the bars. */
  line(text: string | SafeText, label?: Label): void;
  isDrawn(): boolean;
  close(): void;
}

interface BarFacts {
  readonly event: ProgressEvent;
  readonly pace: StagePace;
}

const require = createRequire(import.meta.url);

const ESCAPE = "\u001b[";
const CLEAR_BELOW = `${ESCAPE}J`;
const [WRAP, NO_WRAP] = [`${ESCAPE}?7h`, `${ESCAPE}?7l`];

/** A bar for each stage; below them the requests to each site and what limits the run. */
function progressBars(writer: Writer, watch: LimitsWatch): ProgressView {
  // Loaded only here: most runs draw no bars, and loading it delays the start.
  const cliProgress: typeof import("cli-progress") = require("cli-progress");
  const drawn = createDrawnLines(writer);
  const screen = new cliProgress.MultiBar({
    stream: writer.stream,
    format: drawn.note<BarFacts>((columns, options, { progress }, { event, pace }) =>
      barLine(event, pace, columns, (size) =>
        // The size that fits now; its own was chosen before the first line.
        cliProgress.Format.BarFormat(progress, { ...options, barsize: size }),
      ),
    ),
    hideCursor: true,
    // A line between bars moves them down, so they are drawn again even if unchanged.
    forceRedraw: true,
    // Its own signal handlers would end the run.
    gracefulExit: false,
  });
  screen.on("redraw-pre", drawn.begin);
  const measure = createPaceMeasure();
  const clock = createRunClock();
  const shown = new Map<Stage, SingleBar>();
  /** Drawn with each frame: a run that waits has no progress events. */
  const facts = [
    () => [describeRunTimeLeft(clock), describeSites(watch.sites())].filter((text) => text !== "").join(", "),
    () => {
      const limits = watch.limits();
      return limits === null ? "" : describeLimits(limits);
    },
  ];
  let below: readonly SingleBar[] = [];
  const hideFacts = (): void => {
    for (const line of below) screen.remove(line);
    below = [];
  };
  const add = (event: ProgressEvent, pace: StagePace): SingleBar => {
    hideFacts();
    const bar = screen.create(event.total ?? 0, 0, { event, pace });
    shown.set(event.stage, bar);
    below = facts.map((fact) => screen.create(1, 0, {}, { format: drawn.note((columns) => cut(fact(), columns)) }));
    return bar;
  };
  return {
    show: (event) => {
      const pace = measure(event);
      clock.note(event);
      const bar = shown.get(event.stage) ?? add(event, pace);
      bar.setTotal(event.total ?? Math.max(event.done, 1));
      bar.update(event.done, { event, pace });
    },
    line: (text, label) => {
      if (screen.isActive) screen.log(`${CLEAR_BELOW}${WRAP}${writer.safe(text, label)}\n${NO_WRAP}`);
      else writer.line(text, label);
    },
    isDrawn: () => screen.isActive,
    close: () => {
      if (!screen.isActive) return;
      hideFacts();
      // A last draw: stop() drops lines that are not drawn yet.
      screen.update();
      screen.stop();
      writer.stream.write(CLEAR_BELOW);
      shown.clear();
    },
  };
}

type DrawLine<Facts> = (columns: number, options: Options, params: Params, facts: Facts) => string;

/** Keeps the lines on the screen, for when it becomes narrower. */
interface DrawnLines {
  note<Facts>(draw: DrawLine<Facts>): GenericFormatter;
  /** Called at the start of the first line, before the next frame. */
  begin(): void;
}

/**
 * Most terminals break lines that no longer fit, so the first line moves up; a frame that starts
 * lower would leave pieces of the previous one.
 */
function createDrawnLines({ stream }: Writer): DrawnLines {
  let lengths: number[] = [];
  let last = columnsOf(stream);
  return {
    note: (draw) => (options, params, facts) => {
      const line = draw(columnsOf(stream), options, params, facts);
      lengths.push(line.length);
      return line;
    },
    begin: () => {
      const columns = columnsOf(stream);
      const broken = lengths.reduce((sum, length) => sum + Math.max(0, Math.ceil(length / columns) - 1), 0);
      if (columns < last && broken > 0) stream.write(`${ESCAPE}${broken}A`);
      if (columns !== last) stream.write(CLEAR_BELOW);
      lengths = [];
      last = columns;
    },
  };
}

/** Default: 80. */
function columnsOf(stream: NodeJS.WritableStream & { readonly columns?: number }): number {
  return stream.columns === undefined || stream.columns < 1 ? 80 : stream.columns;
}

/** Columns: longer lines are not easier to read, and a narrower terminal breaks them. */
const WIDEST = 100;
const NAME = 7;
/** The size of a bar by width; narrower terminals have none. */
const BARS: readonly (readonly [from: number, size: number])[] = [
  [79, 30],
  [64, 20],
  [54, 10],
];
/** The texts of a line, longest first; the first that fits is used. */
const TEXT_CHOICES: readonly (readonly StageText[])[] = [
  ["bytes", "rate", "left", "failed"],
  ["rate", "left", "failed"],
  ["left", "failed"],
  ["failed"],
  [],
];

/** The columns of a line; the last one stays free, because some terminals break a line there. */
export function lineWidth(columns: number): number {
  return Math.max(1, Math.min(columns, WIDEST) - 1);
}

/** One stage in so many columns; `bar` draws a bar of a size. No bar if the total is unknown. */
export function barLine(event: ProgressEvent, pace: StagePace, columns: number, bar: (size: number) => string): string {
  const width = lineWidth(columns);
  const size = BARS.find(([from]) => width >= from)?.[1] ?? 0;
  const drawn = size === 0 ? "" : `${event.total === null ? "".padEnd(size) : bar(size)} `;
  const number = `${event.done}${of(event)}`;
  const texts = stageTexts(event, pace);
  const lines = TEXT_CHOICES.map((names) => {
    const pieces = names.map((name) => texts[name]).filter((text) => text !== "");
    return `${event.stage.padEnd(NAME)} ${drawn}${[number, ...pieces].join("  ")}`;
  });
  return cut(lines.find((line) => line.length <= width) ?? lines.at(-1) ?? "", columns);
}

function of({ total, estimate }: ProgressEvent): string {
  if (total !== null) return `/${total}`;
  return estimate === undefined ? "" : `/~${estimate}`;
}

export function cut(text: string, columns: number): string {
  const width = lineWidth(columns);
  return text.length <= width ? text : `${text.slice(0, width - 1)}…`;
}

/** Milliseconds between two lines of a stage: a log shows progress and stays short. */
const LINE_EVERY = 30_000;

const ON: readonly StageText[] = ["bytes", "rate", "left", "failed"];
const OVER: readonly StageText[] = ["bytes", "failed"];

function progressLines(writer: Writer, watch: LimitsWatch): ProgressView {
  const measure = createPaceMeasure();
  const clock = createRunClock();
  const due = new Map<Stage, number>();
  const lineOf = (event: ProgressEvent, pace: StagePace): string =>
    joined([
      ...stageWords(event, pace, ON),
      ...(event.done === event.total ? [] : [describeRunTimeLeft(clock), ...limitsTexts(watch)]),
    ]);
  const open = createOpenStages();
  /** The end of a stage, printed when something else starts: until then its total may grow. */
  let end: { readonly stage: Stage; readonly line: string } | undefined;
  const tellEnd = (): void => {
    if (end !== undefined) writer.line(end.line);
    end = undefined;
  };
  const show = (event: ProgressEvent): void => {
    const { stage, done, total } = event;
    clock.note(event);
    const line = lineOf(event, measure(event));
    const now = Date.now();
    if (end?.stage !== stage) tellEnd();
    if (!due.has(stage)) for (const over of open.ends()) writer.line(over);
    open.note(event);
    if (done === total) {
      end = { stage, line };
      due.set(stage, due.get(stage) ?? now);
    } else if (now >= (due.get(stage) ?? 0)) {
      end = undefined;
      due.set(stage, now + LINE_EVERY);
      open.reported(event);
      writer.line(line);
    }
  };
  return {
    show,
    line: (text, label) => {
      tellEnd();
      writer.line(text, label);
    },
    isDrawn: () => false,
    close: () => {
      tellEnd();
      for (const over of open.allEnds()) writer.line(over);
    },
  };
}

/**
 * Stages without an end: no event marks the end of a stage without a total, and a stopped run
 * leaves some unfinished.
 */
interface OpenStages {
  note(event: ProgressEvent): void;
  reported(event: ProgressEvent): void;
  /** Called when a stage starts: a line for each stage without a total that has made progress. */
  ends(): readonly string[];
  /** The same for all stages, at the end of the run. */
  allEnds(): readonly string[];
}

function createOpenStages(): OpenStages {
  const open = new Map<Stage, ProgressEvent>();
  const known = new Map<Stage, number>();
  const reported = ({ stage, done }: ProgressEvent): void => void known.set(stage, done);
  const endsOf = (events: readonly ProgressEvent[]): readonly string[] => {
    const unreported = events.filter(({ stage, done }) => known.get(stage) !== done);
    for (const event of events) open.delete(event.stage);
    for (const event of unreported) reported(event);
    return unreported.map((event) => joined([wordsOfEnd(event), ...textsOf(event, NO_PACE, OVER)]));
  };
  return {
    note: (event) => {
      if (event.done === event.total) open.delete(event.stage);
      else open.set(event.stage, event);
    },
    reported,
    ends: () => endsOf([...open.values()].filter(({ total }) => total === null)),
    allEnds: () => endsOf([...open.values()]),
  };
}

function wordsOfEnd({ stage, done, total }: ProgressEvent): string {
  return `${stage}: ${total === null ? `${done} in total` : `${done} of ${total}`}`;
}

const NO_PACE: StagePace = { rate: null, left: null };

function stageWords(event: ProgressEvent, pace: StagePace, which: readonly StageText[]): readonly string[] {
  const { stage, done, total, estimate } = event;
  const of = total ?? (estimate === undefined ? null : `about ${estimate}`);
  return [`${stage}: ${of === null ? `${done} so far` : `${done} of ${of}`}`, ...textsOf(event, pace, which)];
}

function textsOf(event: ProgressEvent, pace: StagePace, which: readonly StageText[]): readonly string[] {
  const texts = stageTexts(event, pace);
  return which.map((name) => texts[name]);
}

function joined(pieces: readonly string[]): string {
  return pieces.filter((text) => text !== "").join(", ");
}

function limitsTexts(watch: LimitsWatch): readonly string[] {
  const limits = watch.limits();
  return limits === null ? [] : [describeSites(watch.sites()), describeLimits(limits)];
}
