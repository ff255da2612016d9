import type { JSX } from "hono/jsx/jsx-runtime";
import type { Step } from "../../../core/model/guide.js";
import { idIn } from "../../../core/model/key.js";
import { Foreign, plainWords } from "../../components/foreign.js";
import type { MediaFiles } from "./media-files.js";
import { Remarks } from "./remarks.js";
import { StepLines } from "./step-lines.js";
import { StepMedia } from "./step-media.js";
import type { Texts } from "./texts.js";

export interface StepCardProps {
  readonly step: Step;
  /** From 1. */
  readonly number: number;
  readonly texts: Texts;
  readonly files: MediaFiles;
}

/** A step: its number and title, its pictures, and beside them what to do. The id is the one of the site, so that old links to a step find it. */
export function StepCard({ step, number, texts, files }: StepCardProps): JSX.Element {
  const hasMedia = step.media.type !== "none" && !(step.media.type === "images" && step.media.images.length === 0);
  return (
    <section class={hasMedia ? "step" : "step bare"} id={stepId(step)} aria-labelledby={`step-${number}`}>
      <h3 id={`step-${number}`}>
        <span class="step-number">
          <span class={step.title === "" ? undefined : "unseen"}>Step </span>
          {number}
        </span>
        {step.title !== "" && (
          <span class="step-title">
            <Foreign text={step.title} />
          </span>
        )}
      </h3>
      <div class="step-inside">
        {hasMedia && <StepMedia media={step.media} files={files} name={stepName(step, number)} />}
        <div class="step-words">
          <StepLines lines={step.lines} texts={texts} />
          <Remarks comments={step.comments} texts={texts} />
        </div>
      </div>
    </section>
  );
}

/** `Step 3: Warp the loom` */
export function stepName({ title }: Step, number: number): string {
  return title === "" ? `Step ${number}` : `Step ${number}: ${plainWords(title, 100)}`;
}

/** Of the page's part that a step is. */
export function stepId({ key }: Step): string {
  return `s${idIn(key)}`;
}
