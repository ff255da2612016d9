import type { Child } from "hono/jsx";
import type { JSX } from "hono/jsx/jsx-runtime";
import { safeAddress } from "../../../../transforms/html/reader/safe-address.js";
import { readOwnAddress } from "../../../../transforms/references/own-address.js";
import { Icon } from "../../components/icon.js";
import { hrefOf, type PageScope } from "./scope.js";

export interface AnywhereLinkProps {
  readonly scope: PageScope;
  /** As the site gave it: of this site, where the archive may have the page, or any other. */
  readonly address: string | null;
  readonly children: Child;
}

/** A link to the page of the archive that an address means; else to the address itself, if one may go there; else the words alone. */
export function AnywhereLink({ scope, address, children }: AnywhereLinkProps): JSX.Element {
  if (address === null || address === "") return <>{children}</>;
  const { site } = scope.shelf;
  const key = readOwnAddress(address, 0, site)?.key ?? undefined;
  const entry = key && scope.catalogue.entry(key);
  if (entry !== undefined && entry.path !== "") return <a href={hrefOf(scope, entry)}>{children}</a>;
  const outside = safeAddress(address, site.origin);
  const link = outside === undefined ? children : <OutsideLink address={outside}>{children}</OutsideLink>;
  if (key === undefined) return <>{link}</>;
  return <Absent>{link}</Absent>;
}

/** An item of the site that is not here, in the words that texts have for it. */
function Absent({ children }: { readonly children: Child }): JSX.Element {
  return (
    <span class="absent">
      {children} <span class="absent-note">(not in this archive)</span>
    </span>
  );
}

export interface OutsideLinkProps {
  /** Of the web. */
  readonly address: string;
  readonly children: Child;
}

/** A link that leaves the archive: nothing tells the other side where one came from. */
export function OutsideLink({ address, children }: OutsideLinkProps): JSX.Element {
  return (
    <a class="outside" href={address} rel="noreferrer noopener nofollow">
      {children}
      <Icon name="outside" />
    </a>
  );
}

/** Where an item was at the site, if that can be told. */
export function AtSite({ scope, address }: Omit<AnywhereLinkProps, "children">): JSX.Element | null {
  const outside = address === null || address === "" ? undefined : safeAddress(address, scope.shelf.site.origin);
  if (outside === undefined) return null;
  return (
    <p class="at-site muted">
      <OutsideLink address={outside}>Open this page at the site</OutsideLink>
    </p>
  );
}
