import type { JSX } from "hono/jsx/jsx-runtime";
import { ITEM_KINDS, type ItemKind } from "../../../core/model/key.js";
import { momentWords, When } from "../../components/dates.js";
import { Foreign } from "../../components/foreign.js";
import { countWords, numberWords } from "../../components/numbers.js";
import { Table } from "../../components/table.js";
import { homeCrumb } from "./crumbs.js";
import { OutsideLink } from "./links.js";
import { readerPage } from "./reader-frame.js";
import { hrefAt, hrefTo, leadsHere, type PageScope } from "./scope.js";
import { timesToGo } from "./times-menu.js";

const KIND_WORDS: Readonly<Record<ItemKind, string>> = {
  category: "Categories",
  wiki: "Pages",
  guide: "Guides",
  image: "Pictures",
  video: "Videos",
  document: "Documents",
  record: "Other answers of the site",
};
/** Damaged items that are told one by one. */
const MOST = 500;

/** What this is, from when, and how whole. */
export async function aboutPage(scope: PageScope): Promise<string> {
  const { shelf, library } = scope;
  const { site, facts } = shelf;
  const children = (
    <div class="page-body">
      <h1>About this archive</h1>
      <p>
        This is <Foreign text={site.name} /> as it was on <When seconds={facts.time} exact />, kept by guideferry and
        read without the site. What links here say of other sites leads out of the archive; nothing of them is loaded.
      </p>
      <dl class="info">
        {site.origin !== "" && (
          <div>
            <dt>Site</dt>
            <dd>
              <OutsideLink address={site.origin}>{site.origin}</OutsideLink>
            </dd>
          </div>
        )}
        {scope.mode === "server" && (
          <div>
            <dt>Opened from</dt>
            <dd>
              <code>
                <Foreign text={library.path} />
              </code>
            </dd>
          </div>
        )}
        <div>
          <dt>Languages</dt>
          <dd>{(site.languages.length === 0 ? [site.language] : site.languages).join(", ")}</dd>
        </div>
      </dl>
      <Counts scope={scope} />
      <Times scope={scope} />
      <Remarks scope={scope} />
      <Damage scope={scope} />
    </div>
  );
  return readerPage({ scope, title: "About this archive", crumbs: [homeCrumb(scope)], children });
}

function Counts({ scope: { catalogue } }: { readonly scope: PageScope }): JSX.Element {
  const rows = ITEM_KINDS.filter((kind) => catalogue.counts[kind] > 0).map((kind) => [
    KIND_WORDS[kind],
    numberWords(catalogue.counts[kind]),
  ]);
  return (
    <section aria-labelledby="counts">
      <h2 id="counts">What it holds</h2>
      <Table label="What it holds" head={["Kind", "Number"]} rows={rows} numbers={[1]} />
    </section>
  );
}

function Times({ scope }: { readonly scope: PageScope }): JSX.Element | null {
  const { shelf } = scope;
  const times = timesToGo(scope);
  if (times.length < 2) return null;
  const rows = times.map(({ id, time, complete }) => [
    <a href={hrefAt(scope, id, "index.html")} aria-current={id === shelf.facts.id ? "page" : undefined}>
      {momentWords(time)}
    </a>,
    complete ? "whole" : "some items failed",
    id === shelf.facts.id ? "shown now" : <Differs scope={scope} path={`changes/${id}.html`} />,
  ]);
  return (
    <section aria-labelledby="times">
      <h2 id="times">Times</h2>
      <Table label="Times" head={["When", "How it went", "Changes"]} rows={rows} />
    </section>
  );
}

function Differs({ scope, path }: Pick<PageScope, "path"> & { readonly scope: PageScope }): JSX.Element | null {
  return leadsHere(scope, path) ? <a href={hrefTo(scope, path)}>what differs from now</a> : null;
}

/** What is odd names places of this machine, which an export shall not tell. */
export function remarksOf({ library, mode }: PageScope): readonly string[] {
  return mode === "server" ? library.remarks : [];
}

function Remarks({ scope }: { readonly scope: PageScope }): JSX.Element | null {
  const remarks = remarksOf(scope);
  if (remarks.length === 0) return null;
  return (
    <section aria-labelledby="remarks">
      <h2 id="remarks">What is odd about it</h2>
      <ul>
        {remarks.map((text) => (
          <li>
            <Foreign text={text} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Damage({ scope: { catalogue } }: { readonly scope: PageScope }): JSX.Element | null {
  const { damaged } = catalogue;
  if (damaged.length === 0) return null;
  return (
    <section aria-labelledby="damage">
      <h2 id="damage">{`${countWords(damaged.length, "item")} can't be read`}</h2>
      <p>
        Everything else can. <code>guideferry repair</code> mends a repository; a workspace is mended by extracting
        again.
      </p>
      <ul>
        {damaged.slice(0, MOST).map(({ key, reason }) => (
          <li>
            <code>
              <Foreign text={key} />
            </code>
            : <Foreign text={reason} />
          </li>
        ))}
      </ul>
      {damaged.length > MOST && <p class="muted">{`And ${numberWords(damaged.length - MOST)} more.`}</p>}
    </section>
  );
}
