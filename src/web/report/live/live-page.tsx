import type { JSX } from "hono/jsx/jsx-runtime";
import { PageFrame, pageHtml } from "../../components/page-frame.js";
import { LiveBody } from "./live-body.js";
import type { LiveFacts } from "./live-facts.js";

/** How a run stands, in the words of the page. */
export interface LiveState {
  readonly state: "on" | "paused" | "over";
  readonly words: string;
}

/** Nothing but what this server serves, and no script but its own file. */
export const LIVE_POLICY =
  "default-src 'none'; img-src 'self'; style-src 'self'; script-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'";

/** The page as it is loaded; `browser/live.ts` keeps it up to date. */
export function livePage(facts: LiveFacts, { state, words }: LiveState): string {
  return pageHtml(
    <PageFrame title={titleOf(facts)} policy={LIVE_POLICY} head={<Head />}>
      <div class="live" data-state={state}>
        <p class="live-state" id="live-state" role="status" tabindex={-1}>
          {words}
        </p>
        <button type="button" id="live-pause" hidden>
          Pause
        </button>
      </div>
      <main class="report" id="live-body">
        <LiveBody facts={facts} />
      </main>
      <noscript>
        <p class="live-note">
          Without scripts this page stays as it was when it was loaded. Load it again to see more.
        </p>
      </noscript>
    </PageFrame>,
  );
}

function Head(): JSX.Element {
  return (
    <>
      <link rel="icon" href="/icon.svg" />
      <link rel="stylesheet" href="/style.css" />
      <script src="/live.js" defer />
    </>
  );
}

function titleOf({ run, source, target }: LiveFacts): string {
  return `${run.command}: ${source?.name ?? "nothing yet"}${target === null ? "" : ` to ${target.name}`}`;
}
