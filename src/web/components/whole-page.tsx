import { InlineStyle, styleSource } from "./inline-style.js";
import { PageFrame, pageHtml } from "./page-frame.js";
import { stylesheet } from "./stylesheet.js";

/** A page in two halves: what stands between them may be more than memory holds. */
export interface WholePage {
  readonly before: string;
  readonly after: string;
}

/** A page that is whole in itself: nothing is loaded, nothing runs, nothing is sent, whatever a text on it tried. `title`: of the window; foreign text is fine. */
export function wholePage(title: string): WholePage {
  const style = stylesheet();
  const policy = `default-src 'none'; style-src ${styleSource(style)}; base-uri 'none'; form-action 'none'`;
  const page = pageHtml(
    <PageFrame title={title} policy={policy} head={<InlineStyle css={style} />}>
      <main class="report" />
    </PageFrame>,
  );
  // Nothing else of a page looks like this: each `<` of a text is written as `&lt;`, and the stylesheet has none.
  const at = page.indexOf(END);
  return { before: page.slice(0, at), after: page.slice(at) };
}

const END = "</main>";
