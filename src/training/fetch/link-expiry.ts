/** When a signed link stops working. */
export interface LinkExpiry {
  /** UNIX milliseconds. */
  readonly expires: number;
  readonly isExpired: boolean;
}

/** Reads the end of a link out of its parameters, by lower-case name; undefined: they don't say. */
type Reader = (parameters: ReadonlyMap<string, string>) => number | undefined;

/** Who writes it so: Amazon (4), Google (4), Alibaba, Huawei and their relatives; Azure (SAS); Amazon (2), CloudFront, Google (2). */
const READERS: readonly Reader[] = [
  dateAndSeconds("x-amz"),
  dateAndSeconds("x-goog"),
  dateAndSeconds("x-oss"),
  dateAndSeconds("x-obs"),
  (parameters) => (parameters.has("sig") ? isoDate(parameters.get("se")) : undefined),
  (parameters) => unixSeconds(parameters.get("expires")),
];

/**
 * When a link expires, as its parameters say it (training modules, 1.3: `X-Amz-Expires`, `se=`, `Expires=`); null: they don't.
 * @param now UNIX milliseconds
 */
export function linkExpiry(address: string, now: number): LinkExpiry | null {
  if (!URL.canParse(address)) return null;
  const parameters = new Map(
    [...new URL(address).searchParams].map(([name, value]) => [name.toLowerCase(), value.trim()] as const),
  );
  const ends = READERS.flatMap((read) => read(parameters) ?? []);
  if (ends.length === 0) return null;
  const expires = Math.min(...ends);
  return { expires, isExpired: expires <= now };
}

/**
 * A sentence about a link that has expired, or will in less than so many minutes; null: there is nothing to say. The link itself isn't in it.
 * @param now UNIX milliseconds
 */
export function expiryWarning(address: string, source: string, now: number, minutes = 60): string | null {
  const expiry = linkExpiry(address, now);
  if (expiry === null || expiry.expires > now + minutes * MINUTE) return null;
  const at = new Date(expiry.expires).toISOString().replace(".000Z", "Z");
  if (expiry.isExpired) return `The link to ${source} expired at ${at}. Get a new one if it is refused.`;
  const left = Math.max(1, Math.floor((expiry.expires - now) / MINUTE));
  return `The link to ${source} expires at ${at}, in ${left} min: what waits behind other packages may come too late. Get one that lasts longer.`;
}

const MINUTE = 60_000;

/** `20261120T231500Z`, and seconds from there. */
function dateAndSeconds(prefix: string): Reader {
  return (parameters) => {
    const [, year, month, day, hour, minute, second] =
      /^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})Z$/i.exec(parameters.get(`${prefix}-date`) ?? "") ?? [];
    const begun = isoDate(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
    const seconds = /^\d{1,9}$/.exec(parameters.get(`${prefix}-expires`) ?? "")?.[0];
    return begun === undefined || seconds === undefined ? undefined : begun + Number(seconds) * 1000;
  };
}

/** `2026-11-20T23:15:00Z`, `2026-11-20T23:15Z` or `2026-11-20`. */
function isoDate(text: string | undefined): number | undefined {
  if (text === undefined || !/^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?Z)?$/i.test(text)) return undefined;
  const time = Date.parse(text);
  return Number.isNaN(time) ? undefined : time;
}

/** From 2001 on: a smaller number is no time but a duration. */
function unixSeconds(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{10}$/.test(text) ? Number(text) * 1000 : undefined;
}
