import { z } from "zod";
import { ITEM_KINDS, type Key } from "./key.js";

const KEY = new RegExp(`^(?:${[...ITEM_KINDS, "step"].join("|")})/.+`, "s");

/** Has it the form of a key? */
export function isKey(value: unknown): value is Key {
  return typeof value === "string" && KEY.test(value);
}

/** A key, checked for its form only. */
export const keySchema = z.custom<Key>(isKey, "not a key");

/**
 * From a map of people. `target`: the id is of the target. `nobody`: left out on purpose. Absent:
 * the id is of the source.
 */
const givenSchema = z.enum(["target", "nobody"]).optional();

/** A user as content names them, without sign-in data. */
export const personSchema = z.object({
  id: z.number().int(),
  name: z.string(),
  /** The site-wide unique name, which identifies people on another site. */
  uniqueName: z.string().nullable(),
  given: givenSchema,
});
export type Person = Readonly<z.infer<typeof personSchema>>;

/** A team of users; its name identifies it on another site. */
export const teamSchema = z.object({ id: z.number().int(), name: z.string(), given: givenSchema });
export type Team = Readonly<z.infer<typeof teamSchema>>;

/** The facts of a site and its account. Documents have one too, without address. */
export interface SiteIdentity {
  /** `https://site.example/api/2.0`, or `documents:<name>`. */
  readonly root: string;
  /** `https://site.example`. Empty for documents, which have no addresses. */
  readonly origin: string;
  readonly siteId: string | null;
  readonly name: string;
  /** api-facts 0.3. `unknown`: an empty site shows it with its first answer to a create. */
  readonly dialect: "dozuki" | "ifixit" | "unknown";
  /** Every host name of the site, lower case: its own and its custom domains. */
  readonly hosts: readonly string[];
  readonly language: string;
  readonly languages: readonly string[];
  /** null: anonymous. */
  readonly account: { readonly id: number; readonly name: string; readonly admin: boolean } | null;
}

/** The same, for data from a disk. */
export const siteSchema = z.object({
  root: z.string(),
  origin: z.string(),
  siteId: z.string().nullable(),
  name: z.string(),
  dialect: z.enum(["dozuki", "ifixit", "unknown"]),
  hosts: z.array(z.string()),
  language: z.string(),
  languages: z.array(z.string()),
  account: z.object({ id: z.number(), name: z.string(), admin: z.boolean() }).nullable(),
}) satisfies z.ZodType<SiteIdentity>;
