/** A file on its way into a bundle. */
export interface BundleFile {
  /** Relative, `/` between the segments; safe on every file system. */
  readonly path: string;
  /** Text in UTF-8, or the bytes of a medium by their hash. */
  readonly content: string | { readonly media: string };
}
