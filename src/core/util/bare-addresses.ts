/**
 * A text whose web addresses have no name and password, no query and no fragment: any of them may be a secret, as the signature of a link
 * that opens a package for everybody.
 */
export function bareAddresses(text: string): string {
  return text.replace(ADDRESS, "$<scheme>$<host>$<path>");
}

const ADDRESS =
  /(?<scheme>\b[a-z][a-z0-9+.-]{0,30}:\/\/)(?:[^\s"'<>/?#]*@)?(?<host>[^\s"'<>/?#]*)(?<path>[^\s"'<>?#]*)[^\s"'<>]*/gi;
