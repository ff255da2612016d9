import { stripVTControlCharacters } from "node:util";
import type { ProgressEvent, Stage } from "../../sync/control.js";
import { isOver, type StageTime, stageName } from "../../web/report/stages.js";
import {
  createLimitsWatch,
  createPaceMeasure,
  createRunClock,
  describeLimits,
  describeRunTime,
  describeRunTimeLeft,
  describeSites,
  type LimitsWatch,
  type LookAtQueues,
  type RunClock,
  type StagePace,
  type StageText,
  shareOfRun,
  stageTexts,
} from "./pace.js";
import { clockTime } from "./words.js";
import { columnsOf, type Label, type SafeText, type Writer } from "./writer.js";

interface ProgressDisplay extends ProgressView {
  /** Also shows what limits the run at these queues. */
  watch(look: LookAtQueues): void;
}

export function createProgressDisplay(wanted: boolean, writer: Writer): ProgressDisplay {
  const nothing = () => undefined;
  if (!wanted) return { show: nothing, watch: nothing, line: writer.line, isDrawn: () => false, close: nothing };
  const limits = createLimitsWatch();
  const display = writer.terminal ? liveProgress(writer, limits) : progressLines(writer, limits);
  return { ...display, watch: limits.watch };
}

interface ProgressView {
  show(event: ProgressEvent): void;
  /** A line of text that does not tear the lines of the progress. */
  line(text: string | SafeText, label?: Label): void;
  isDrawn(): boolean;
  close(): void;
}

/**
 * On a terminal: a line for each stage, then one for the whole run with its time, the item that was
 * finished last, the requests to each site, and what limits the run.
 */
function liveProgress(writer: Writer, watch: LimitsWatch): ProgressView {
  const measure = createPaceMeasure();
  let clock = createRunClock();
  let latest = new Map<string, Latest>();
  let item = "";
  let isEnded = false;
  const screen = createLiveLines(writer.stream, (columns, rows) => {
    const stages = clock.stages().flatMap((time) => stageLineOf(time, latest, clock, columns));
    const limits = watch.limits();
    const running = [
      totalLine(clock, columns),
      item === "" ? "" : `${"item".padEnd(NAME)} ${item}`,
      indented(describeSites(watch.sites())),
      indented(limits === null ? "" : describeLimits(limits)),
    ];
    const ended = [`${"total".padEnd(NAME)} ended after ${clockTime(clock.elapsed())}`];
    const below = (isEnded ? ended : running).filter((line) => line !== "").map((line) => cut(line, columns));
    const room = Math.max(0, rows - below.length);
    const shown = room === 0 ? [] : stages.slice(-room);
    return [...shown.map(({ line, isOver }) => (isOver ? writer.paint("dim", line) : line)), ...below].slice(-rows);
  });
  return {
    show: (event) => {
      clock.note(event);
      latest.set(event.stage, { event, pace: measure(event) });
      if (event.key !== undefined) item = writer.clean(event.key).replaceAll("\n", " ");
      screen.update();
    },
    line: (text, label) => {
      if (screen.isDrawn()) screen.above(`${writer.safe(text, label)}\n`);
      else writer.line(text, label);
    },
    isDrawn: () => screen.isDrawn(),
    close: () => {
      isEnded = true;
      screen.end();
      [clock, latest, item, isEnded] = [createRunClock(), new Map(), "", false];
    },
  };
}

interface Latest {
  readonly event: ProgressEvent;
  readonly pace: StagePace;
}

/** Columns of the names of stages. */
const NAME = 8;
/** The size of the bar by width; narrower terminals have none. */
const BARS: readonly (readonly [from: number, size: number])[] = [
  [79, 30],
  [64, 20],
  [54, 10],
];
/**
 * The texts of a line, longest first; the first that fits is used. The time left is that of the
 * run.
 */
const TEXT_CHOICES: readonly (readonly StageText[])[] = [
  ["bytes", "rate", "failed"],
  ["rate", "failed"],
  ["failed"],
  [],
];

/** The columns of a line; the last one stays free, because some terminals break a line there. */
export function lineWidth(columns: number): number {
  return Math.max(1, columns - 1);
}

/** In the column behind the names; "": no line. */
function indented(text: string): string {
  return text === "" ? "" : `${"".padEnd(NAME)} ${text}`;
}

function stageLineOf(
  time: StageTime,
  latest: ReadonlyMap<string, Latest>,
  clock: RunClock,
  columns: number,
): readonly { readonly line: string; readonly isOver: boolean }[] {
  const known = latest.get(time.stage);
  if (known === undefined) return [];
  const over = isOver(time, clock.stages());
  const spans = [...time.earlier, time];
  const seconds = spans.reduce((sum, { started, ended }) => sum + ended - started, 0) / 1000;
  return [{ line: stageLine(known.event, known.pace, columns, over ? seconds : null), isOver: over }];
}

