import fc from "fast-check";

/** Pieces that HTML is made of, ill-nested and cut off as they come. */
const PIECES = [
  ...[
    "<p>",
    "</p>",
    "<div class=imageBox>",
    "</div>",
    "<b>",
    "</b>",
    "<i>",
    "</i>",
    "<a href='https://e.org/x'>",
    "</a>",
  ],
  ...["<ul>", "<ol start=3>", "<li>", "</li>", "</ul>", "<table>", "<tr>", "<td>", "<th>", "</td>", "</table>", "<br>"],
  ...["<h2>", "</h2>", "<blockquote>", "</blockquote>", "<p class=quoted>", "<footer>", "<pre>", "</pre>", "<code>"],
  ...[
    "<img data-imageid=5>",
    "<img src=x>",
    "<iframe src='https://youtu.be/abc'>",
    "<div class=videoFrame>",
    "<video>",
  ],
  ...[
    "<script>",
    "</script>",
    "<!--",
    "-->",
    "<svg>",
    "<select>",
    "<template>",
    "<a href='",
    '"',
    ">",
    "<",
    "&lt;",
    "&",
  ],
  ...["<caption>", "<dl>", "<dt>", "<dd>", "<a href=/Guide/x/5#s6 target=_blank>", "<a href=/c/X_Y>", "<wbr>", "<hr>"],
  ...[" ", "\n", "''", "'", "[", "]", "|", "[guide|1|x]", "== x ==", "* ", "https://e.org/x", "word", "[code]", "="],
];

/** Text that looks like HTML, and text that does not. */
export const anyHtml: fc.Arbitrary<string> = fc.oneof(
  fc.array(fc.constantFrom(...PIECES), { maxLength: 30 }).map((pieces) => pieces.join("")),
  fc.string({ unit: "binary", maxLength: 60 }),
);

/**
 * Text that looks like HTML, with words of one's own between the pieces: `word(0)`, `word(1)`, …
 * Without drawings, films, choices and templates: what ends one that has no end is a rule of the
 * standard that the reader does not follow.
 */
export function anyHtmlOf(word: (index: number) => string): fc.Arbitrary<string> {
  const pieces = fc.array(fc.constantFrom(...PIECES.filter((piece) => !/svg|video|select|template/.test(piece))), {
    maxLength: 20,
  });
  return pieces.map((found) => found.map((piece, index) => piece + word(index)).join(""));
}
