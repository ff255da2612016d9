import { XMLParser } from "fast-xml-parser";
import { bench, describe } from "vitest";
import { readManual } from "../../transforms/omanual/read-manual.js";
import { readXml } from "../../transforms/xml/read-xml.js";

const GUIDES = 1000;

const images = (step: number) =>
  [1, 2, 3]
    .map((order) => {
      const sizes = ["large", "medium", "mini", "standard", "thumbnail"].map(
        (size) => `${size}="media/step-${step}-image-${order}.${size}.jpg"`,
      );
      return `<image orderby="${order}" ${sizes.join(" ")}>media/step-${step}-image-${order}.jpg</image>`;
    })
    .join("\n            ");

const line = (text: string) =>
  `            <line bullet="black" level="0" text_raw="${text}">${text}, and <strong>beat</strong> the weft with the <a href="/Item/Reed">reed</a>.</line>`;

const step = (number: number) => `      <step number="${number}" title="Row ${number}">
         <lines>
${["Open the shed", "Throw the shuttle through it", "Close the shed and change your feet"].map(line).join("\n")}
         </lines>
         <media type="image">
            ${images(number)}
         </media>
      </step>`;

/** A guide of twenty steps, as large as real ones. */
const GUIDE = Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>
<guide locale="en" xmlns="http://omanual.com/">
   <title subject="Loom" type="how-to">Weaving plain cloth</title>
   <introduction><p>${"The warp is on the loom, and it is even. ".repeat(20)}</p></introduction>
   <tools>${Array.from({ length: 8 }, (_, at) => `<tool name="Shuttle ${at}" quantity="1" notes="" type="" url="https://tools.example/${at}"/>`).join("\n")}</tools>
   <steps>
${Array.from({ length: 20 }, (_, at) => step(at + 1)).join("\n")}
   </steps>
</guide>
`);

const times = (read: () => unknown) => () => {
  for (let count = 0; count < GUIDES; count += 1) read();
};

// npx vitest bench --run test/bench/omanual.bench.ts
describe(`reading ${GUIDES} guides of ${GUIDE.length} bytes`, () => {
  const options = { iterations: 3, time: 0, warmupIterations: 1, warmupTime: 0 };
  bench(
    "fast-xml-parser alone",
    times(() => new XMLParser({ preserveOrder: true, ignoreAttributes: false }).parse(GUIDE)),
    options,
  );
  bench(
    "the gate",
    times(() => readXml(GUIDE, { file: "guide.xml" })),
    options,
  );
  bench(
    "the gate and the reader",
    times(() => readManual(GUIDE, { file: "guide.xml" })),
    options,
  );
});
