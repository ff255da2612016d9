import type { JSX } from "hono/jsx/jsx-runtime";
import { Foreign } from "../../components/foreign.js";

/** The service's own words, from the easiest (api-facts 3.8). */
const LEVELS: readonly string[] = ["Very easy", "Easy", "Moderate", "Difficult", "Very difficult"];

/** How difficult a guide is: the word, and bars where it is one of the five that the service knows. */
export function Difficulty({ label }: { readonly label: string }): JSX.Element {
  const level = LEVELS.indexOf(label) + 1;
  return (
    <span class="difficulty">
      <Foreign text={label} />
      {level > 0 && (
        <svg
          class={`bars level-${level}`}
          viewBox="0 0 38 16"
          width="38"
          height="16"
          aria-hidden="true"
          focusable="false"
        >
          {LEVELS.map((_, at) => (
            <rect
              class={at < level ? "on" : "off"}
              x={at * 8}
              y={12 - at * 2.5}
              width="5"
              height={4 + at * 2.5}
              rx="1.5"
            />
          ))}
        </svg>
      )}
    </span>
  );
}
