import type { JSX } from "hono/jsx/jsx-runtime";
import { dayWords, momentWords } from "../../components/dates.js";
import { Icon } from "../../components/icon.js";
import { numberWords } from "../../components/numbers.js";
import type { TimeFacts } from "../library.js";
import { hrefAt, hrefTo, leadsHere, type PageScope } from "./scope.js";
import { ScriptedTimes } from "./scripted-times.js";

/** Times that the menu itself shows; all stand on the page about the archive. */
const SHOWN = 20;

/** The same page at other times, where there are any. */
export function TimesMenu({ scope }: { readonly scope: PageScope }): JSX.Element | null {
  const { shelf } = scope;
  if (scope.shared !== undefined) return <ScriptedTimes scope={scope} />;
  const latest = timesToGo(scope);
  if (latest.length < 2) return null;
  return (
    <details class="times">
      <summary>
        <Icon name="history" />
        <span>
          <span class="unseen">Shown as of </span>
          {dayWords(shelf.facts.time)}
        </span>
      </summary>
      <nav class="panel" aria-label="Other times">
        <ul>
          {latest.slice(0, SHOWN).map((time) => (
            <TimeRow scope={scope} time={time} />
          ))}
        </ul>
        <a href={hrefTo(scope, "about.html#times")}>{`All ${numberWords(latest.length)} times`}</a>
      </nav>
    </details>
  );
}

/** The times that pages can lead to, and the one of the page itself; latest first. */
export function timesToGo({ library, shelf, leadsTo }: PageScope): readonly TimeFacts[] {
  return library.times.filter(({ id }) => id === shelf.facts.id || leadsTo(id, "index.html")).toReversed();
}

function TimeRow({ scope, time }: { readonly scope: PageScope; readonly time: TimeFacts }): JSX.Element {
  const isThis = time.id === scope.shelf.facts.id;
  const isThere = !/^(?:changes|history)\//.test(scope.path) && (isThis || scope.leadsTo(time.id, scope.path));
  const comparison = `changes/${time.id}.html`;
  return (
    <li>
      <a href={hrefAt(scope, time.id, isThere ? scope.path : "index.html")} aria-current={isThis ? "page" : undefined}>
        {momentWords(time.time)}
      </a>
      {!isThis && leadsHere(scope, comparison) && (
        <a class="quiet" href={hrefTo(scope, comparison)}>
          compare
          <span class="unseen">{` with ${momentWords(time.time)}`}</span>
        </a>
      )}
    </li>
  );
}
