import type { JSX } from "hono/jsx/jsx-runtime";

/** A pattern of slanted lines, for a drawing in which something is told apart by more than its colour. `id`: on the page there is no other such. */
export function Hatch({ id }: { readonly id: string }): JSX.Element {
  return (
    <defs>
      <pattern id={id} width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <path class="chart-hatch" d="M0 3H6" />
      </pattern>
    </defs>
  );
}
