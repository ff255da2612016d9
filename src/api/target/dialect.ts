import type { SiteIdentity } from "../../contracts.js";

/** What differs between the two dialects of the service (api-facts 0.3). One row a dialect; nothing else asks which one a site is. */
export interface Dialect {
  /** Is there an upload for documents and videos (`POST /user/media/uploads`)? */
  readonly uploadsFiles: boolean;
  /** Can a guide be given to another author? */
  readonly writesAuthor: boolean;
  /** Is there a work log that guides switch on or off? */
  readonly hasWorkLog: boolean;
  /** Can a part be marked as optional or featured (api-facts 3.7)? */
  readonly marksParts: boolean;
}

const DIALECTS: Readonly<Record<SiteIdentity["dialect"], Dialect>> = {
  dozuki: {
    uploadsFiles: true,
    writesAuthor: true,
    hasWorkLog: true,
    marksParts: false,
  },
  ifixit: {
    uploadsFiles: false,
    writesAuthor: false,
    hasWorkLog: false,
    marksParts: true,
  },
  // Nothing is there to tell by, and the specification describes the first one: its fields are a superset.
  unknown: {
    uploadsFiles: true,
    writesAuthor: true,
    hasWorkLog: true,
    marksParts: true,
  },
};

export function dialectOf(identity: SiteIdentity): Dialect {
  return DIALECTS[identity.dialect];
}
