import { createHash } from "node:crypto";
import type { JSX } from "hono/jsx/jsx-runtime";

/** Our own stylesheet inside of a page that has to be whole in itself. Throws TypeError for text that would end its element. */
export function InlineStyle({ css }: { readonly css: string }): JSX.Element {
  // A browser takes the text of a style element as it stands: escaped it would be another one.
  if (/<[/!]/.test(css)) throw new TypeError("the stylesheet would end its element");
  return <style dangerouslySetInnerHTML={{ __html: css }} />;
}

/** What allows this stylesheet in a content security policy, and no other. */
export function styleSource(css: string): string {
  return `'sha256-${createHash("sha256").update(css).digest("base64")}'`;
}
