import type { JSX } from "hono/jsx/jsx-runtime";
import { merged } from "../../../storage/repository/read/side-by-side.js";
import type { ItemKind } from "../../../core/model/key.js";
import { momentWords, When } from "../../components/dates.js";
import { Foreign } from "../../components/foreign.js";
import { numberWords } from "../../components/numbers.js";
import type { ShelfRow } from "../library.js";
import { pagePathOf } from "../page-path.js";
import { homeCrumb } from "./crumbs.js";
import { type TwoTimes, twoTimes } from "./other-time.js";
import { readerPage } from "./reader-frame.js";
import { hrefTo, leadsHere, type PageScope } from "./scope.js";

type What = "new" | "changed" | "deleted";

interface Change {
  readonly what: What;
  /** As it is now, or as it was last. */
  readonly row: ShelfRow;
}

/** Items of a kind that are listed. */
const MOST = 1000;

/** What came, changed and went between the time of the page and another one; undefined: there is no such time. */
export async function changesPage(scope: PageScope, [other = ""]: readonly string[]): Promise<string | undefined> {
  const times = await twoTimes(scope, other);
  if (times === undefined) return undefined;
  const changes = await changesOf(times);
  const children = (
    <>
      <p class="kind">Changes</p>
      <h1>
        {momentWords(times.before.facts.time)} <span class="muted">to</span> {momentWords(times.after.facts.time)}
      </h1>
      <Summary changes={changes} />
      {GROUPS.map((group) => (
        <Group
          scope={scope}
          other={other}
          group={group}
          changes={changes.filter(({ row }) => group.kinds.includes(row.kind))}
        />
      ))}
    </>
  );
  return readerPage({ scope, title: "What changed", crumbs: [homeCrumb(scope)], children });
}

async function changesOf({ before, after }: TwoTimes): Promise<readonly Change[]> {
  const changes: Change[] = [];
  for await (const [old, now] of merged(before.rows(), after.rows(), ({ key }) => key)) {
    if (old === undefined) changes.push({ what: "new", row: now });
    else if (now === undefined) changes.push({ what: "deleted", row: old });
    else if (old.digest !== now.digest) changes.push({ what: "changed", row: now });
  }
  return changes;
}

const WORDS: Readonly<Record<What, string>> = { new: "New", changed: "Changed", deleted: "Deleted" };

function Summary({ changes }: { readonly changes: readonly Change[] }): JSX.Element {
  if (changes.length === 0) return <p>Nothing differs between these two times.</p>;
  const count = (what: What): number => changes.filter((change) => change.what === what).length;
  return (
    <ul class="stats">
      {(["new", "changed", "deleted"] as const).map((what) => (
        <li class={what}>
          <strong>{numberWords(count(what))}</strong> {WORDS[what].toLowerCase()}
        </li>
      ))}
    </ul>
  );
}

interface KindGroup {
  readonly id: string;
  readonly title: string;
  readonly kinds: readonly ItemKind[];
  /** Of little interest to who reads guides. Default: false. */
  readonly isFolded?: boolean;
}

const GROUPS: readonly KindGroup[] = [
  { id: "guides", title: "Guides", kinds: ["guide"] },
  { id: "categories", title: "Categories", kinds: ["category"] },
  { id: "pages", title: "Pages", kinds: ["wiki"] },
  { id: "media", title: "Pictures, videos and documents", kinds: ["image", "video", "document"] },
  { id: "answers", title: "Other answers of the site", kinds: ["record"], isFolded: true },
];

interface GroupProps {
  readonly scope: PageScope;
  readonly other: string;
  readonly group: KindGroup;
  readonly changes: readonly Change[];
}

function Group({ scope, other, group, changes }: GroupProps): JSX.Element | null {
  if (changes.length === 0) return null;
  const list = (
    <>
      <ul class="changes">
        {changes.slice(0, MOST).map((change) => (
          <ChangeRow scope={scope} other={other} change={change} />
        ))}
      </ul>
      {changes.length > MOST && <p class="muted">{`And ${numberWords(changes.length - MOST)} more.`}</p>}
    </>
  );
  return (
    <section aria-labelledby={group.id}>
      <h2 id={group.id}>
        {group.title} <span class="count">{numberWords(changes.length)}</span>
      </h2>
      {group.isFolded === true ? (
        <details>
          <summary>each</summary>
          {list}
        </details>
      ) : (
        list
      )}
    </section>
  );
}

function ChangeRow({
  scope,
  other,
  change,
}: Omit<GroupProps, "group" | "changes"> & { readonly change: Change }): JSX.Element {
  const { what, row } = change;
  const path = pagePathOf(row.key);
  const comparison = `changes/${other}/${path}`;
  const title = <Foreign text={row.title === "" ? row.key : row.title} />;
  return (
    <li>
      <span class={`chip ${what}`}>{WORDS[what]}</span>
      {path === "" || !leadsHere(scope, comparison) ? title : <a href={hrefTo(scope, comparison)}>{title}</a>}
      {row.modified !== null && (
        <span class="muted">
          <When seconds={row.modified} />
        </span>
      )}
    </li>
  );
}
