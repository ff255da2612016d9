import type { JSX } from "hono/jsx/jsx-runtime";

export interface PlainPageProps {
  readonly title: string;
  readonly words: readonly string[];
  /** The addresses that lead on. */
  readonly ways: readonly { readonly href: string; readonly words: string }[];
}

/** A page of the server itself, where none of the library can be shown. */
export function plainPage(props: PlainPageProps): string {
  return `<!DOCTYPE html>${String(<PlainPage {...props} />)}`;
}

function PlainPage({ title, words, ways }: PlainPageProps): JSX.Element {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{title}</title>
        <link rel="stylesheet" href="/assets/style.css" />
      </head>
      <body>
        <main id="main">
          <h1>{title}</h1>
          {words.map((text) => (
            <p>{text}</p>
          ))}
          {ways.map(({ href, words: way }) => (
            <p>
              <a href={href}>{way}</a>
            </p>
          ))}
        </main>
      </body>
    </html>
  );
}
