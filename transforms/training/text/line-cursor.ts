/** Lines and columns of offsets that only grow, both from 1; a line ends as XML has it: LF, CR LF or CR (XML 1.0, 2.11). */
export class LineCursor {
  readonly #text: string;
  #line = 1;
  #lineStart = 0;
  #nextEnd: number;

  constructor(text: string) {
    this.#text = text;
    this.#nextEnd = endOfLine(text, 0);
  }

  placeAt(at: number): { readonly line: number; readonly column: number } {
    while (this.#nextEnd < at) {
      const isPair = this.#text.startsWith("\r\n", this.#nextEnd);
      this.#lineStart = this.#nextEnd + (isPair ? 2 : 1);
      this.#line += 1;
      this.#nextEnd = endOfLine(this.#text, this.#lineStart);
    }
    return { line: this.#line, column: at - this.#lineStart + 1 };
  }
}

const LINE_END = /[\r\n]/g;

function endOfLine(text: string, from: number): number {
  LINE_END.lastIndex = from;
  return LINE_END.exec(text)?.index ?? text.length;
}
