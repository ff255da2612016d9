import fc from "fast-check";
import { expect, test } from "vitest";
import type { Body } from "../../../src/core/writing.js";
import { mergeBodies, mergeOrder, mergeSets, type Versions } from "../../../src/service/target/merge.js";
import { sameField } from "../../../src/service/wire/compared-fields.js";

const few = fc.constantFrom("a", "b", "c");
const set = fc.uniqueArray(fc.integer({ min: 1, max: 5 }));
const lines = fc.array(fc.record({ text: few, bullet: fc.constant("black"), level: fc.constant(0) }), { maxLength: 2 });
const fields: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  title: few,
  introduction: few,
  public: fc.boolean(),
  time_required_min: fc.integer({ min: 0, max: 2 }),
  lines,
  documents: set,
  flags: fc.uniqueArray(few),
};
const body = fc.record(fields) as fc.Arbitrary<Body>;
const SETS: ReadonlySet<string> = new Set(["documents", "flags"]);

/** What stands there after a merge was sent. */
function after({ theirs }: Versions, send: Body): Body {
  return { ...theirs, ...send };
}

function changed(field: string, one: Body, other: Body | undefined): boolean {
  return !sameField(field, one[field], other?.[field]);
}

test("what one side changed alone is there, what both changed otherwise stays as theirs and is a clash", () => {
  fc.assert(
    fc.property(body, body, body, (base, theirs, ours) => {
      const { send, clashes, apart } = mergeBodies({ base, theirs, ours });
      const there = after({ base, theirs, ours }, send);
      for (const field of Object.keys(fields)) {
        const [weChanged, theyChanged] = [changed(field, ours, base), changed(field, theirs, base)];
        const isClash = clashes.some((clash) => clash.field === field);
        if (!weChanged) expect(there[field]).toEqual(theirs[field]);
        if (weChanged && !theyChanged) expect(sameField(field, there[field], ours[field])).toBe(true);
        expect(isClash).toBe(weChanged && theyChanged && changed(field, ours, theirs) && !SETS.has(field));
        if (isClash) expect([there[field], field in send]).toEqual([theirs[field], false]);
        expect(field in apart).toBe(changed(field, there, ours));
      }
    }),
  );
});

test("the same versions merged again have nothing more to send, and the same clashes", () => {
  fc.assert(
    fc.property(body, body, body, (base, theirs, ours) => {
      const first = mergeBodies({ base, theirs, ours });
      const there = after({ base, theirs, ours }, first.send);
      const again = mergeBodies({ base: { ...there, ...first.apart }, theirs: there, ours });
      expect(again.send).toEqual({});
      expect(again.clashes).toEqual(first.clashes);
      expect(Object.keys(again.apart).toSorted()).toEqual(Object.keys(first.apart).toSorted());
    }),
  );
});

test("what stands apart stays theirs whatever we change beside it, and one who gives in ends it", () => {
  fc.assert(
    fc.property(body, body, body, body, (base, theirs, ours, next) => {
      const first = mergeBodies({ base, theirs, ours });
      const there = after({ base, theirs, ours }, first.send);
      const known = { ...there, ...first.apart };
      const later = mergeBodies({ base: known, theirs: there, ours: next });
      for (const { field } of first.clashes) expect(later.send[field]).toBeUndefined();
      expect(mergeBodies({ base: known, theirs: there, ours: there })).toEqual({ send: {}, clashes: [], apart: {} });
    }),
  );
});

test("fields that a write doesn't carry are never sent, and stand apart where they changed them", () => {
  const { send, clashes, apart } = mergeBodies({
    base: { title: "a", flags: [] },
    theirs: { title: "b", flags: ["x"], summary: "new" },
    ours: { title: "a" },
  });
  expect([send, clashes, apart]).toEqual([{}, [], { title: "a", flags: [] }]);
});

test("where nothing is known of what both agreed on, only what is equal already is no clash", () => {
  const merged = mergeBodies({
    base: undefined,
    theirs: { title: " Same ", documents: [1] },
    ours: { title: "Same", documents: [2] },
  });
  expect(merged).toMatchObject({ send: {}, clashes: [{ field: "documents" }] });
});

test("pictures whose ids the site exchanged by itself are as they were sent, and others are a clash", () => {
  const versions = (sent: number, theirs: number): Versions => ({
    base: { image: 777 },
    theirs: { image: theirs },
    ours: { image: sent },
    isAsSent: (_field, value) => value === 501,
  });
  expect(mergeBodies(versions(501, 777))).toEqual({ send: {}, clashes: [], apart: {} });
  expect(mergeBodies(versions(502, 777))).toMatchObject({ send: { image: 502 }, clashes: [] });
  expect(mergeBodies(versions(501, 888))).toMatchObject({ send: {}, clashes: [] });
  expect(mergeBodies(versions(502, 888))).toMatchObject({ send: {}, clashes: [{ field: "image" }] });
});

test("sets take the additions and removals of both, whoever is called theirs", () => {
  fc.assert(
    fc.property(set, set, set, (base, theirs, ours) => {
      const merged = mergeSets(base, theirs, ours);
      const wanted = [1, 2, 3, 4, 5].filter((id) =>
        base.includes(id) ? theirs.includes(id) && ours.includes(id) : theirs.includes(id) || ours.includes(id),
      );
      expect([...merged].toSorted()).toEqual(wanted);
      expect([...mergeSets(base, ours, theirs)].toSorted()).toEqual(wanted);
    }),
  );
});

test("an order names each step that is there once, and is that of the one side that moved any", () => {
  const order = fc.shuffledSubarray([1, 2, 3, 4, 5, 6], { minLength: 0 });
  fc.assert(
    fc.property(order, order, order, (base, theirs, ours) => {
      const merged = mergeOrder(base, theirs, ours);
      if (merged !== undefined) expect([...merged].toSorted()).toEqual([...theirs].toSorted());
      expect(
        mergeOrder(
          base,
          theirs,
          base.filter((id) => theirs.includes(id)),
        ),
      ).toEqual(theirs);
      expect(mergeOrder(base, base, ours)?.filter((id) => ours.includes(id))).toEqual(
        ours.filter((id) => base.includes(id)),
      );
    }),
  );
  expect(mergeOrder([1, 2, 3], [3, 1, 2], [2, 1, 3])).toBeUndefined();
  expect(mergeOrder([1, 2, 3], [3, 2, 1], [3, 2, 1])).toEqual([3, 2, 1]);
});

test("a step of theirs stays behind the one before it when ours are moved", () => {
  expect(mergeOrder([1, 2, 3], [1, 9, 2, 3], [3, 2, 1])).toEqual([3, 2, 1, 9]);
});
