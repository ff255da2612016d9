import type { Child } from "hono/jsx";
import type { JSX } from "hono/jsx/jsx-runtime";
import type { SiteIdentity } from "../../../core/model/site.js";
import { momentWords } from "../../components/dates.js";
import { Foreign } from "../../components/foreign.js";
import { PageFrame, pageHtml } from "../../components/page-frame.js";
import { Table } from "../../components/table.js";
import { assetAddress } from "../assets.js";
import type { TimeFacts } from "../library.js";
import { TIMES_FOLDER } from "./export-marker.js";

/** No scripts here; a page from a disk has no origin, so `file:` stands for it. */
const POLICY = "default-src 'none'; img-src 'self' file:; style-src 'self' file:; base-uri 'none'; form-action 'none'";

/** The first page of an export of several times: it leads to the latest. */
export function firstPage(site: SiteIdentity, times: readonly TimeFacts[]): string {
  const latest = `${TIMES_FOLDER}/${times.at(-1)?.id ?? ""}/index.html`;
  return pageHtml(
    <Frame site={site} title={site.name} head={<meta http-equiv="refresh" content={`0; url=${latest}`} />}>
      <h1>
        <Foreign text={site.name} />
      </h1>
      <p>
        <a href={latest}>The latest time</a>
      </p>
      <p>
        <a href="times.html">All times</a>
      </p>
    </Frame>,
  );
}

/** All times of an export, the latest first, with the way to what changed in each. */
export function timesPage(site: SiteIdentity, times: readonly TimeFacts[]): string {
  const rows = times
    .map(({ id, time, complete }, at) => [
      <a href={`${TIMES_FOLDER}/${id}/index.html`}>{momentWords(time)}</a>,
      complete ? "whole" : "some items failed",
      <Changes id={id} before={times[at - 1]} />,
    ])
    .toReversed();
  return pageHtml(
    <Frame site={site} title={`Times · ${site.name}`}>
      <h1>Times</h1>
      <p>The site as it was at each of these times. Every page also leads to itself at the others.</p>
      <Table label="Times" head={["When", "How it went", "Changes"]} rows={rows} />
    </Frame>,
  );
}

function Changes({ id, before }: { readonly id: string; readonly before: TimeFacts | undefined }): JSX.Element {
  if (before === undefined) return <span class="muted">the first time</span>;
  return (
    <a href={`${TIMES_FOLDER}/${id}/changes/${before.id}.html`}>{`what changed since ${momentWords(before.time)}`}</a>
  );
}

interface FrameProps {
  readonly site: SiteIdentity;
  readonly title: string;
  readonly head?: Child;
  readonly children: Child;
}

function Frame({ site, title, head, children }: FrameProps): JSX.Element {
  const links = (
    <>
      <link rel="icon" type="image/svg+xml" href={assetAddress("icon.svg")} />
      <link rel="stylesheet" href={assetAddress("style.css")} />
      {head}
    </>
  );
  return (
    <PageFrame title={title} policy={POLICY} head={links}>
      <header class="top">
        <a class="site" href="index.html">
          <Foreign text={site.name} />
        </a>
      </header>
      <main id="main">
        <div class="page-body">{children}</div>
      </main>
    </PageFrame>
  );
}
