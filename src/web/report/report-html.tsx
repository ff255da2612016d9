import type { JSX } from "hono/jsx/jsx-runtime";
import { messageOf } from "../../core/errors.js";
import type { MovedThing } from "../../sync/map/moved-things.js";
import { Foreign, plainWords } from "../components/foreign.js";
import { wholePage } from "../components/page-frame.js";
import { numberWords } from "../components/words.js";
import { ReportBody } from "./report-body.js";
import { noSource } from "./run-head.js";
import type { RunReport } from "./run-report.js";

/** No text on a page can look like this: each `<` of it is written as `&lt;`. */
const ROWS = '<tbody class="rows-come-here"></tbody>';

/**
 * A report as a page that is whole in itself, in pieces: it loads nothing and runs nothing, and its
 * memory doesn't go with the number of things.
 */
export function* reportHtml(report: RunReport, moved: Iterable<MovedThing>): Generator<string> {
  const { before, after } = wholePage(titleOf(report));
  const main = String(<Main report={report} />);
  yield before;
  const at = main.indexOf(ROWS);
  if (at < 0) yield main;
  else {
    yield `${main.slice(0, at)}<tbody>`;
    yield* rowsOf(moved);
    yield `</tbody>${main.slice(at + ROWS.length)}`;
  }
  yield after;
}

function Main({ report }: { readonly report: RunReport }) {
  return (
    <>
      <ReportBody report={report} />
      {report.moved > 0 && <Moved count={report.moved} />}
      <footer class="muted">
        Made by {report.madeBy} at {report.madeAt}. `guideferry report` makes it again.
      </footer>
    </>
  );
}

/** A page that is nearly whole is better than none. */
function* rowsOf(moved: Iterable<MovedThing>): Generator<string> {
  try {
    for (const thing of moved) yield `${String(<MovedRow {...thing} />)}\n`;
  } catch (error) {
    yield String(<UnreadRow reason={messageOf(error)} />);
  }
}

function UnreadRow({ reason }: { readonly reason: string }) {
  return (
    <tr>
      <td colspan={3}>
        <strong class="bad">What else there is can't be read:</strong> <Foreign text={reason} />
      </td>
    </tr>
  );
}

function titleOf({ run, source, target }: RunReport): string {
  return `${run.command}: ${source?.name ?? noSource(run.command)}${target === null ? "" : ` to ${target.name}`}`;
}

function Moved({ count }: { readonly count: number }) {
  return (
    <section id="addresses" aria-labelledby="addresses-title">
      <h2 id="addresses-title">Where everything is ({numberWords(count)})</h2>
      <details class="card">
        <summary>Each with its old and its new address</summary>
        <section class="wide" tabindex={0} aria-label="Old and new addresses">
          <table class="table">
            <thead>
              <tr>
                <th scope="col">What</th>
                <th scope="col">Where it was</th>
                <th scope="col">Where it is</th>
              </tr>
            </thead>
            <tbody class="rows-come-here" />
          </table>
        </section>
      </details>
    </section>
  );
}

/** Where one thing was, and where it is. */
function MovedRow({ kind, key, title, oldAddress, newAddress, adopted }: MovedThing): JSX.Element {
  const name = title === "" ? key : title;
  return (
    <tr>
      <th scope="row">
        <Foreign text={name} /> <span class="muted">{kind}</span>
        {adopted && <span class="chip">was there before</span>}
      </th>
      <td>{oldAddress === null ? <span class="muted">documents</span> : <Address address={oldAddress} of={name} />}</td>
      <td>
        <Address address={newAddress} of={name} />
      </td>
    </tr>
  );
}

/** An address that is none of the web is shown and leads nowhere. */
function Address({ address, of }: { readonly address: string; readonly of: string }): JSX.Element {
  if (!/^https?:\/\//i.test(address)) return <Foreign text={address} />;
  return (
    <a href={address} rel="noreferrer noopener" title={plainWords(of)}>
      <Foreign text={address} />
    </a>
  );
}
