import type { Child } from "hono/jsx";
import type { JSX } from "hono/jsx/jsx-runtime";
import { Foreign } from "../../web/components/foreign.js";
import { wholePage } from "../../web/components/page-frame.js";
import { numberWords } from "../../web/components/words.js";
import type { PackageFinding } from "../package.js";
import { plain } from "../plain-text.js";
import type { CodeCount, PackageTally } from "./package-tally.js";
import { GROUPS, type Group, groupOf, outcomeOf, type ReportLine, remarksOf } from "./report-line.js";

/**
 * A page for people, whole in itself, in pieces; the memory goes with one package. All foreign text
 * in it is text.
 */
export async function* htmlReport(parts: ReportParts): AsyncGenerator<string> {
  const { tally } = parts;
  const { before, after } = wholePage("Training packages");
  yield before;
  yield String(<Head tally={tally} />);
  const codes = tally.codes();
  if (codes.length > 0) {
    const table = tableOf("What to fix", ["Code", "Packages", "What it means", "What to do", "Where"]);
    yield `<details class="card packages" open><summary>What to fix</summary>\n${table.before}`;
    for (const code of codes) yield `${<Fix {...code} />}\n`;
    yield `${table.after}</details>\n`;
  }
  for (const [group, packages] of groupsOf(parts)) {
    const isOpen = group === "accepted" ? "" : " open";
    const table = tableOf(GROUPS[group], ["Package", "Standard", "Title", "Findings"]);
    const title = `${GROUPS[group]} (${numberWords(packages)})`;
    yield `<details class="card packages"${isOpen}><summary>${title}</summary>\n${table.before}`;
    for await (const line of linesOf(parts, group)) yield `${<Package {...line} />}\n`;
    yield `${table.after}</details>\n`;
  }
  yield after;
}

function Head({ tally }: { readonly tally: PackageTally }): JSX.Element {
  const outcomes = [...tally.outcomes].map(([name, count]) => `${numberWords(count)} ${name}`);
  return (
    <header class="report-head">
      <h1>Training packages</h1>
      <p>{tally.words()}.</p>
      {outcomes.length > 0 && <p>{outcomes.join(", ")}.</p>}
    </header>
  );
}

/** A table in two halves, between which its rows come. */
function tableOf(label: string, head: readonly string[]): { readonly before: string; readonly after: string } {
  const html = String(
    <section class="wide" tabindex={0} aria-label={`${label} (table)`}>
      <table class="table">
        <thead>
          <tr>
            {head.map((cell) => (
              <th scope="col">{cell}</th>
            ))}
          </tr>
        </thead>
        <tbody />
      </table>
    </section>,
  );
  const at = html.indexOf("</tbody>");
  return { before: html.slice(0, at), after: html.slice(at) };
}

function Fix({ code, level, packages, meaning, remedy, files }: CodeCount): JSX.Element {
  return (
    <tr>
      <th scope="row">
        <Code code={code} level={level} />
      </th>
      <td class="num">{numberWords(packages)}</td>
      <td>{meaning}</td>
      <td>{remedy}</td>
      <td>
        <ul>
          {files.map((file) => (
            <li>
              <Foreign text={file} />
            </li>
          ))}
          {packages > files.length && <li>and {numberWords(packages - files.length)} more</li>}
        </ul>
      </td>
    </tr>
  );
}

function Package(line: ReportLine): JSX.Element {
  const { file, standard, title } = line;
  const words = [outcomeOf(line), ...remarksOf(line)].filter((text) => text !== "");
  return (
    <tr>
      <th scope="row">
        <Foreign text={plain(file)} />
      </th>
      <td>{standard ?? ""}</td>
      <td>
        <Foreign text={title ?? ""} />
      </td>
      <td>
        {words.map((text) => (
          <div>
            <Foreign text={text} />
          </div>
        ))}
        <Findings {...line} />
      </td>
    </tr>
  );
}

function Findings({ findings, findingsLeft, repairs }: ReportLine): JSX.Element | null {
  const more = findingsLeft + Math.max(0, findings.length - MOST_FINDINGS);
  const items: readonly Child[] = [
    ...findings.slice(0, MOST_FINDINGS).map((finding) => <Finding {...finding} />),
    ...(more > 0 ? [`${numberWords(more)} more`] : []),
    ...repairs.slice(0, MOST_FINDINGS).map(({ path, what }) => (
      <>
        repaired: <Foreign text={`${path}: ${what}`} />
      </>
    )),
  ];
  if (items.length === 0) return null;
  return (
    <ul>
      {items.map((item) => (
        <li>{item}</li>
      ))}
    </ul>
  );
}

function Finding({ code, level, place, detail, remedy }: PackageFinding): JSX.Element {
  return (
    <>
      <Code code={code} level={level} />
      {place !== null && (
        <>
          {" "}
          <Foreign text={place} />
        </>
      )}
      : <Foreign text={detail} />
      <span class="remedy">{remedy}</span>
    </>
  );
}

function Code({ code, level }: Pick<PackageFinding, "code" | "level">): JSX.Element {
  return <code class={level === "error" ? "bad" : "warn"}>{code}</code>;
}

/** What a report for people is made of. */
interface ReportParts {
  /** Of all lines. */
  readonly tally: PackageTally;
  /**
   * All lines, from the first one; called once for each part of the report, so that no more than
   * one line is held.
   */
  readonly lines: () => AsyncIterable<ReportLine> | Iterable<ReportLine>;
}

/** Findings of one package that a person reads; the report for programs has all. */
const MOST_FINDINGS = 50;

/** The lines of one part. */
async function* linesOf({ lines }: ReportParts, group: Group): AsyncGenerator<ReportLine> {
  for await (const line of lines()) if (groupOf(line) === group) yield line;
}

/** The parts that have packages, in their order. */
function groupsOf({ tally }: ReportParts): readonly (readonly [Group, number])[] {
  const { refused, stuck, warned, accepted } = tally.groups;
  const all: readonly (readonly [Group, number])[] = [
    ["refused", refused],
    ["stuck", stuck],
    ["warned", warned],
    ["accepted", accepted],
  ];
  return all.filter(([, packages]) => packages > 0);
}
