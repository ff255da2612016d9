import type { JSX } from "hono/jsx/jsx-runtime";
import { momentWords } from "../../components/dates.js";
import { Icon } from "../../components/icon.js";
import { hrefTo, leadsHere, type PageScope } from "./scope.js";
import { ScriptedChanges } from "./scripted-times.js";

/** Times that are offered, latest first. */
const SHOWN = 20;

interface HistoryLinkProps extends Pick<PageScope, "path"> {
  readonly scope: PageScope;
  readonly words: string;
}

/** The way to the times at which the item of a page changed, where they can be told. */
export function HistoryLink({ scope, path, words }: HistoryLinkProps): JSX.Element | null {
  const history = `history/${path}`;
  if (scope.library.versions === undefined || !leadsHere(scope, history)) return null;
  return <a href={hrefTo(scope, history)}>{words}</a>;
}

/** The page beside itself at another time, where there is any. */
export function CompareMenu({ scope }: { readonly scope: PageScope }): JSX.Element | null {
  const { library, shelf, path } = scope;
  if (scope.shared !== undefined) return <ScriptedChanges scope={scope} />;
  const others = library.times
    .filter(({ id }) => id !== shelf.facts.id && leadsHere(scope, `changes/${id}/${path}`))
    .toReversed();
  if (others.length === 0) return null;
  return (
    <details class="compare">
      <summary>
        <Icon name="compare" />
        Compare with another time
      </summary>
      <p>
        <HistoryLink scope={scope} path={path} words="Only the times at which it changed" />
      </p>
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
