import type { JSX } from "hono/jsx/jsx-runtime";
import { momentWords } from "../../pages/dates.js";
import { Icon } from "../../pages/icon.js";
import { hrefTo, type PageScope } from "./scope.js";

/** Times that are offered, latest first. */
const SHOWN = 20;

/** The page beside itself at another time, where there is any. */
export function CompareMenu({ scope }: { readonly scope: PageScope }): JSX.Element | null {
  const { library, shelf, mode, path } = scope;
  const others = library.times.filter(({ id }) => id !== shelf.facts.id).toReversed();
  if (mode === "files" || others.length === 0) return null;
  return (
    <details class="compare">
      <summary>
        <Icon name="compare" />
        Compare with another time
      </summary>
      <ul class="titles">
        {others.slice(0, SHOWN).map(({ id, time }) => (
          <li>
            <a href={hrefTo(scope, `changes/${id}/${path}`)}>{momentWords(time)}</a>
          </li>
        ))}
      </ul>
    </details>
  );
}
