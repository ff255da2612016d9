import { XMLBuilder, XMLParser } from "fast-xml-parser";
import { bench } from "vitest";
import { createBundle } from "../../transforms/omanual/bundle.js";
import { manualItem } from "../../transforms/omanual/items/manual-items.js";
import { readManual } from "../../transforms/omanual/read-manual.js";
import { writeItem } from "../../transforms/omanual/write/write-item.js";
import { writeManual } from "../../transforms/omanual/write/write-manual.js";
import { readXml } from "../../transforms/xml/read-xml.js";
import { cpuTime } from "../helpers/cpu-time.js";

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

/** As fast-xml-parser keeps a document, so that its builder gives it again. */
const ORDERED = { preserveOrder: true, ignoreAttributes: false } as const;
const PATH = "guide.xml";

function manualOfGuide() {
  const result = readManual(GUIDE, { file: PATH });
  if (!result.ok || result.manual.kind !== "guide") throw new Error("The guide cannot be read.");
  return { ...result, manual: result.manual };
}

const read = manualOfGuide();
/** The images of its steps are in its package. */
const IMAGES = [...GUIDE.toString().matchAll(/>(media\/[^<]+)</g)].map(([, path = ""]) => path);
const item = manualItem({ ...read, path: PATH, file: PATH }, createBundle([PATH, ...IMAGES], []));
if (item?.kind !== "guide") throw new Error("The guide is no item.");

type Contenders = Readonly<Record<string, () => unknown>>;

const READING: Contenders = {
  "fast-xml-parser alone": () => new XMLParser(ORDERED).parse(GUIDE),
  "the gate": () => readXml(GUIDE, { file: PATH }),
  "the gate and the reader": () => readManual(GUIDE, { file: PATH }),
};

/**
 * The writer against fast-xml-parser's builder, which has the same document as a tree of its own.
 */
function writing(name: string, write: () => string): readonly [bytes: number, contenders: Contenders] {
  const written = Buffer.from(write());
  const tree: unknown = new XMLParser({ ...ORDERED, trimValues: false }).parse(written);
  const builder = new XMLBuilder({ ...ORDERED, suppressEmptyNode: true });
  const contenders = {
    "fast-xml-parser alone, reading the same bytes": () => new XMLParser(ORDERED).parse(written),
    "fast-xml-parser's builder, from its own tree": () => builder.build(tree),
    [name]: write,
  };
  return [written.length, contenders];
}

const FROM_DOCUMENT = writing("the writer, from a document as it was read", () => writeManual(read.manual));
const FROM_ITEM = writing("the writer, from an item: wiki text, each read back", () => writeItem(item).xml);

/** Odd, so that the median is one of them. */
const ROUNDS = 7;
/** Of a round; all rounds together are more than a thousand. */
const COUNT = 150;

/** The last result is kept, so that no compiler leaves out work that nobody looks at. */
export let lastResult: unknown;

function timeOf(run: () => unknown): number {
  const start = cpuTime();
  for (let count = 0; count < COUNT; count += 1) lastResult = run();
  return cpuTime() - start;
}

/**
 * The contenders take turns, so that what else the machine does meets all of them alike; the first
 * round only warms up.
 */
function tableOf(title: string, bytes: number, contenders: Contenders): string {
  const times = new Map(Object.keys(contenders).map((name) => [name, [] as number[]]));
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const [name, run] of Object.entries(contenders)) {
      const time = timeOf(run);
      if (round > 0) times.get(name)?.push(time / COUNT);
    }
  }
  const medians = [...times].map(([name, each]) => [name, each.sort((a, b) => a - b)[ROUNDS >> 1] ?? 0] as const);
  const [, first = 1] = medians[0] ?? [];
  const rows = medians.map(([name, median]) => {
    const second = `${((median * GUIDES) / 1000).toFixed(2)} s`;
    return `| ${name.padEnd(60)} | ${second.padStart(7)} | ${(median / first).toFixed(2).padStart(5)} |`;
  });
  const head = `| ${`${title} ${GUIDES} guides of ${bytes} bytes`.padEnd(60)} | CPU     | ratio |\n| ${"-".repeat(60)} | ------: | ----: |`;
  return `\n${head}\n${rows.join("\n")}\n`;
}

const TABLES: readonly (readonly [string, number, Contenders])[] = [
  ["reading", GUIDE.length, READING],
  ["writing", ...FROM_DOCUMENT],
  ["writing", ...FROM_ITEM],
];

// npx vitest bench --run test/bench/omanual.bench.ts
const ONCE = { iterations: 1, time: 0, warmupIterations: 0, warmupTime: 0 };
let isDone = false;

bench(
  "the tables above",
  () => {
    // Vitest runs it a few times more, to find out whether it is asynchronous.
    if (!isDone) process.stdout.write(TABLES.map((table) => tableOf(...table)).join(""));
    isDone = true;
  },
  ONCE,
);
