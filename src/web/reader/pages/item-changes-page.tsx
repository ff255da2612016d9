import type { JSX } from "hono/jsx/jsx-runtime";
import type { Item } from "../../../core/model/item.js";
import type { Key } from "../../../core/model/key.js";
import { momentWords } from "../../components/dates.js";
import { Foreign } from "../../components/foreign.js";
import { fieldChanges } from "../../../backup/past/field-changes.js";
import type { Shelf } from "../library.js";
import { pagePathOf } from "../page-path.js";
import { comparedSide } from "./comparison/compared-side.js";
import { type ShownChange, shownChanges } from "./comparison/item-views.js";
import { homeCrumb } from "./crumbs.js";
import { type FoundItem, itemOf } from "./item-of.js";
import { type TwoTimes, twoTimes } from "./other-time.js";
import { readerPage } from "./reader-frame.js";
import { hrefAt, hrefTo, type PageScope } from "./scope.js";

/** One item at the time of the page and at another one, side by side, field by field; undefined: there is no such time, or neither has it. */
export async function itemChangesPage(
  scope: PageScope,
  [other = "", path = ""]: readonly string[],
): Promise<string | undefined> {
  const times = await twoTimes(scope, other);
  if (times === undefined) return undefined;
  const key = scope.catalogue.byPath(path)?.key ?? (await keyOf(times, path));
  if (key === undefined) return undefined;
  const [before, after] = [await itemOf(times.before, key), await itemOf(times.after, key)];
  const title = titleOf(after.item ?? before.item) || key;
  const children = (
    <article class="comparison">
      <p class="kind">Old and new</p>
      <h1>
        <Foreign text={title} />
      </h1>
      <Sides scope={scope} path={path} times={times} found={[before, after]} />
      {before.item !== undefined && after.item !== undefined ? (
        <Changes changes={await changesOf(scope, times, [before.item, after.item])} />
      ) : (
        <p class="note">There is nothing to compare: only one of the two times has it.</p>
      )}
    </article>
  );
  const crumbs = [homeCrumb(scope), { title: "What changed", href: hrefTo(scope, `changes/${other}.html`) }];
  return readerPage({ scope, title: `${title}: old and new`, crumbs, children });
}

/** What is not there now is known by its address only: its key is among the rows of one of the times. */
async function keyOf({ before, after }: TwoTimes, path: string): Promise<Key | undefined> {
  for (const shelf of [before, after])
    for await (const { key } of shelf.rows()) if (pagePathOf(key) === path) return key;
  return undefined;
}

function titleOf(item: Item | undefined): string {
  return item !== undefined && "title" in item.body ? item.body.title : "";
}

interface SidesProps {
  readonly scope: PageScope;
  readonly path: string;
  readonly times: TwoTimes;
  readonly found: readonly [FoundItem, FoundItem];
}

/** Which time stands on which side, and the way to the page at each. */
function Sides({ scope, path, times, found: [before, after] }: SidesProps): JSX.Element {
  return (
    <div class="sides heads">
      <Side name="Old" scope={scope} path={path} shelf={times.before} found={before} />
      <Side name="New" scope={scope} path={path} shelf={times.after} found={after} />
    </div>
  );
}

interface SideProps extends Pick<SidesProps, "scope" | "path"> {
  readonly name: string;
  readonly shelf: Shelf;
  readonly found: FoundItem;
}

function Side({ name, scope, path, shelf, found }: SideProps): JSX.Element {
  const when = momentWords(shelf.facts.time);
  return (
    <p>
      <strong>{name}: </strong>
      {found.item === undefined ? when : <a href={hrefAt(scope, shelf.facts.id, path)}>{when}</a>}
      {found.damage !== undefined && (
        <span class="warn">
          {" "}
          can't be read: <Foreign text={found.damage} />
        </span>
      )}
      {found.item === undefined && found.damage === undefined && <span class="muted"> It was not there.</span>}
    </p>
  );
}

async function changesOf(
  scope: PageScope,
  { before, after }: TwoTimes,
  [old, now]: readonly [Item, Item],
): Promise<readonly ShownChange[]> {
  const sides = [
    await comparedSide(scope, "old", { shelf: before, item: old }),
    await comparedSide(scope, "new", { shelf: after, item: now }),
  ] as const;
  return shownChanges(sides, fieldChanges(old, now));
}

function Changes({ changes }: { readonly changes: readonly ShownChange[] }): JSX.Element {
  if (changes.length === 0) return <p>Nothing differs between these two times.</p>;
  const [large, small] = [changes.filter(({ isSmall }) => !isSmall), changes.filter(({ isSmall }) => isSmall)];
  return (
    <>
      {large.map(({ content }) => content)}
      {small.length > 0 && (
        <details class="small-changes" open={large.length === 0}>
          <summary>What follows from it, and what only the site needs</summary>
          {small.map(({ content }) => content)}
        </details>
      )}
    </>
  );
}
