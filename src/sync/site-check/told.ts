import type { Told } from "../../service/check/ask.js";
import { Place } from "../../service/wire/place.js";
import { unknown, type Verdict } from "./check-line.js";

/** An answer as the readers of the wire take it; its oddities are nobody's concern here. */
export function placeOf(told: Told, root: string): Place {
  const { origin } = new URL(root);
  return new Place(told.json, { key: "record/site", endpoint: `GET ${told.path}`, origin, report: () => undefined });
}

/** Where nothing can be said: it was not asked, or the site gave no good answer. undefined: it did. */
export function noAnswer(told: Told | null): Verdict | undefined {
  if (told === null) return unknown("not asked, since an earlier question failed");
  if (told.status === 200 && told.json !== undefined) return undefined;
  return unknown(`the site does not tell: ${said(told)}`);
}

/** `GET user/flags: answered 403: You may not do this.` */
export function said({ path, status, message }: Told): string {
  const what =
    status === null ? (message ?? "no answer came") : `answered ${status}${message === null ? "" : `: ${message}`}`;
  return status === null ? what : `GET ${path} ${what}`;
}
