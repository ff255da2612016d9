import type { JSX } from "hono/jsx/jsx-runtime";
import type { Step } from "../../../core/model/guide.js";
import { Foreign } from "../../components/foreign.js";
import { stepId } from "./step-card.js";

/** The way to each step: by title where steps have any, else by number. */
export function StepList({ steps }: { readonly steps: readonly Step[] }): JSX.Element | null {
  if (steps.length < 2) return null;
  const hasTitles = steps.some(({ title }) => title !== "");
  return (
    <nav class="aside" aria-labelledby="step-list">
      <h2 id="step-list">All steps</h2>
      <ol class={hasTitles ? "step-list" : "step-list numbers"}>
        {steps.map((step, at) => (
          <li>
            <a href={`#${stepId(step)}`}>
              <StepNumber number={at + 1} isSaid={!hasTitles || step.title !== ""} />
              {hasTitles && <span>{step.title === "" ? `Step ${at + 1}` : <Foreign text={step.title} />}</span>}
            </a>
          </li>
        ))}
      </ol>
    </nav>
  );
}

interface StepNumberProps {
  /** From 1. */
  readonly number: number;
  /** Not where the words beside it say the number too. */
  readonly isSaid: boolean;
}

function StepNumber({ number, isSaid }: StepNumberProps): JSX.Element {
  return (
    <span class="step-list-number" aria-hidden={isSaid ? undefined : "true"}>
      {isSaid && <span class="unseen">Step </span>}
      {number}
    </span>
  );
}
