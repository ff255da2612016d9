import type { Child } from "hono/jsx";
import type { JSX } from "hono/jsx/jsx-runtime";

export interface PartProps {
  readonly id: string;
  readonly title: string;
  readonly children?: Child;
}

/** A named part of a report, which a screen reader can go to. */
export function Part({ id, title, children }: PartProps): JSX.Element {
  return (
    <section id={id} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{title}</h2>
      {children}
    </section>
  );
}
