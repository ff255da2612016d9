import fc from "fast-check";
import { expect, test } from "vitest";
import { type ListOrder, PAGE, sweepList } from "../../../src/service/source/paged-list.js";

interface Row {
  readonly key: string;
  readonly number: number;
}

/** A list in the order of its numbers, as the service pages it, which changes before each page. */
function movingList(
  numbers: readonly number[],
  move: (list: Set<number>, page: number, offset: number) => void,
  width = PAGE,
) {
  const list = new Set(numbers);
  const offsets: number[] = [];
  const page = async (offset: number): Promise<readonly Row[]> => {
    move(list, offsets.length, offset);
    offsets.push(offset);
    const sorted = [...list].sort((a, b) => a - b);
    return sorted.slice(offset, offset + width).map((number) => ({ key: `guide/${number}`, number }));
  };
  return { page, offsets };
}

async function sweep(page: (offset: number) => Promise<readonly Row[]>, order: ListOrder = "fixed"): Promise<number[]> {
  const found: number[] = [];
  for await (const row of sweepList(page, order)) found.push(row.number);
  return found;
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
const nothing = () => undefined;

test("a list that stands still is read whole, each row once, whatever its length", async () => {
  for (const length of [0, 1, 19, 20, 21, 179, 180, 181, 199, 200, 201, 380, 400, 1000]) {
    expect(await sweep(movingList(upTo(length), nothing).page)).toEqual(upTo(length));
  }
});

test("a short page is not the end: the site hides rows after paging", async () => {
  const hidden = (number: number) => number % 3 === 0 || (number > 150 && number < 340);
  const page = async (offset: number) =>
    upTo(900)
      .slice(offset, offset + PAGE)
      .filter((number) => !hidden(number))
      .map((number) => ({ key: `guide/${number}`, number }));
  expect(await sweep(page)).toEqual(upTo(900).filter((number) => !hidden(number)));
});

test("a site that gives smaller pages than were asked for is read whole", async () => {
  for (const width of [21, 50, 100]) expect(await sweep(movingList(upTo(530), nothing, width).page)).toEqual(upTo(530));
});

test("rows that vanish before the offset pull none over it", async () => {
  const { page } = movingList(upTo(1000), (list, count) => {
    for (let number = count * 30; number < (count + 1) * 30 && count < 6; number += 1) list.delete(number);
  });
  const found = await sweep(page);
  for (let number = 200; number <= 1000; number += 1) expect(found).toContain(number);
});

test("rows that come and go in step with the pages hide nothing behind them, in no sweep", async () => {
  const coming = Array.from({ length: 100 }, (_, index) => -index);
  const { page } = movingList(upTo(1000), (list, _count, offset) => {
    for (const number of coming) list[offset === 0 ? "add" : "delete"](number);
  });
  const found = await sweep(page);
  for (const number of upTo(1000)) expect(found).toContain(number);
});

test("a list of which most vanishes at once is still read to its end", async () => {
  const { page } = movingList(upTo(1000), (list, count) => {
    if (count === 4) for (let number = 1; number <= 700; number += 1) list.delete(number);
  });
  const found = await sweep(page);
  for (let number = 701; number <= 1000; number += 1) expect(found).toContain(number);
});

test("whatever is created, deleted or moved meanwhile, what is there all the time is found, and nothing twice", async () => {
  const change = fc.record({
    page: fc.nat({ max: 25 }),
    kind: fc.constantFrom("create", "delete"),
    from: fc.nat({ max: 1100 }),
    count: fc.nat({ max: 260 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.nat({ max: 1100 }), fc.array(change, { maxLength: 30 }), async (length, changes) => {
      const stays = new Set(upTo(length).map((number) => number * 2));
      const { page } = movingList([...stays], (list, count) => {
        for (const { kind, from, count: many } of changes.filter((one) => one.page === count)) {
          for (let number = from * 2; number < (from + many) * 2; number += 2) {
            // Odd numbers come and go between the others; even ones go for ever.
            if (kind === "create") list.add(number + 1);
            else for (const gone of [number, number + 1]) if (list.delete(gone)) stays.delete(gone);
          }
        }
      });
      const found = await sweep(page);
      expect(new Set(found).size).toBe(found.length);
      for (const number of stays) expect(found).toContain(number);
    }),
    {
      numRuns: 60,
      examples: [
        // A second deletion empties the page that was accepted without a common row.
        [
          401,
          [
            { page: 2, kind: "delete", from: 22, count: 200 },
            { page: 12, kind: "delete", from: 0, count: 22 },
          ],
        ],
      ],
    },
  );
});

test("rows that a site hides after paging hide no other row, whatever is created or deleted meanwhile", async () => {
  // A list that shrinks by more than the overlap before its second page can't be told from its end.
  const change = fc.record({
    page: fc.integer({ min: 3, max: 12 }),
    from: fc.nat({ max: 900 }),
    count: fc.nat({ max: 150 }),
  });
  const hidden = fc.record({ from: fc.nat({ max: 900 }), count: fc.nat({ max: 150 }) });
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 420, max: 900 }),
      fc.array(hidden, { maxLength: 1 }),
      fc.array(change, { maxLength: 4 }),
      async (length, hiding, changes) => {
        const isHidden = (number: number) =>
          number === 500 || hiding.some(({ from, count }) => number > from * 2 && number <= (from + count) * 2);
        const stays = new Set(upTo(length).map((number) => number * 2));
        const { page } = movingList([...stays], (list, count) => {
          for (const { from, count: many } of changes.filter((one) => one.page === count))
            for (let number = from * 2; number < (from + many) * 2; number += 2)
              if (list.delete(number)) stays.delete(number);
        });
        const shown = async (offset: number) => (await page(offset)).filter(({ number }) => !isHidden(number));
        const found = await sweep(shown);
        expect(new Set(found).size).toBe(found.length);
        for (const number of stays) if (!isHidden(number)) expect(found).toContain(number);
      },
    ),
    {
      numRuns: 60,
      // The last page hides rows, and the list shrinks before the next one.
      examples: [[741, [{ from: 514, count: 27 }], [{ page: 4, from: 0, count: 22 }]]],
    },
  );
});

