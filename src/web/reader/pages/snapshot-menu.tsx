import type { JSX } from "hono/jsx/jsx-runtime";
import { withCommas } from "../../../core/util/printable-text.js";
import { Icon } from "../../components/elements.js";

import type { SnapshotFacts } from "../library.js";
import { snapshotDay, snapshotMoment } from "../snapshot-words.js";
import { hrefAt, hrefTo, hrefToShared, leadsHere, type PageScope } from "./scope.js";

/** Snapshots in the menu; the page about the archive lists all. */
const SHOWN = 20;

/** The same page in other snapshots. */
export function SnapshotMenu({ scope }: { readonly scope: PageScope }): JSX.Element | null {
  const { snapshot } = scope;
  if (scope.shared !== undefined) return <ScriptedMenu scope={scope} />;
  const latest = listedSnapshots(scope);
  if (latest.length < 2) return null;
  return (
    <details class="times">
      <summary>
        <Icon name="history" />
        <span>
          <span class="unseen">Snapshot of </span>
          {snapshotDay(latest, snapshot.facts)}
        </span>
      </summary>
      <nav class="panel" aria-label="Other snapshots">
        <ul>
          {latest.slice(0, SHOWN).map((time) => (
            <SnapshotLink scope={scope} time={time} />
          ))}
        </ul>
        <a href={hrefTo(scope, "about.html#times")}>{`All snapshots (${withCommas(latest.length)})`}</a>
      </nav>
    </details>
  );
}

/** Linked snapshots and the page's own, latest first. */
export function listedSnapshots({ library, snapshot, leadsTo }: PageScope): readonly SnapshotFacts[] {
  return library.snapshots.filter(({ id }) => id === snapshot.facts.id || leadsTo(id, "index.html")).toReversed();
}

function SnapshotLink({ scope, time }: { readonly scope: PageScope; readonly time: SnapshotFacts }): JSX.Element {
  const isThis = time.id === scope.snapshot.facts.id;
  const isThere = !/^(?:changes|history)\//.test(scope.path) && (isThis || scope.leadsTo(time.id, scope.path));
  const comparison = `changes/${time.id}.html`;
  const when = snapshotMoment(scope.library.snapshots, time);
  return (
    <li>
      <a href={hrefAt(scope, time.id, isThere ? scope.path : "index.html")} aria-current={isThis ? "page" : undefined}>
        {when}
      </a>
      {!isThis && leadsHere(scope, comparison) && (
        <a class="quiet" href={hrefTo(scope, comparison)}>
          compare
          <span class="unseen">{` with ${when}`}</span>
        </a>
      )}
    </li>
  );
}

interface HistoryLinkProps extends Pick<PageScope, "path"> {
  readonly scope: PageScope;
  readonly words: string;
}

/** Shown where the library knows the history of items. */
export function HistoryLink({ scope, path, words }: HistoryLinkProps): JSX.Element | null {
  const history = `history/${path}`;
  if (scope.library.versions === undefined || !leadsHere(scope, history)) return null;
  return <a href={hrefTo(scope, history)}>{words}</a>;
}

export function CompareMenu({ scope }: { readonly scope: PageScope }): JSX.Element | null {
  const { library, snapshot, path } = scope;
  if (scope.shared !== undefined) return <ScriptedChanges scope={scope} />;
  const others = library.snapshots
    .filter(({ id }) => id !== snapshot.facts.id && leadsHere(scope, `changes/${id}/${path}`))
    .toReversed();
  if (others.length === 0) return null;
  return (
    <details class="compare">
      <summary>
        <Icon name="compare" />
        Compare with another snapshot
      </summary>
      <p>
        <HistoryLink scope={scope} path={path} words="Show only snapshots with changes" />
      </p>
      <ul class="titles">
        {others.slice(0, SHOWN).map((other) => (
          <li>
            <a href={hrefTo(scope, `changes/${other.id}/${path}`)}>{snapshotMoment(library.snapshots, other)}</a>
          </li>
        ))}
      </ul>
    </details>
  );
}

/**
 * A script (`src/web/reader/browser/times.ts`) fills the list, since a page that names snapshots
 * would change with each new one. Without scripts it links the list of all snapshots.
 */
function ScriptedMenu({ scope }: { readonly scope: PageScope }): JSX.Element {
  return (
    <details class="times" data-root={scope.root} data-path={scope.path}>
      <summary>
        <Icon name="history" />
        <span>
          <span class="unseen">Snapshot of </span>
          <span class="day">Snapshots</span>
        </span>
      </summary>
      <nav class="panel" aria-label="Other snapshots">
        <ul />
        <a href={hrefToShared(scope, "times.html")}>All snapshots</a>
      </nav>
    </details>
  );
}

/** Filled and shown by the same script. */
function ScriptedChanges({ scope }: { readonly scope: PageScope }): JSX.Element {
  return (
    <details class="compare" data-root={scope.root} data-path={scope.path} hidden>
      <summary>
        <Icon name="compare" />
        Compare with another snapshot
      </summary>
      <ul class="titles" />
    </details>
  );
}