/** One stage in so many columns. `took`: the seconds of a stage that is over, else null. */
export function stageLine(event: ProgressEvent, pace: StagePace, columns: number, took: number | null): string {
  const number = `${event.done}${took === null || event.total !== null ? of(event) : ""}`.padEnd(NUMBER);
  const texts = stageTexts(event, took === null ? pace : NO_PACE);
  const done = took === null ? [] : [`done in ${clockTime(took)}`];
  const lines = TEXT_CHOICES.map((names) => {
    const pieces = [...done, ...names.map((name) => texts[name]).filter((text) => text !== "")];
    return `${stageName(event.stage).padEnd(NAME)} ${[number, ...pieces].join("  ").trimEnd()}`;
  });
  return cut(lines.find((line) => line.length <= lineWidth(columns)) ?? lines.at(-1) ?? "", columns);
}

/** Columns of `1204 of 3000`. */
const NUMBER = 14;

function of({ total, estimate }: ProgressEvent): string {
  if (total !== null) return ` of ${total}`;
  return estimate === undefined ? "" : ` of about ${estimate}`;
}

/** The bar of the whole run, by its time. */
function totalLine(clock: RunClock, columns: number): string {
  const size = BARS.find(([from]) => lineWidth(columns) >= from)?.[1] ?? 0;
  const filled = Math.round(shareOfRun(clock) * size);
  const bar = size === 0 ? "" : `[${"=".repeat(filled)}${"-".repeat(size - filled)}] `;
  return `${"total".padEnd(NAME)} ${bar}${describeRunTime(clock)}`;
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
    const pace = measure(event);
    const now = Date.now();
    if (end?.stage !== stage) tellEnd();
    if (!due.has(stage)) for (const over of open.ends()) writer.line(over);
    open.note(event);
    if (done === total) {
      end = { stage, line: lineOf(event, pace) };
      due.set(stage, due.get(stage) ?? now);
    } else if (now >= (due.get(stage) ?? 0)) {
      end = undefined;
      due.set(stage, now + LINE_EVERY);
      open.reported(event);
      writer.line(lineOf(event, pace));
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
  return `${stageName(stage)}: ${total === null ? `${done} in total` : `${done} of ${total}`}`;
}

const NO_PACE: StagePace = { rate: null, left: null };

function stageWords(event: ProgressEvent, pace: StagePace, which: readonly StageText[]): readonly string[] {
  const { stage, done, total, estimate } = event;
  const of = total ?? (estimate === undefined ? null : `about ${estimate}`);
  return [
    `${stageName(stage)}: ${of === null ? `${done} so far` : `${done} of ${of}`}`,
    ...textsOf(event, pace, which),
  ];
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

/** Lines at the end of a terminal's output that are drawn again in place. */
interface LiveLines {
  /** Draws them now, unless they were drawn just before; then soon. */
  update(): void;
  /** Writes a text above them. */
  above(text: string): void;
  isDrawn(): boolean;
  /** Draws them a last time. They stay where they are. */
  end(): void;
}

type Terminal = NodeJS.WritableStream & { readonly columns?: number; readonly rows?: number };

const ESCAPE = "\u001b[";
const CLEAR_BELOW = `${ESCAPE}J`;
/** A line that is too wide, such as one with wide characters, is cut off and not broken. */
const [NO_WRAP, WRAP] = [`${ESCAPE}?7l`, `${ESCAPE}?7h`];

/** Milliseconds between two draws, and between two without news: the time goes on. */
const DRAW_EVERY = 100;
const TICK = 500;
/** Lines of a terminal that does not tell its height. */
const HEIGHT = 24;

/** `lines`: those to draw now, at most `rows` of them, each shorter than `columns`. */
export function createLiveLines(
  stream: Terminal,
  lines: (columns: number, rows: number) => readonly string[],
): LiveLines {
  let drawn: readonly string[] = [];
  let drawnAt = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  /** Above the first line. A terminal that became narrower has broken lines into several rows. */
  const back = (): string => {
    if (drawn.length === 0) return "";
    const columns = columnsOf(stream);
    const rows = drawn.reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / columns)), 0);
    return `\r${ESCAPE}${rows}A${CLEAR_BELOW}`;
  };
  const draw = (text = ""): void => {
    const [columns, rows] = [columnsOf(stream), stream.rows ?? HEIGHT];
    // The row of the cursor is below them.
    const now = lines(columns, Math.max(1, rows - 1));
    // One write, so that no other output comes between.
    stream.write(`${back()}${text}${NO_WRAP}${now.map((line) => `${line}\n`).join("")}${WRAP}`);
    drawn = now.map((line) => stripVTControlCharacters(line));
    drawnAt = performance.now();
  };
  return {
    update: () => {
      timer ??= setInterval(draw, TICK).unref();
      if (performance.now() - drawnAt >= DRAW_EVERY) draw();
    },
    above: (text) => draw(text),
    isDrawn: () => drawn.length > 0,
    end: () => {
      if (timer === undefined) return;
      clearInterval(timer);
      timer = undefined;
      draw();
      drawn = [];
    },
  };
}
