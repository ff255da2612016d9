import type { JSX } from "hono/jsx/jsx-runtime";
import { wikiOf } from "../../../core/model/key.js";
import { Foreign } from "../../components/foreign.js";
import { numberWords } from "../../components/numbers.js";
import type { Entry } from "../catalogue.js";
import { guidesBelow } from "./category-note.js";
import { hrefOf, type PageScope } from "./scope.js";

/** Categories that the tree shows; those below the last of them stand on their pages. */
const MOST = 1500;
const DEEPEST = 12;

/** All categories, folded. */
export function CategoryTree({ scope }: { readonly scope: PageScope }): JSX.Element {
  const walk: Walk = { scope, seen: new Set() };
  return (
    <>
      <Level walk={walk} entries={scope.catalogue.categoriesIn(null)} depth={0} />
      {scope.catalogue.counts.category > MOST && (
        <p class="muted">
          {`The tree ends after ${numberWords(MOST)} categories; the pages of those above them lead to the others.`}
        </p>
      )}
    </>
  );
}

interface Walk {
  readonly scope: PageScope;
  /** Shown already: a circle of categories ends there. */
  readonly seen: Set<Entry>;
}

interface LevelProps {
  readonly walk: Walk;
  readonly entries: readonly Entry[];
  readonly depth: number;
}

function Level({ walk, entries, depth }: LevelProps): JSX.Element {
  const fresh = entries.filter((entry) => walk.seen.size < MOST && !walk.seen.has(entry) && walk.seen.add(entry));
  return (
    <ul class={depth === 0 ? "tree" : undefined}>
      {fresh.map((entry) => (
        <Branch walk={walk} entry={entry} depth={depth} />
      ))}
    </ul>
  );
}

function Branch({ walk, entry, depth }: Omit<LevelProps, "entries"> & { readonly entry: Entry }): JSX.Element {
  const { scope } = walk;
  const below = depth < DEEPEST ? scope.catalogue.categoriesIn(wikiOf(entry.key).title) : [];
  const guides = guidesBelow(scope.catalogue, entry);
  const line = (
    <span class="branch">
      <a href={hrefOf(scope, entry)}>
        <Foreign text={entry.title} />
      </a>
      <span class="count">
        {numberWords(guides)}
        <span class="unseen">{guides === 1 ? " guide" : " guides"}</span>
      </span>
    </span>
  );
  if (below.length === 0) return <li>{line}</li>;
  return (
    <li>
      {line}
      <details>
        <summary>
          <span class="unseen">
            Below <Foreign text={entry.title} />
          </span>
        </summary>
        <Level walk={walk} entries={below} depth={depth + 1} />
      </details>
    </li>
  );
}
