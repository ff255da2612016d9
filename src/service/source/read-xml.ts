import { EXIT, FerryError } from "../../core/errors.js";
import type { GuideItem, WikiItem } from "../../core/model/item.js";
import type { Key } from "../../core/model/key.js";
import type { Query } from "../client.js";
import type { SiteSession } from "./site-session.js";

/** An item's address, without `type=XML`. */
export interface XmlPlace {
  readonly key: Key;
  readonly path: string;
  readonly query: Query;
  /** Refusals that the caller asks to see. */
  readonly expect: readonly number[];
}

export interface XmlAnswer {
  readonly status: number;
  /** The answer as it came, and what it says; undefined for a refusal. */
  readonly read: { readonly xml: string; readonly item: GuideItem | WikiItem } | undefined;
}

/**
 * The XML of a guide or CATEGORY wiki.
 * @throws FerryError with line, column and element when the answer can't be read
 */
export async function readXml(
  session: SiteSession,
  { key, path, query, expect }: XmlPlace,
  signal: AbortSignal,
): Promise<XmlAnswer> {
  const { client } = session;
  const { status, text: xml } = await client.get(path, { query: { ...query, type: "XML" }, expect }, signal);
  if (status !== 200) return { status, read: undefined };
  const { origin, hosts } = await session.identify(signal);
  const file = `GET ${client.root}/${path}?type=XML`;
  return { status, read: { xml, item: await session.readManual({ key, xml, file, site: { origin, hosts } }) } };
}

/** For `xml-only`, where nothing else can stand in for it. */
export function noXmlForm(key: Key, path: string, status: number): FerryError {
  return new FerryError(
    `${key} has no XML form: GET ${path}?type=XML was answered ${status}, and --format xml-only asks for nothing else. ` +
      "Run it with --format xml, which takes JSON where there is no XML.",
    { exitCode: EXIT.someFailed },
  );
}
