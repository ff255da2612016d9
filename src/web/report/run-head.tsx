import type { Child } from "hono/jsx";
import type { JSX } from "hono/jsx/jsx-runtime";
import { Foreign } from "../components/foreign.js";
import { numberWords } from "../components/words.js";
import type { Timeline } from "./course.js";
import type { RunReport } from "./run-report.js";

interface RunHeadProps extends Pick<RunReport, "source"> {
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

export interface Total {
  readonly name: string;
  readonly value: number;
  readonly isBad?: boolean;
  readonly isWarning?: boolean;
}

/** The numbers that are looked for first. */
export function Totals({ totals }: { readonly totals: readonly Total[] }): JSX.Element {
  return (
    <ul class="totals">
      {totals.map(({ name, value, isBad = false, isWarning = false }) => (
        <li class={isBad ? "bad" : isWarning ? "warn" : undefined}>
          <strong>{numberWords(value)}</strong> {name}
        </li>
      ))}
    </ul>
  );
}

/** What went out so far. */
export function requestTotals(timeline: Timeline | null): readonly Total[] {
  const buckets = timeline?.origins.flatMap((origin) => origin.buckets) ?? [];
  return [
    { name: "Requests", value: buckets.reduce((total, { starts }) => total + starts, 0) },
    { name: "Refused for being too many", value: buckets.reduce((total, { refusals }) => total + refusals, 0) },
  ];
}

interface PartProps {
  readonly id: string;
  readonly title: string;
  readonly children?: Child;
}

/** A named part of a report, which a screen reader can go to. */
export function Part({ id, title, children }: PartProps): JSX.Element {
  return (
    <section id={id} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{title}</h2>
      {children}
    </section>
  );
}

/** What a run without a source reads from, by its command. */
const READ_FROM: Readonly<Record<string, string>> = { "import-training": "Training packages" };

/** What stands in the place of a source's name, where the workspace knows none. */
export function noSource(command: string): string {
  return READ_FROM[command] ?? "Nothing was read yet";
}
