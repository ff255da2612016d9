import type { JSX } from "hono/jsx/jsx-runtime";
import type { OwnAddress } from "./own-address.js";

export interface PlainPageProps {
  readonly title: string;
  readonly words: readonly string[];
  readonly address: OwnAddress;
}

/** A page of the server itself, where none of the library can be shown. */
export function plainPage(props: PlainPageProps): string {
  return `<!DOCTYPE html>${String(<PlainPage {...props} />)}`;
}

function PlainPage({ title, words, address }: PlainPageProps): JSX.Element {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{title}</title>
        <link rel="stylesheet" href={address.to("/assets/style.css")} />
      </head>
      <body>
        <main id="main">
          <h1>{title}</h1>
          {words.map((text) => (
            <p>{text}</p>
          ))}
          <p>
            <a href={address.to("/")}>To the first page</a>
          </p>
        </main>
      </body>
    </html>
  );
}
