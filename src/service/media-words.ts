/** How messages speak of the bytes that addresses in content lead to, since not only media of a site are fetched that way. */
export interface MediaWords {
  /** `Media`. */
  readonly what: string;
  /** What is fetched over https only. */
  readonly overHttps: string;
  /** What must not lead into the network that guideferry runs in. */
  readonly leads: string;
  /** What to do about an address that is refused, one sentence. */
  readonly remedy: string;
  /** How a person allows a host that is not on the public internet, with HOST in its place; null: there is no way. */
  readonly allow: string | null;
  /** What a web page in the place of the file may mean, one sentence. */
  readonly page: string;
  /**
   * Addresses are told without query and fragment, in errors and in the log: they are links that are signed, and whoever has the signature has the
   * file.
   */
  readonly hidesQueries: boolean;
}

export const SITE_MEDIA: MediaWords = {
  what: "Media",
  overHttps: "Media of a site with https",
  leads: "Content of a site",
  remedy: "Correct the address at the site.",
  allow: "If guideferry may read from that host, allow it with --allow-private-media HOST.",
  page: "Does the site want a sign-in for it?",
  hidesQueries: false,
};

/** Training packages that a person names by address. */
export const WEB_PACKAGES: MediaWords = {
  what: "Packages",
  overHttps: "Packages",
  leads: "The address of a package",
  remedy: "Use another address, or download the package and give its file.",
  allow: null,
  page: "Has the link expired, or does the host want a sign-in?",
  hidesQueries: true,
};
