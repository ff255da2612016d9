import type { JSX } from "hono/jsx/jsx-runtime";
import type { Step } from "../../model/guide.js";
import { Foreign } from "../../pages/foreign.js";
import { stepId } from "./step-card.js";

/** The way to each step: by title where steps have any, else by number. */
export function StepList({ steps }: { readonly steps: readonly Step[] }): JSX.Element | null {
  if (steps.length < 2) return null;
  const hasTitles = steps.some(({ title }) => title !== "");
  return (
    <nav class="aside" aria-labelledby="step-list">
      <h2 id="step-list">Steps</h2>
      <ol class={hasTitles ? "step-list" : "step-list numbers"}>
        {steps.map((step, at) => (
          <li>
            <a href={`#${stepId(step)}`}>
              <span class="step-list-number">
                <span class="unseen">Step </span>
                {at + 1}
              </span>
              {hasTitles && <span>{step.title === "" ? `Step ${at + 1}` : <Foreign text={step.title} />}</span>}
            </a>
          </li>
        ))}
      </ol>
    </nav>
  );
}
