import type { Child } from "hono/jsx";
import type { JSX } from "hono/jsx/jsx-runtime";
import { Foreign } from "../../components/foreign.js";
import type { RunReport } from "../run-report.js";
import { noSource } from "./no-source.js";

export interface RunHeadProps extends Pick<RunReport, "source"> {
  /** `reached` false: nothing was written there yet. */
  readonly target: (NonNullable<RunReport["source"]> & { readonly reached?: boolean }) | null;
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
        {source === null ? noSource(run.command) : <Foreign text={nameOf(source, target)} />}
        {target !== null && (
          <>
            {" "}
            <span aria-hidden="true">→</span>
            <span class="unseen"> to </span> <Foreign text={nameOf(target, source)} />
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
            {target.reached === false && " (nothing was written there yet)"}
          </Fact>
        )}
      </dl>
    </header>
  );
}

type Site = NonNullable<RunReport["source"]>;

/** A copy of a site has its name; where it lies tells them apart. */
function nameOf({ name, root }: Site, other: Site | null): string {
  if (other === null || other.name !== name || other.root === root || !URL.canParse(root)) return name;
  return `${name} (${new URL(root).host})`;
}

function Fact({ name, children }: { readonly name: string; readonly children?: Child }): JSX.Element {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
