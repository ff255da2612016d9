import { z } from "zod";
import { ITEM_KINDS, type Key } from "./key.js";

const KEY = new RegExp(`^(?:${[...ITEM_KINDS, "step"].join("|")})/.+`, "s");

/** A key, checked for its form only. */
export const keySchema = z.custom<Key>((value) => typeof value === "string" && KEY.test(value), "not a key");

/**
 * What a map of people says. `target`: the id is of the target. `nobody`: left out on purpose.
 * Absent: the id is of the source.
 */
const givenSchema = z.enum(["target", "nobody"]).optional();

/** A user as content names them: enough to say who it was, nothing to sign in with. */
export const personSchema = z.object({
  id: z.number().int(),
  name: z.string(),
  /** The site-wide unique name; what people are recognised by at another site. */
  uniqueName: z.string().nullable(),
  given: givenSchema,
});
export type Person = Readonly<z.infer<typeof personSchema>>;

/** A team of users; it is recognised by its name at another site. */
export const teamSchema = z.object({ id: z.number().int(), name: z.string(), given: givenSchema });
export type Team = Readonly<z.infer<typeof teamSchema>>;

/** What a site says of itself and of our account. Documents have one too, without address. */
export interface SiteIdentity {
  /** `https://site.example/api/2.0`, or `documents:<name>`. */
  readonly root: string;
  /** `https://site.example`. Empty for documents: nothing of theirs has an address. */
  readonly origin: string;
  readonly siteId: string | null;
  readonly name: string;
  /** api-facts 0.3. `unknown`: an empty site shows it with its first answer to a create. */
  readonly dialect: "dozuki" | "ifixit" | "unknown";
  /** Every host name that the site answers under, lower case: its own and its custom domains. */
  readonly hosts: readonly string[];
  readonly language: string;
  readonly languages: readonly string[];
  /** null: anonymous. */
  readonly account: { readonly id: number; readonly name: string; readonly admin: boolean } | null;
}

/** The same, for what is read back from a disk. */
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
