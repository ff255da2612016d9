import type { Child } from "hono/jsx";
import type { JSX } from "hono/jsx/jsx-runtime";

export interface SidesProps {
  readonly old: Child;
  readonly now: Child;
}

/** Old and new beside each other; below each other where there is no room. */
export function Sides({ old, now }: SidesProps): JSX.Element {
  return (
    <div class="sides">
      <div class="side old">
        <p class="unseen">Old:</p>
        {old}
      </div>
      <div class="side new">
        <p class="unseen">New:</p>
        {now}
      </div>
    </div>
  );
}

/** What stands at a side that has nothing. */
export function Nothing(): JSX.Element {
  return <p class="muted">nothing</p>;
}
