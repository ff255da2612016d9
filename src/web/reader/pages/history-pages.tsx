import type { JSX } from "hono/jsx/jsx-runtime";
import { ArchiveError, UsageError } from "../../../core/errors.js";
import type { ItemKind, Key } from "../../../core/model/key.js";
import { MEDIA_KINDS } from "../../../core/model/key.js";
import { merged } from "../../../core/util/iterables.js";
import { withCommas } from "../../../core/util/printable-text.js";
import { Table } from "../../components/elements.js";
import { UntrustedText } from "../../components/untrusted-text.js";
import { When } from "../../components/words.js";
import type { ItemVersion, SnapshotFacts, SnapshotRow, SnapshotView } from "../library.js";
import { guideAt, pagePathOf } from "../page-path.js";
import { snapshotMoment } from "../snapshot-words.js";
import { homeCrumb, readerPage } from "./reader-frame.js";
import { hrefAt, hrefTo, leadsHere, type PageScope } from "./scope.js";

/** undefined: no such item, or no known history. */
export async function historyPage(scope: PageScope, [path = ""]: readonly string[]): Promise<string | undefined> {
  if (!leadsHere(scope, scope.path) || scope.library.versions === undefined) return undefined;
  const entry = scope.catalogue.byPath(path);
  const key = entry?.key ?? guideAt(path);
  if (key === undefined) return undefined;
  const found = await versionsOf(scope, key);
  if (typeof found !== "string" && found.length === 0) return undefined;
  const title = entry?.title ?? key;
  const children = (
    <div class="page-body">
      <p class="kind">History</p>
      <h1>
        <UntrustedText text={title} />
      </h1>
      {typeof found === "string" ? (
        <p class="note warn">
          The history cannot be read: <UntrustedText text={found} />
        </p>
      ) : (
        <Versions scope={scope} path={path} versions={found} />
      )}
    </div>
  );
  const crumbs = [homeCrumb(scope), ...(entry === undefined ? [] : [{ title, href: hrefTo(scope, path) }])];
  return readerPage({ scope, title: `${title}: history`, crumbs, children });
}

/** A text is the reason why the history can't be read. */
async function versionsOf({ library }: PageScope, key: Key): Promise<readonly ItemVersion[] | string> {
  try {
    return (await library.versions?.(key)) ?? [];
  } catch (error) {
    if (error instanceof ArchiveError || error instanceof UsageError) return error.message;
    throw error;
  }
}

interface VersionsProps {
  readonly scope: PageScope;
  readonly path: string;
  readonly versions: readonly ItemVersion[];
}

function Versions({ scope, path, versions }: VersionsProps): JSX.Element {
  const rows = versions
    .map((version, at) => {
      const before = versions[at - 1];
      const when = snapshotMoment(scope.library.snapshots, version.snapshot);
      return [
        version.isThere ? <a href={hrefAt(scope, version.snapshot.id, path)}>{when}</a> : when,
        whatWords(version, before),
        before?.isThere === true && version.isThere ? (
          <a href={hrefAt(scope, version.snapshot.id, `changes/${before.snapshot.id}/${path}`)}>
            show changes<span class="unseen">{` of ${when}`}</span>
          </a>
        ) : null,
      ];
    })
    .toReversed();
  return <Table label="Snapshots with changes" head={["Snapshot", "Change", "Details"]} rows={rows} />;
}

function whatWords({ isThere }: ItemVersion, before: ItemVersion | undefined): string {
  if (!isThere) return "deleted";
  if (before === undefined) return "first snapshot with this item";
  return before.isThere ? "changed" : "recreated";
}

type What = "new" | "changed" | "deleted";

interface Change {
  readonly what: What;
  /** The new row, or the deleted one. */
  readonly row: SnapshotRow;
}

/** Rows of a kind. */
const MOST = 1000;

/** What changed between the snapshot of the page and another one; undefined: no such snapshot. */
export async function changesPage(scope: PageScope, [other = ""]: readonly string[]): Promise<string | undefined> {
  const times = await snapshotPair(scope, other);
  if (times === undefined) return undefined;
  const changes = await changesOf(times);
  const { snapshots } = scope.library;
  const children = (
    <>
      <p class="kind">Changes</p>
      <h1>
        {snapshotMoment(snapshots, times.before.facts)} <span class="muted">to</span>{" "}
        {snapshotMoment(snapshots, times.after.facts)}
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
  return readerPage({ scope, title: "Changes", crumbs: [homeCrumb(scope)], children });
}

async function changesOf({ before, after }: SnapshotPair): Promise<readonly Change[]> {
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
  if (changes.length === 0) return <p>These two snapshots are equal.</p>;
  const count = (what: What): number => changes.filter((change) => change.what === what).length;
  return (
    <ul class="stats">
      {(["new", "changed", "deleted"] as const).map((what) => (
        <li class={what}>
          <strong>{withCommas(count(what))}</strong> {WORDS[what].toLowerCase()}
        </li>
      ))}
    </ul>
  );
}

interface KindGroup {
  readonly id: string;
  readonly title: string;
  readonly kinds: readonly ItemKind[];
  /** Default: false. */
  readonly isFolded?: boolean;
}

const GROUPS: readonly KindGroup[] = [
  { id: "guides", title: "Guides", kinds: ["guide"] },
  { id: "categories", title: "Categories", kinds: ["category"] },
  { id: "pages", title: "Pages", kinds: ["wiki"] },
  { id: "media", title: "Pictures, videos and documents", kinds: MEDIA_KINDS },
  { id: "answers", title: "Other site data", kinds: ["record"], isFolded: true },
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
      {changes.length > MOST && <p class="muted">{`And ${withCommas(changes.length - MOST)} more.`}</p>}
    </>
  );
  return (
    <section aria-labelledby={group.id}>
      <h2 id={group.id}>
        {group.title} <span class="count">{withCommas(changes.length)}</span>
      </h2>
      {group.isFolded === true ? (
        <details>
          <summary>Show items</summary>
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
  const title = <UntrustedText text={row.title === "" ? row.key : row.title} />;
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

/** The older snapshot first, whichever belongs to the page. */
export interface SnapshotPair {
  readonly before: SnapshotView;
  readonly after: SnapshotView;
}

/** The snapshots that a page compares; undefined: no other such snapshot, or no such page. */
export async function snapshotPair(scope: PageScope, id: string): Promise<SnapshotPair | undefined> {
  const { library, snapshot, path } = scope;
  if (id === snapshot.facts.id || !leadsHere(scope, path)) return undefined;
  const other = await library.at(id);
  if (other === undefined) return undefined;
  const isOlder = placeOf(library.snapshots, id) < placeOf(library.snapshots, snapshot.facts.id);
  return isOlder ? { before: other, after: snapshot } : { before: snapshot, after: other };
}

function placeOf(times: readonly SnapshotFacts[], id: string): number {
  return times.findIndex((time) => time.id === id);
}
