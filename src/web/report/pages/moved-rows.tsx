import type { JSX } from "hono/jsx/jsx-runtime";
import { Foreign, plainWords } from "../../components/foreign.js";
import type { MovedThing } from "../../../sync/map/moved-thing.js";

/** Where one thing was, and where it is. */
export function MovedRow({ kind, key, title, oldAddress, newAddress, adopted }: MovedThing): JSX.Element {
  const name = title === "" ? key : title;
  return (
    <tr>
      <th scope="row">
        <Foreign text={name} /> <span class="muted">{kind}</span>
        {adopted && <span class="chip">was there before</span>}
      </th>
      <td>{oldAddress === null ? <span class="muted">documents</span> : <Address address={oldAddress} of={name} />}</td>
      <td>
        <Address address={newAddress} of={name} />
      </td>
    </tr>
  );
}

/** An address that is none of the web is shown and leads nowhere. */
function Address({ address, of }: { readonly address: string; readonly of: string }): JSX.Element {
  if (!/^https?:\/\//i.test(address)) return <Foreign text={address} />;
  return (
    <a href={address} rel="noreferrer noopener" title={plainWords(of)}>
      <Foreign text={address} />
    </a>
  );
}
