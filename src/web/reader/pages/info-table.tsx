import type { JSX } from "hono/jsx/jsx-runtime";
import type { Wiki } from "../../../core/model/wiki.js";
import { Foreign } from "../../components/foreign.js";
import { SafeText } from "../../components/safe-html.js";
import { Table } from "../../components/table.js";
import { AnywhereLink } from "./links.js";
import type { PageScope } from "./scope.js";
import type { Texts } from "./texts.js";

export interface InfoTableProps extends Pick<Wiki, "info"> {
  readonly texts: Texts;
}

/** What people filled in about a thing, name by name. */
export function InfoTable({ info, texts }: InfoTableProps): JSX.Element | null {
  const told = info.filter(({ value }) => value !== "");
  if (told.length === 0) return null;
  return (
    <section aria-labelledby="facts">
      <h2 id="facts">Facts</h2>
      <dl class="info">
        {told.map(({ name, value }) => (
          <div>
            <dt>
              <Foreign text={name} />
            </dt>
            <dd>
              <SafeText html={texts.line(value)} inline />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

export interface SuppliersProps extends Pick<Wiki, "suppliers"> {
  readonly scope: PageScope;
}

/** Where an item can be bought (api-facts 8.3). */
export function Suppliers({ scope, suppliers }: SuppliersProps): JSX.Element | null {
  if (suppliers.length === 0) return null;
  const rows = suppliers.map((row) => [
    <AnywhereLink scope={scope} address={textIn(row, "url")}>
      <Foreign text={textIn(row, "supplier") || textIn(row, "url") || "Somebody"} />
    </AnywhereLink>,
    <Foreign text={textIn(row, "part_#")} />,
    <Foreign text={textIn(row, "type")} />,
  ]);
  return (
    <section aria-labelledby="suppliers">
      <h2 id="suppliers">Suppliers</h2>
      <Table label="Suppliers" head={["Supplier", "Part number", "Type"]} rows={rows} />
    </section>
  );
}

function textIn(row: Readonly<Record<string, unknown>>, name: string): string {
  const value = row[name];
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}
