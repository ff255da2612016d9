import { type Host, isHost, writeHost } from "./host.js";

/** Which host gives way to which. */
export interface Replacement {
  readonly from: Host;
  readonly to: Host;
  /** Addresses that stay as they are although they are at that host. */
  readonly keeps: (address: string) => boolean;
}

/**
 * A whole address, so that one inside of another (a web archive's) is not taken for one of its own. Without a scheme only
 * where an address can begin: behind a bracket, a pipe or a quote, or at the beginning.
 */
const ADDRESS =
  /(?<scheme>https?:|(?<=^|[[|"'=(]))\/\/(?<user>[^\s/?#@|[\]<>"']*@)?(?<name>[\p{L}\p{N}_](?:[\p{L}\p{N}._-]*[\p{L}\p{N}_])?)(?::(?<port>\d+))?[^\s|[\]<>"']*/giu;

/** The text with every address of one host at another; scheme, user, path and all else stay. The very same string without one. */
export function replaceInText(text: string, { from, to, keeps }: Replacement): string {
  if (!text.toLowerCase().includes(from.name)) return text;
  return text.replaceAll(ADDRESS, (address: string, ...rest: readonly unknown[]) => {
    const { scheme = "", user = "", name = "", port } = rest.at(-1) as Readonly<Record<string, string | undefined>>;
    if (!isHost(from, { name, port: port ?? "" }, scheme) || keeps(address)) return address;
    const start = `${scheme}//${user}`;
    const length = start.length + name.length + (port === undefined ? 0 : port.length + 1);
    return start + writeHost(to) + address.slice(length);
  });
}
