import type { Child } from "hono/jsx";
import type { JSX } from "hono/jsx/jsx-runtime";
import { Foreign } from "../../pages/foreign.js";
import type { RunReport } from "../run-report.js";

export interface RunHeadProps extends Pick<RunReport, "source" | "target"> {
  readonly run: Pick<RunReport["run"], "id" | "command" | "started">;
  /** In words; null: not known. */
  readonly time: string | null;
  /** How it ended, or how it stands. */
  readonly children?: Child;
}

/** Which run a page is of. */
export function RunHead({ run, source, target, time, children }: RunHeadProps): JSX.Element {
  return (
    <header class="report-head">
      <p class="muted">
        guideferry {run.command}, run {run.id}
      </p>
      <h1>
        {source === null ? "Nothing was read yet" : <Foreign text={source.name} />}
        {target !== null && (
          <>
            {" "}
            <span aria-hidden="true">→</span>
            <span class="unseen"> to </span> <Foreign text={target.name} />
          </>
        )}
      </h1>
      {children}
      <dl class="facts">
        <Fact name="Started">
          <time datetime={run.started}>{run.started.slice(0, 19).replace("T", " ")} UTC</time>
        </Fact>
        {time !== null && <Fact name="Time">{time}</Fact>}
        {source !== null && (
          <Fact name="Source">
            <Foreign text={source.root} />
          </Fact>
        )}
        {target !== null && (
          <Fact name="Target">
            <Foreign text={target.root} />
          </Fact>
        )}
      </dl>
    </header>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children?: Child }): JSX.Element {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
