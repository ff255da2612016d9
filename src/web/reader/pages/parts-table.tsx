import type { JSX } from "hono/jsx/jsx-runtime";
import type { Part } from "../../../core/model/guide.js";
import { Foreign } from "../../components/foreign.js";
import { numberWords } from "../../components/numbers.js";
import { SafeText } from "../../components/safe-html.js";
import { Table } from "../../components/table.js";
import { AnywhereLink } from "./links.js";
import type { PageScope } from "./scope.js";
import type { Texts } from "./texts.js";

export interface PartsTableProps {
  readonly scope: PageScope;
  /** `Parts` or `Tools`. */
  readonly title: string;
  readonly parts: readonly Part[];
  readonly texts: Texts;
}

/** What one needs. Columns that no row has anything in are left out. */
export function PartsTable({ scope, title, parts, texts }: PartsTableProps): JSX.Element | null {
  if (parts.length === 0) return null;
  const columns = COLUMNS.filter(({ has }) => parts.some(has));
  return (
    <section class="parts" aria-labelledby={`list-${title.toLowerCase()}`}>
      <h2 id={`list-${title.toLowerCase()}`}>{title}</h2>
      {columns.length === 1 ? (
        <ul class="names">
          {parts.map((part) => (
            <li>{nameCell(part, { scope })}</li>
          ))}
        </ul>
      ) : (
        <Table
          label={title}
          head={columns.map(({ head }) => head)}
          numbers={columns.flatMap(({ isNumber }, at) => (isNumber ? [at] : []))}
          rows={parts.map((part) => columns.map(({ cell }) => cell(part, { scope, texts })))}
        />
      )}
    </section>
  );
}

type CellContext = Pick<PartsTableProps, "scope" | "texts">;

interface Column {
  readonly head: string;
  readonly isNumber: boolean;
  readonly has: (part: Part) => boolean;
  readonly cell: (part: Part, context: CellContext) => JSX.Element | string | null;
}

const COLUMNS: readonly Column[] = [
  { head: "Name", isNumber: false, has: () => true, cell: nameCell },
  {
    head: "Quantity",
    isNumber: true,
    has: ({ quantity }) => quantity !== null && quantity !== 1,
    cell: ({ quantity }) => (quantity === null ? "" : numberWords(quantity)),
  },
  { head: "Type", isNumber: false, has: ({ type }) => type !== "", cell: ({ type }) => <Foreign text={type} /> },
  {
    head: "Notes",
    isNumber: false,
    has: ({ notes }) => notes !== "",
    cell: ({ notes }, { texts }) => <SafeText html={texts.line(notes)} inline />,
  },
];

function nameCell({ name, url, optional }: Part, { scope }: Pick<CellContext, "scope">): JSX.Element {
  return (
    <>
      <AnywhereLink scope={scope} address={url}>
        <Foreign text={name} />
      </AnywhereLink>
      {optional === true && <span class="chip">Optional</span>}
    </>
  );
}
