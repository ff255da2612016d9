import type { JSX } from "hono/jsx/jsx-runtime";
import { ArchiveError, UsageError } from "../../../core/errors.js";
import type { Key } from "../../../core/model/key.js";
import { momentWords } from "../../components/dates.js";
import { Foreign } from "../../components/foreign.js";
import { Table } from "../../components/table.js";
import type { ItemVersion } from "../library.js";
import { homeCrumb } from "./crumbs.js";
import { readerPage } from "./reader-frame.js";
import { hrefAt, hrefTo, leadsHere, type PageScope } from "./scope.js";

/** The times at which an item changed, each with what changed then; undefined: there is no such item, or the times can't be told. */
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
        <Foreign text={title} />
      </h1>
      {typeof found === "string" ? (
        <p class="note warn">
          The times can't be told: <Foreign text={found} />
        </p>
      ) : (
        <Versions scope={scope} path={path} versions={found} />
      )}
    </div>
  );
  const crumbs = [homeCrumb(scope), ...(entry === undefined ? [] : [{ title, href: hrefTo(scope, path) }])];
  return readerPage({ scope, title: `${title}: history`, crumbs, children });
}

/** The guide whose page an address is, also one that is not there; undefined: it is no guide's. */
export function guideAt(path: string): Key | undefined {
  const [, id, language] = /^guide\/(\d{1,15})(?:-([a-z]{2,3}(?:-[a-z0-9]{1,8})*))?\.html$/.exec(path) ?? [];
  if (id === undefined) return undefined;
  return language === undefined ? `guide/${id}` : `guide/${id}@${language}`;
}

/** Or why they can't be told, for people. */
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
      const when = momentWords(version.time.time);
      return [
        version.isThere ? <a href={hrefAt(scope, version.time.id, path)}>{when}</a> : when,
        whatWords(version, before),
        before?.isThere === true && version.isThere ? (
          <a href={hrefAt(scope, version.time.id, `changes/${before.time.id}/${path}`)}>
            what changed<span class="unseen">{` on ${when}`}</span>
          </a>
        ) : null,
      ];
    })
    .toReversed();
  return <Table label="Times at which it changed" head={["When", "What", "Changes"]} rows={rows} />;
}

function whatWords({ isThere }: ItemVersion, before: ItemVersion | undefined): string {
  if (!isThere) return "deleted";
  if (before === undefined) return "first there";
  return before.isThere ? "changed" : "back again";
}
