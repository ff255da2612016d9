import type { JSX } from "hono/jsx/jsx-runtime";
import { withCommas } from "../../core/util/printable-text.js";
import { plainWords, UntrustedText } from "../components/untrusted-text.js";

import { type Entry, RESULTS } from "./entries.js";

/** Entries that are on the page itself, for readers without scripts. */
export const STATIC_ENTRIES = 50;

const WORDS: ReadonlyMap<string, string> = new Map(RESULTS);

interface EntryListProps {
  readonly first: readonly Entry[];
  readonly count: number;
}

/** The list of all entries; `browser/rows.ts` adds the filter and shows all of them. */
export function EntryList({ first, count }: EntryListProps): JSX.Element {
  return (
    <section id="entries" aria-labelledby="entries-title" data-results={JSON.stringify(RESULTS)}>
      <h2 id="entries-title">All entries ({withCommas(count)})</h2>
      <div id="entries-filter" class="not-printed" />
      {count > first.length && (
        <p class="muted" id="entries-note">
          The first {withCommas(first.length)} of {withCommas(count)}. With JavaScript, this list shows all and can be
          searched. <code>outcomes.ndjson</code> and <code>losses.ndjson</code> next to this page contain all, and{" "}
          <code>guideferry map</code> lists the new addresses.
        </p>
      )}
      <section class="wide" tabindex={0} aria-label="All entries (table)">
        <table class="table entries">
          <thead>
            <tr>
              <th scope="col">Result</th>
              <th scope="col">Item</th>
              <th scope="col">What happened</th>
            </tr>
          </thead>
          <tbody>
            {first.map((entry) => (
              <EntryRow {...entry} />
            ))}
          </tbody>
        </table>
      </section>
    </section>
  );
}

/** `browser/rows.ts` makes the same row. */
function EntryRow(entry: Entry): JSX.Element {
  const { result, key, title, code, field, message, remedy, command, oldAddress, newAddress } = entry;
  return (
    <tr>
      <td>
        <span class={`chip result is-${result}`}>{WORDS.get(result)}</span>
      </td>
      <th scope="row">
        <strong>
          <UntrustedText text={title === "" ? key : title} />
        </strong>
        <br />
        {title !== "" && (
          <code class="muted">
            <UntrustedText text={key} />
          </code>
        )}{" "}
        <Address address={oldAddress} words="source" of={title} />{" "}
        <Address address={newAddress} words="target" of={title} />
      </th>
      <td>
        {field !== "" && (
          <span class="muted">
            <UntrustedText text={`${capital(field)}: `} />
          </span>
        )}
        <UntrustedText text={message} />
        {remedy !== "" && (
          <span class="remedy">
            <UntrustedText text={remedy} />
          </span>
        )}
        {command !== "" && (
          <span class="remedy">
            To include it:{" "}
            <code>
              <UntrustedText text={command} />
            </code>
          </span>
        )}
        {code !== "" && (
          <>
            {" "}
            <code class="muted">
              <UntrustedText text={code} />
            </code>
          </>
        )}
      </td>
    </tr>
  );
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

interface AddressProps {
  readonly address: string;
  readonly words: string;
  /** The title of the item. */
  readonly of: string;
}

/** A link with short words; nothing for anything but a web address. */
export function Address({ address, words, of }: AddressProps): JSX.Element | null {
  if (!/^https?:\/\//i.test(address)) return null;
  return (
    <a href={address} rel="noreferrer noopener" title={plainWords(`${of}: ${address}`)}>
      {words}
    </a>
  );
}
