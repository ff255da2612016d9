import type { JSX } from "hono/jsx/jsx-runtime";
import { dayWords, momentWords } from "../../pages/dates.js";
import { Icon } from "../../pages/icon.js";
import { numberWords } from "../../pages/numbers.js";
import type { TimeFacts } from "../library.js";
import { hrefAt, hrefTo, type PageScope } from "./scope.js";

/** Times that the menu itself shows; all stand on the page about the archive. */
const SHOWN = 20;

/** The same page at other times, where there are any. */
export function TimesMenu({ scope }: { readonly scope: PageScope }): JSX.Element | null {
  const { library, shelf, mode } = scope;
  if (mode === "files" || library.times.length < 2) return null;
  const latest = library.times.toReversed();
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

function TimeRow({ scope, time }: { readonly scope: PageScope; readonly time: TimeFacts }): JSX.Element {
  const isThis = time.id === scope.shelf.facts.id;
  const page = scope.path.startsWith("changes/") ? "index.html" : scope.path;
  return (
    <li>
      <a href={hrefAt(scope, time.id, page)} aria-current={isThis ? "page" : undefined}>
        {momentWords(time.time)}
      </a>
      {!isThis && (
        <a class="quiet" href={hrefTo(scope, `changes/${time.id}.html`)}>
          compare
          <span class="unseen">{` with ${momentWords(time.time)}`}</span>
        </a>
      )}
    </li>
  );
}
