import { createHash } from "node:crypto";
import { UsageError } from "../../core/errors.js";

/** Where a package lies in the web. */
export interface PackageAddress {
  /** What is asked, with its query; never to be printed or stored: the query may be a signature. */
  readonly url: string;
  /** What messages, reports and the journal call it, see `sourceOf`. */
  readonly source: string;
}

/** Does somebody mean an address, and no path? `C:\folder` is a path. */
export function looksLikeAddress(text: string): boolean {
  return /^[a-z][a-z0-9+.-]+:\/\//i.test(text.trim());
}

/**
 * Reads the address of a package.
 * @throws UsageError for what is no https address, and for one with a user name or password, which is not repeated in the message
 */
export function packageAddress(text: string): PackageAddress {
  const trimmed = text.trim();
  // What can't be read may hold a password or a signature anywhere.
  if (!URL.canParse(trimmed))
    throw new UsageError("An address of a package can't be read. Write it as https://host/path.");
  const url = new URL(trimmed);
  const place = `${url.protocol}//${url.host}`;
  if (url.username !== "" || url.password !== "") {
    throw new UsageError(
      `The address on ${place} holds a user name or password, and packages are not fetched that way. Use a signed link, or download the package and give its file.`,
    );
  }
  if (url.protocol === "file:")
    throw new UsageError("A file:// address is not fetched. Give the path of the file itself.");
  if (url.protocol !== "https:") {
    throw new UsageError(
      `Packages are fetched over https only, and ${place} is not: anybody on the way could put another package in its place. Use an https address, or download the package and give its file.`,
    );
  }
  url.hash = "";
  return { url: url.href, source: sourceOf(url) };
}

/**
 * An address without query and fragment. Where the query tells packages apart (`/download?id=5`), eight digits of a digest over it stand
 * behind, so that two packages are never taken for one; what signs a link changes from day to day, so it is left out of that.
 */
export function sourceOf(url: URL): string {
  const bare = `${url.origin}${url.pathname}`;
  const isSigned = [...url.searchParams.keys()].some((name) => /^sig(?:nature)?$/i.test(name));
  const telling = [...url.searchParams].filter(([name]) => !SIGNING.test(name) && !(isSigned && AZURE.test(name)));
  if (telling.length === 0) return bare;
  const text = telling
    .map(([name, value]) => `${name}=${value}`)
    .sort()
    .join("\n");
  return `${bare} (query ${createHash("sha256").update(text).digest("hex").slice(0, 8)})`;
}

/** Parameters of signed links: Amazon, Google, Alibaba, Tencent, Huawei, CloudFront, Akamai, Azure, and what hosts of files call theirs. */
const SIGNING =
  /^(?:x-(?:amz|goog|oss|cos|obs|ms)-.*|signature|sig|expires|expiry|exp|key-pair-id|policy|awsaccesskeyid|googleaccessid|ossaccesskeyid|hdne[at]s?|hmac|(?:access_?|auth_?)?token|auth|api_?key|key|hash)$/i;

/** Azure's are short words that mean other things elsewhere. */
const AZURE = /^(?:s[eprtv]|spr|sip|sdd|ss|srt|ske|skoid|sks|skt|sktid|skv|saoid|suoid|scid)$/i;
