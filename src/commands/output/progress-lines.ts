import type { ProgressEvent, Stage } from "../../sync/control.js";
import { describeSites, type StageText, stageTexts } from "./describe-pace.js";
import { describeLimits } from "./judge-limits.js";
import type { LimitsWatch } from "./limits-watch.js";
import type { ProgressView } from "./progress-view.js";
import { createRunClock, describeLeft } from "./run-clock.js";
import { createPaceMeasure, type StagePace } from "./stage-pace.js";
import type { Writer } from "./writer.js";

/** Milliseconds between two lines of a stage, so that a log shows life and stays short. */
const LINE_EVERY = 30_000;

/** What is told of a stage that is on, and of one that is over. */
const ON: readonly StageText[] = ["bytes", "rate", "left", "failed"];
const OVER: readonly StageText[] = ["bytes", "failed"];

/** A line now and then, and one at the end of each stage, for logs and screens that can't draw. */
export function progressLines(writer: Writer, watch: LimitsWatch): ProgressView {
  const measure = createPaceMeasure();
  const clock = createRunClock();
  const due = new Map<Stage, number>();
  const lineOf = (event: ProgressEvent, pace: StagePace): string =>
    joined([...told(event, pace, ON), ...(event.done === event.total ? [] : [describeLeft(clock), ...around(watch)])]);
  const open = createOpenStages();
  /** The end of a stage, told when something else begins: until then more may come to light, and be done, and be its end again. */
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
      open.told(event);
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

/** Stages that are on: nothing says which event is the last of one whose total is never known, and a run that is stopped leaves some amid. */
interface OpenStages {
  note(event: ProgressEvent): void;
  /** What the event says is told already. */
  told(event: ProgressEvent): void;
  /** A line for each without a total that went further than was told: another stage begins. */
  ends(): readonly string[];
  /** The same for all: it is the end of the run. */
  allEnds(): readonly string[];
}

function createOpenStages(): OpenStages {
  const open = new Map<Stage, ProgressEvent>();
  const known = new Map<Stage, number>();
  const told = ({ stage, done }: ProgressEvent): void => void known.set(stage, done);
  const endsOf = (events: readonly ProgressEvent[]): readonly string[] => {
    const untold = events.filter(({ stage, done }) => known.get(stage) !== done);
    for (const event of events) open.delete(event.stage);
    for (const event of untold) told(event);
    return untold.map((event) => joined([wordsOfEnd(event), ...textsOf(event, NO_PACE, OVER)]));
  };
  return {
    note: (event) => {
      if (event.done === event.total) open.delete(event.stage);
      else open.set(event.stage, event);
    },
    told,
    ends: () => endsOf([...open.values()].filter(({ total }) => total === null)),
    allEnds: () => endsOf([...open.values()]),
  };
}

function wordsOfEnd({ stage, done, total }: ProgressEvent): string {
  return `${stage}: ${total === null ? `${done} in all` : `${done} of ${total}`}`;
}

const NO_PACE: StagePace = { rate: null, left: null };

function told(event: ProgressEvent, pace: StagePace, which: readonly StageText[]): readonly string[] {
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

/** How fast sites are asked, and what holds the run up. */
function around(watch: LimitsWatch): readonly string[] {
  const limits = watch.limits();
  return limits === null ? [] : [describeSites(watch.sites()), describeLimits(limits)];
}
