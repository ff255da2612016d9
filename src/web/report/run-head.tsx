import type { Child } from "hono/jsx";
import type { JSX } from "hono/jsx/jsx-runtime";
import { withCommas } from "../../core/util/printable-text.js";
import { UntrustedText } from "../components/untrusted-text.js";

import type { Timeline } from "./course.js";
import type { RunReport } from "./run-report.js";

interface RunHeadProps extends Pick<RunReport, "source"> {
  /** `reached` false: no run has written to it. */
  readonly target: (NonNullable<RunReport["source"]> & { readonly reached?: boolean }) | null;
  readonly run: Pick<RunReport["run"], "id" | "command" | "started">;
  /** null: unknown. */
  readonly time: string | null;
  /** The outcome or the state. */
  readonly children?: Child;
}

export function RunHead({ run, source, target, time, children }: RunHeadProps): JSX.Element {
  return (
    <header class="report-head">
      <p class="muted">
        guideferry {run.command}, run {run.id}
      </p>
      <h1>
        {source === null ? noSource(run.command) : <UntrustedText text={nameOf(source, target)} />}
        {target !== null && <ToSite target={target} source={source} />}
      </h1>
      {children}
      <dl class="facts">
        <Fact name="Started">
          <time datetime={run.started}>{run.started.slice(0, 19).replace("T", " ")} UTC</time>
        </Fact>
        {time !== null && <Fact name="Duration">{time}</Fact>}
        {source !== null && (
          <Fact name="Source">
            <UntrustedText text={source.root} />
          </Fact>
        )}
        {target !== null && (
          <Fact name="Target">
            <UntrustedText text={target.root} />
            {target.reached === false && " (no run has written to it)"}
          </Fact>
        )}
      </dl>
    </header>
  );
}

type Site = NonNullable<RunReport["source"]>;

/** The heading of a page about two sites. */
export function BothSites({ source, target }: { readonly source: Site; readonly target: Site }): JSX.Element {
  return (
    <h1>
      <UntrustedText text={nameOf(source, target)} />
      <ToSite target={target} source={source} />
    </h1>
  );
}

function ToSite({ source, target }: { readonly source: Site | null; readonly target: Site }): JSX.Element {
  return (
    <>
      {" "}
      <span aria-hidden="true">→</span>
      <span class="unseen"> to </span> <UntrustedText text={nameOf(target, source)} />
    </>
  );
}

/** Adds the host where a copy of a site has the same name. */
function nameOf({ name, root }: Site, other: Site | null): string {
  if (other === null || other.name !== name || other.root === root || !URL.canParse(root)) return name;
  return `${name} (${new URL(root).host})`;
}

/** An entry of a list of facts. */
export function Fact({ name, children }: { readonly name: string; readonly children?: Child }): JSX.Element {
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
  /** The part of the page with its details; default: none. */
  readonly part?: string | undefined;
  readonly isBad?: boolean;
  readonly isWarning?: boolean;
}

export function Totals({ totals }: { readonly totals: readonly Total[] }): JSX.Element {
  return (
    <ul class="totals">
      {totals.map(({ name, value, part, isBad = false, isWarning = false }) => {
        const words = (
          <>
            <strong>{withCommas(value)}</strong> {name}
          </>
        );
        return (
          <li class={isBad ? "bad" : isWarning ? "warn" : undefined}>
            {part === undefined || value === 0 ? words : <a href={`#${part}`}>{words}</a>}
          </li>
        );
      })}
    </ul>
  );
}

export function requestTotals(timeline: Timeline | null): readonly Total[] {
  const buckets = timeline?.origins.flatMap((origin) => origin.buckets) ?? [];
  return [
    { name: "Requests", value: buckets.reduce((total, { starts }) => total + starts, 0) },
    { name: "Rate-limited (429)", value: buckets.reduce((total, { refusals }) => total + refusals, 0) },
  ];
}

interface PartProps {
  readonly id: string;
  readonly title: string;
  readonly children?: Child;
}

export function Part({ id, title, children }: PartProps): JSX.Element {
  return (
    <section id={id} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{title}</h2>
      {children}
    </section>
  );
}

/** Sources of commands that read no site. */
const READ_FROM: Readonly<Record<string, string>> = { "import-training": "Training packages" };

/** The heading of a run without a known source. */
export function noSource(command: string): string {
  return READ_FROM[command] ?? "Source not read yet";
}
