import type { JSX } from "hono/jsx/jsx-runtime";
import { safeAddress } from "../../../../transforms/html/reader/safe-address.js";
import { When } from "../../components/dates.js";
import { Foreign } from "../../components/foreign.js";
import type { PageScope } from "./scope.js";

/** What a page is the page of. */
export interface PrintedItem {
  /** `Guide 12`; foreign text is fine. */
  readonly words: string;
  /** Where it was at the site. */
  readonly url: string | null;
}

export interface PrintedSourceProps {
  readonly scope: PageScope;
  /** Of the page. */
  readonly title: string;
  /** Default: none, the page is a list. */
  readonly item?: PrintedItem | undefined;
}

const LONGEST_TITLE = 100;

/**
 * Where a sheet of paper came from: page, site, the item's number and address, and from when it is. It stands at the foot of every sheet, and on no screen, which
 * shows each in its place. The pages of an export have no time in them (see `PageContext`); where several times lie beside each other, a script fills it in.
 */
export function PrintedSource({ scope, title, item }: PrintedSourceProps): JSX.Element {
  const { site, facts } = scope.shelf;
  const address = item?.url ? safeAddress(item.url, site.origin) : undefined;
  return (
    <div class="printed">
      <p>
        <Foreign text={title} longest={LONGEST_TITLE} />
        {item !== undefined && (
          <>
            {" · "}
            <Foreign text={item.words} longest={LONGEST_TITLE} />
          </>
        )}
        {title !== site.name && (
          <>
            {" · "}
            <Foreign text={site.name} />
          </>
        )}
        {scope.mode === "server" ? (
          <>
            , as it was on <When seconds={facts.time} exact />
          </>
        ) : (
          <span class="printed-time" />
        )}
        {` · ${address ?? site.origin}`}
      </p>
    </div>
  );
}
