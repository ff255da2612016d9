import { InlineStyle, styleSource } from "../pages/inline-style.js";
import { numberWords } from "../pages/numbers.js";
import { PageFrame, pageHtml } from "../pages/page-frame.js";
import type { MovedThing } from "../pipeline/map/moved-thing.js";
import { MovedRow } from "./pages/moved-rows.js";
import { ReportBody } from "./pages/report-body.js";
import type { RunReport } from "./run-report.js";

/** No text on a page can look like this: each `<` of it is written as `&lt;`. */
const ROWS = '<tbody class="rows-come-here"></tbody>';

/** A report as a page that is whole in itself, in pieces: it loads nothing and runs nothing, and its memory doesn't go with the number of things. `style`: the stylesheet. */
export function* reportHtml(report: RunReport, moved: Iterable<MovedThing>, style: string): Generator<string> {
  const policy = `default-src 'none'; style-src ${styleSource(style)}; base-uri 'none'; form-action 'none'`;
  const page = pageHtml(
    <PageFrame title={titleOf(report)} policy={policy} head={<InlineStyle css={style} />}>
      <main class="report">
        <ReportBody report={report} />
        {report.moved > 0 && <Moved count={report.moved} />}
        <footer class="muted">
          Made by {report.madeBy} at {report.madeAt}. `guideferry report` makes it again.
        </footer>
      </main>
    </PageFrame>,
  );
  const at = page.indexOf(ROWS);
  if (at < 0) {
    yield page;
    return;
  }
  yield `${page.slice(0, at)}<tbody>`;
  for (const thing of moved) yield `${String(<MovedRow {...thing} />)}\n`;
  yield `</tbody>${page.slice(at + ROWS.length)}`;
}

function titleOf({ run, source, target }: RunReport): string {
  return `${run.command}: ${source?.name ?? "nothing"}${target === null ? "" : ` to ${target.name}`}`;
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
