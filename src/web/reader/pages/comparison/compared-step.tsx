import type { JSX } from "hono/jsx/jsx-runtime";
import type { Step, StepMedia } from "../../../../core/model/guide.js";
import type { Key } from "../../../../core/model/key.js";
import { Foreign } from "../../../components/foreign.js";
import { WordsDiff } from "../changed-field.js";
import { LinesOfSide, linePairs } from "./compared-lines.js";
import { MediaOfSide, mediaPairs } from "./compared-media.js";
import type { ComparedSide } from "./compared-side.js";
import { MarkChip } from "./marks.js";
import { Nothing, Sides } from "./sides.js";

/** A step with its place in the guide, from 1. */
export interface PlacedStep {
  readonly step: Step;
  readonly number: number;
}

export interface ComparedStepProps {
  readonly sides: readonly [ComparedSide, ComparedSide];
  /** undefined: it is not there at this side. At least one of the two is. */
  readonly before: PlacedStep | undefined;
  readonly after: PlacedStep | undefined;
}

/** A step as people read it, old beside new: its title, its pictures and its lines. */
export function ComparedStep({ sides, before, after }: ComparedStepProps): JSX.Element {
  const [oldLines, newLines] = linePairs(sides, before?.step.lines ?? [], after?.step.lines ?? []);
  const [oldMedia, newMedia] = mediaPairs(sides, mediaOf(before), mediaOf(after));
  const card = (side: "old" | "new"): JSX.Element =>
    (side === "old" ? before : after) === undefined ? (
      <Nothing />
    ) : (
      <>
        <Title before={before} after={after} side={side} />
        <LinesOfSide lines={side === "old" ? oldLines : newLines} />
        <Embed before={before?.step.media} after={after?.step.media} side={side} />
        {(side === "old" ? oldMedia : newMedia).length > 0 && (
          <MediaOfSide media={side === "old" ? oldMedia : newMedia} />
        )}
      </>
    );
  return <Sides old={card("old")} now={card("new")} />;
}

/** `Step 3`, with what became of it: `New`, `was step 2`. */
export function StepName({ before, after }: Omit<ComparedStepProps, "sides">): JSX.Element {
  const wasNumber = before !== undefined && after !== undefined && before.number !== after.number;
  return (
    <>
      {`Step ${(after ?? before)?.number ?? ""} `}
      {before === undefined && <MarkChip kind="came" />}
      {after === undefined && <MarkChip kind="went" />}
      {wasNumber && <span class="muted">{`was step ${before.number}`}</span>}
    </>
  );
}

interface SideOfStep {
  readonly before: PlacedStep | undefined;
  readonly after: PlacedStep | undefined;
  readonly side: "old" | "new";
}

function Title({ before, after, side }: SideOfStep): JSX.Element | null {
  const [old, now] = [before?.step.title ?? "", after?.step.title ?? ""];
  if ((side === "old" ? old : now) === "") return null;
  return (
    <h3>
      <WordsDiff before={old} after={now} side={side} inline />
    </h3>
  );
}

interface EmbedProps {
  readonly before: StepMedia | undefined;
  readonly after: StepMedia | undefined;
  readonly side: "old" | "new";
}

/** What another site shows: its title and address. */
function Embed({ before, after, side }: EmbedProps): JSX.Element | null {
  const [old, now] = [embedWords(before), embedWords(after)];
  if ((side === "old" ? old : now) === "") return null;
  return <WordsDiff before={old} after={now} side={side} />;
}

function embedWords(media: StepMedia | undefined): string {
  return media?.type === "embed" ? `${media.title ?? ""} ${media.url}`.trim() : "";
}

function mediaOf(placed: PlacedStep | undefined): readonly Key[] {
  const media = placed?.step.media;
  if (media?.type === "images") return media.images;
  return media?.type === "video" ? [media.video] : [];
}

/** The steps in their order, old and new: those that stand elsewhere are marked. */
export interface StepOrderProps {
  readonly before: readonly Step[];
  readonly after: readonly Step[];
  /** Keys that moved. */
  readonly moved: ReadonlySet<Key>;
}

export function StepOrder({ before, after, moved }: StepOrderProps): JSX.Element {
  const numbers = new Map(before.map(({ key }, at) => [key, at + 1]));
  const list = (steps: readonly Step[], isNew: boolean): JSX.Element => (
    <ol class="step-order">
      {steps.map(({ key, title, lines }) => (
        <li class={moved.has(key) ? "moved" : undefined}>
          <Foreign text={title || lines[0]?.text || "without a title"} longest={100} />
          {isNew && moved.has(key) && (
            <>
              {" "}
              <span class="chip changed">{`moved, was step ${numbers.get(key) ?? ""}`}</span>
            </>
          )}
        </li>
      ))}
    </ol>
  );
  return <Sides old={list(before, false)} now={list(after, true)} />;
}