test("a list to which something is added for every page that is read comes to an end", async () => {
  const { page, offsets } = movingList(upTo(500), (list, count) => list.add(501 + count));
  const found = await sweep(page);
  for (const number of upTo(500)) expect(found).toContain(number);
  expect(offsets.length).toBeLessThan(200);
});

test("a list in a fixed order is read once, and any list of one page", async () => {
  const one = movingList(upTo(150), nothing);
  expect(await sweep(one.page, "moving")).toEqual(upTo(150));
  expect(one.offsets).toEqual([0, 130, 310]);
  const fixed = movingList(upTo(500), nothing);
  expect(await sweep(fixed.page, "fixed")).toEqual(upTo(500));
  expect(fixed.offsets).toEqual([0, 180, 360, 540]);
});

test("a list that hides no rows is over with a first page that is whole, and with no other", async () => {
  const isWhole = (first: readonly Row[]) => first.length < 20;
  for (const [length, offsets] of [
    [0, [0]],
    [19, [0]],
    [20, [0, 180]],
    [500, [0, 180, 360, 540]],
  ] as const) {
    const list = movingList(upTo(length), nothing);
    const found: number[] = [];
    for await (const { number } of sweepList(list.page, "fixed", isWhole)) found.push(number);
    expect([found, list.offsets]).toEqual([upTo(length), offsets]);
  }
});

test("a row that an edit moves ahead of the offset is found by the next sweep", async () => {
  const rows = upTo(500).map((number) => ({ key: `guide/${number}`, number }));
  let calls = 0;
  const page = async (offset: number): Promise<readonly Row[]> => {
    calls += 1;
    if (calls === 3) rows.unshift(...rows.splice(449, 1));
    return rows.slice(offset, offset + PAGE);
  };
  const found = await sweep(page, "moving");
  expect(found.toSorted((one, other) => one - other)).toEqual(upTo(500));
});
