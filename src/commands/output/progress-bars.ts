import { createRequire } from "node:module";
import type { GenericFormatter, Options, Params, SingleBar } from "cli-progress";
import type { ProgressEvent, Stage } from "../../sync/control.js";
import { barLine, cut } from "./bar-line.js";
import { describeSites } from "./describe-pace.js";
import { describeLimits } from "./judge-limits.js";
import type { LimitsWatch } from "./limits-watch.js";
import type { ProgressView } from "./progress-view.js";
import { createRunClock, describeLeft } from "./run-clock.js";
import { createPaceMeasure, type StagePace } from "./stage-pace.js";
import type { Writer } from "./writer.js";

/** What a bar is drawn from beside its own numbers. */
interface BarFacts {
  readonly event: ProgressEvent;
  readonly pace: StagePace;
}

const require = createRequire(import.meta.url);

const ESCAPE = "\u001b[";
const CLEAR_BELOW = `${ESCAPE}J`;
const [WRAP, NO_WRAP] = [`${ESCAPE}?7h`, `${ESCAPE}?7l`];

/** A bar a stage, and below them how fast sites are asked and what holds the run up. */
export function progressBars(writer: Writer, watch: LimitsWatch): ProgressView {
  // Loaded where bars are drawn, since most runs draw none and loading it delays the start.
  const cliProgress: typeof import("cli-progress") = require("cli-progress");
  const drawn = createDrawnLines(writer);
  const screen = new cliProgress.MultiBar({
    stream: writer.stream,
    format: drawn.note<BarFacts>((columns, options, { progress }, { event, pace }) =>
      barLine(event, pace, columns, (size) =>
        // Of the size that fits now: its own was chosen before the first line.
        cliProgress.Format.BarFormat(progress, { ...options, barsize: size }),
      ),
    ),
    hideCursor: true,
    // What is told between bars moves them down, and then they must be drawn again, changed or not.
    forceRedraw: true,
    // Signals are ours: its own handlers would end the run.
    gracefulExit: false,
  });
  screen.on("redraw-pre", drawn.begin);
  const measure = createPaceMeasure();
  const clock = createRunClock();
  const shown = new Map<Stage, SingleBar>();
  /** Drawn anew with each frame, since a run that waits has no progress to tell it by. */
  const facts = [
    () => [describeLeft(clock), describeSites(watch.sites())].filter((text) => text !== "").join(", "),
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
      // A last draw: stop() forgets lines that wait for one.
      screen.update();
      screen.stop();
      writer.stream.write(CLEAR_BELOW);
      shown.clear();
    },
  };
}

/** Draws one line in so many columns. */
type DrawLine<Facts> = (columns: number, options: Options, params: Params, facts: Facts) => string;

/** Knows which lines stand on the screen, for when it is made narrower. */
interface DrawnLines {
  /** A format that also notes what it gave. */
  note<Facts>(draw: DrawLine<Facts>): GenericFormatter;
  /** To be called where the first line begins, before the next frame. */
  begin(): void;
}

/**
 * Most terminals break lines that no longer fit, so that the first one stands higher up than it was drawn; a frame that began lower would leave
 * pieces of the one before.
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

/** 80 where a terminal does not say. */
function columnsOf(stream: NodeJS.WritableStream & { readonly columns?: number }): number {
  return stream.columns === undefined || stream.columns < 1 ? 80 : stream.columns;
}
