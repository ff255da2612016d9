import type { JSX } from "hono/jsx/jsx-runtime";
import { Icon } from "../../components/icon.js";
import { hrefToShared, type PageScope } from "./scope.js";

/**
 * The same page at other times, in an export of several: a script (`src/web/reader/browser/times.ts`) fills the list in, since a page that names the times would be another
 * one with each new time. Without scripts it leads to the list of all times.
 */
export function ScriptedTimes({ scope }: { readonly scope: PageScope }): JSX.Element {
  return (
    <details class="times" data-root={scope.root} data-path={scope.path}>
      <summary>
        <Icon name="history" />
        <span>
          <span class="unseen">Shown as of </span>
          <span class="day">Times</span>
        </span>
      </summary>
      <nav class="panel" aria-label="Other times">
        <ul />
        <a href={hrefToShared(scope, "times.html")}>All times</a>
      </nav>
    </details>
  );
}

/** When the page changed, and what: filled in by the same script, which shows it. */
export function ScriptedChanges({ scope }: { readonly scope: PageScope }): JSX.Element {
  return (
    <details class="compare" data-root={scope.root} data-path={scope.path} hidden>
      <summary>
        <Icon name="compare" />
        Compare with another time
      </summary>
      <ul class="titles" />
    </details>
  );
}
