import { beforeEach, describe, expect, test } from "vitest";
import type { Ledger } from "../../../src/core/contracts.js";
import type { Issue } from "../../../src/core/model/issue.js";
import type { Key } from "../../../src/core/model/key.js";
import { issue, operation, receipt, state, written } from "./ledger-samples.js";

/** A ledger under test, and how a later run would see it. */
export interface LedgerUnderTest {
  readonly ledger: Ledger;
  /** The same memory, opened anew; the old object is dead then. */
  reopen(): Promise<Ledger>;
}

/**
 * What every ledger promises (contracts.ts); to be called inside a test file with a way to make an
 * empty one.
 */
export function testLedger(name: string, make: () => Promise<LedgerUnderTest>): void {
  describe(name, () => {
    let ledger: Ledger;
    let reopen: () => Promise<Ledger>;
    beforeEach(async () => {
      ({ ledger, reopen } = await make());
    });

    test("an operation that was begun is an orphan with its mark, also for the next run", async () => {
      await ledger.begin(operation("guide/1", "guide/1"), { highest: 17 });
      await ledger.begin(operation("guide/2/tags", "guide/2"), null);
      expect(await (await reopen()).orphans()).toEqual([
        state({ id: "guide/1", item: "guide/1", state: "begun", mark: { highest: 17 } }),
        state({ id: "guide/2/tags", item: "guide/2", state: "begun" }),
      ]);
    });

    test("an operation that was done is no orphan, and its thing is known by key and by id", async () => {
      await ledger.begin(operation("guide/1", "guide/1"), { highest: 17 });
      await ledger.done(
        operation("guide/1", "guide/1"),
        receipt([written("guide/1", "90", { revision: "5", left: "d1" })]),
      );
      const later = await reopen();
      expect(await later.orphans()).toEqual([]);
      expect(await later.idOf("guide/1")).toBe("90");
      expect(await later.keyOf("guide", "90")).toBe("guide/1");
      expect(await later.written("guide/1")).toEqual(written("guide/1", "90", { revision: "5", left: "d1" }));
      expect(await later.counts()).toEqual({ begun: 0, done: 1, failed: 0 });
    });

    test("what is not known is undefined", async () => {
      expect(await ledger.idOf("guide/1")).toBeUndefined();
      expect(await ledger.keyOf("guide", "1")).toBeUndefined();
      expect(await ledger.written("guide/1")).toBeUndefined();
      expect(await ledger.outcome("guide/1")).toBeNull();
      expect(await ledger.uploadOf("image", "0".repeat(64))).toBeUndefined();
      expect(await ledger.recall("revision-field")).toBeUndefined();
      expect(await ledger.loaded("guide/1")).toEqual({ operations: new Map(), written: new Map() });
    });

    test("an operation that is begun again for another item belongs to that item", async () => {
      await ledger.begin(operation("step/4", "guide/1"), null);
      await ledger.done(operation("step/4", "guide/2"), receipt([]));
      expect((await ledger.loaded("guide/1")).operations.size).toBe(0);
      expect([...(await ledger.loaded("guide/2")).operations.keys()]).toEqual(["step/4"]);
      expect(await ledger.outcome("step/4")).toBe("written");
    });

    test("what was loaded of an item comes with its operations and its steps, and with nothing of others", async () => {
      const facts = { steps: ["step/4", "step/5"], public: false };
      await ledger.done(operation("guide/1", "guide/1"), receipt([written("guide/1", "90", { facts })]));
      const step = operation("guide/1/step/4", "guide/1", { hash: "h2" });
      await ledger.done(step, receipt([written("step/4", "400"), written("guide/1", "90", { facts, revision: "6" })]));
      await ledger.done(operation("guide/2", "guide/2"), receipt([written("guide/2", "91")]));
      const loaded = await ledger.loaded("guide/1");
      expect([...loaded.operations.values()]).toEqual([
        state({ id: "guide/1", item: "guide/1", state: "done" }),
        state({ id: "guide/1/step/4", item: "guide/1", state: "done", hash: "h2" }),
      ]);
      expect([...loaded.written.values()]).toEqual([
        written("guide/1", "90", { facts, revision: "6" }),
        written("step/4", "400"),
      ]);
    });

    test("a thing belongs to its own item, whichever operation told of it", async () => {
      await ledger.done(
        operation("category/Looms/parent", "category/Looms"),
        receipt([written("category/Tools", "Tools")]),
      );
      expect([...(await ledger.loaded("category/Tools")).written.keys()]).toEqual(["category/Tools"]);
      expect((await ledger.loaded("category/Looms")).written.size).toBe(0);
    });

    test("a failure keeps its reason until the operation is done, and forgets the mark", async () => {
      const create = operation("guide/1", "guide/1");
      await ledger.begin(create, { highest: 17 });
      await ledger.failed(create, "POST … answered 422");
      const failed = state({ id: "guide/1", item: "guide/1", state: "failed", error: "POST … answered 422" });
      ledger = await reopen();
      expect(await ledger.failures()).toEqual([failed]);
      expect(await ledger.counts()).toEqual({ begun: 0, done: 0, failed: 1 });
      await ledger.begin(create, null);
      expect(await ledger.orphans()).toEqual([{ ...failed, state: "begun" }]);
      await ledger.done(create, receipt([]));
      expect((await ledger.loaded("guide/1")).operations.get("guide/1")).toEqual({
        ...failed,
        state: "done",
        outcome: "written",
        error: null,
      });
      expect(await ledger.failures()).toEqual([]);
    });

    test("an operation that is done again takes the new hash, and its thing the new values", async () => {
      const mark = { facts: { public: false } };
      await ledger.done(operation("guide/1", "guide/1"), receipt([written("guide/1", "90", mark)]));
      await ledger.done(
        operation("guide/1", "guide/1", { hash: "h9" }),
        receipt([written("guide/1", "95", { adopted: true })]),
      );
      expect((await ledger.loaded("guide/1")).operations.get("guide/1")?.hash).toBe("h9");
      expect(await ledger.written("guide/1")).toEqual(written("guide/1", "95", { adopted: true }));
      expect(await ledger.keyOf("guide", "90")).toBeUndefined();
    });

    test("two guides never become one, and a receipt that would do that leaves no trace", async () => {
      await ledger.done(operation("guide/1", "guide/1"), receipt([written("guide/1", "90")]));
      const second = operation("guide/2", "guide/2");
      await ledger.begin(second, {});
      const both = receipt([written("step/8", "800"), written("guide/2", "90")]);
      await expect(ledger.done(second, both)).rejects.toThrow(/guide\/2.*guide\/1|guide\/1.*guide\/2/);
      expect(await ledger.idOf("step/8")).toBeUndefined();
      expect((await ledger.orphans()).map((orphan) => orphan.id)).toEqual(["guide/2"]);
      expect(await ledger.keyOf("guide", "90")).toBe("guide/1");
    });

    test("wikis of two namespaces may have one title, and a translation the id of its guide", async () => {
      await ledger.done(operation("wiki/ITEM/Reed", "wiki/ITEM/Reed"), receipt([written("wiki/ITEM/Reed", "Reed")]));
      await ledger.done(operation("wiki/INFO/Reed", "wiki/INFO/Reed"), receipt([written("wiki/INFO/Reed", "Reed")]));
      await ledger.done(operation("guide/1", "guide/1"), receipt([written("guide/1", "90")]));
      await ledger.done(operation("guide/1@de", "guide/1@de"), receipt([written("guide/1@de", "90")]));
      expect(await ledger.idOf("wiki/INFO/Reed")).toBe("Reed");
      expect(await ledger.idOf("guide/1@de")).toBe("90");
      expect(await ledger.keyOf("guide", "90")).toBe("guide/1");
    });

    test("an upload is found by its bytes, and media of equal bytes share it", async () => {
      const sha256 = "ab".repeat(32);
      const upload = written("image/5", "70", { facts: { sha256 } });
      await ledger.done(operation("image/5", "image/5"), receipt([upload]));
      expect(await ledger.uploadOf("image", sha256)).toEqual(upload);
      expect(await ledger.uploadOf("document", sha256)).toBeUndefined();
      await ledger.done(operation("image/6", "image/6"), receipt([{ ...upload, key: "image/6" }]));
      expect(await ledger.idOf("image/6")).toBe("70");
      expect(await ledger.keyOf("image", "70")).toBe("image/5");
    });

    test("what was deleted at the target is forgotten, and may be made again", async () => {
      await ledger.done(operation("guide/1/step/4", "guide/1"), receipt([written("step/4", "400")]));
      const gone = written("step/4", "400", { facts: { deleted: true } });
      await ledger.done(operation("guide/1/delete/step/4", "guide/1"), receipt([gone]));
      expect(await ledger.idOf("step/4")).toBeUndefined();
      expect(await ledger.keyOf("step", "400")).toBeUndefined();
      await ledger.done(operation("guide/1/step/4", "guide/1"), receipt([written("step/4", "401")]));
      expect(await ledger.idOf("step/4")).toBe("401");
    });

    test("a done operation is repairable as soon as one of its missing keys has an id", async () => {
      const first = operation("guide/1", "guide/1");
      await ledger.done(first, receipt([written("guide/1", "90")], ["guide/2", "wiki/ITEM/Reed"]));
      await ledger.done(operation("guide/3", "guide/3"), receipt([written("guide/3", "93")], ["guide/9"]));
      expect(await ledger.repairable()).toEqual([]);
      await ledger.done(operation("guide/2", "guide/2"), receipt([written("guide/2", "91")]));
      ledger = await reopen();
      expect(await ledger.repairable()).toEqual(["guide/1"]);
      expect((await ledger.loaded("guide/1")).operations.get("guide/1")?.missing).toEqual([
        "guide/2",
        "wiki/ITEM/Reed",
      ]);
      await ledger.done(first, receipt([written("guide/1", "90")], ["wiki/ITEM/Reed"]));
      expect(await ledger.repairable()).toEqual([]);
    });

    test("an operation that did not end well is retried, not repaired", async () => {
      await ledger.done(operation("guide/2", "guide/2"), receipt([written("guide/2", "91")]));
      await ledger.done(operation("guide/1", "guide/1"), receipt([written("guide/1", "90")], ["guide/2"]));
      await ledger.failed(operation("guide/1", "guide/1"), "HTTP 500");
      expect(await ledger.repairable()).toEqual([]);
    });

    test("a report replaces the issues of its item and no other", async () => {
      await ledger.report("guide/1", [issue("guide/1", "line-too-long"), issue("guide/1", "comment-author")]);
      await ledger.report("guide/2", [issue("guide/2", "no-video-upload")]);
      await ledger.report("guide/1", [issue("guide/1", "comment-author")]);
      const later = await reopen();
      expect(await codes(later.issues())).toEqual(["comment-author", "no-video-upload"]);
      expect(await codes(later.issues("guide/2"))).toEqual(["no-video-upload"]);
      await later.report("guide/1", []);
      expect(await codes(later.issues("guide/1"))).toEqual([]);
    });

    test("the issues that an operation left stand beside those of the checks, and go when it is done again without", async () => {
      const save = operation("guide/1", "guide/1");
      await ledger.done(save, { ...receipt([]), issues: [issue("guide/1", "reference-waiting")] });
      await ledger.report("guide/1", [issue("guide/1", "dates")]);
      const later = await reopen();
      expect(await codes(later.issues("guide/1"))).toEqual(["dates", "reference-waiting"]);
      await later.done(save, receipt([]));
      expect(await codes(later.issues("guide/1"))).toEqual(["dates"]);
    });

    test("issues can be read while others are reported, however many there are", async () => {
      const many = Array.from({ length: 1201 }, (_, index) => issue("guide/1", `code-${index}`));
      await ledger.report("guide/1", many);
      const seen: string[] = [];
      for await (const { code } of ledger.issues("guide/1")) {
        if (seen.length % 400 === 0) await ledger.report("guide/2", [issue("guide/2", "other")]);
        seen.push(code);
      }
      expect(seen).toEqual(many.map(({ code }) => code));
    });

    test("a memo outlives the run and takes the last value", async () => {
      await ledger.remember("revision-field", "revisionid");
      await ledger.remember("revision-field", "guide_revisionid");
      expect(await (await reopen()).recall("revision-field")).toBe("guide_revisionid");
    });

    test("a sample holds things that have an address, each once and no more than asked for", async () => {
      for (const id of [1, 2, 3]) {
        const things = [written(`guide/${id}`, `9${id}`), written(`step/${id}`, `40${id}`)];
        await ledger.done(operation(`guide/${id}`, `guide/${id}`), receipt(things));
      }
      expect((await ledger.sample(10)).map(({ key, id }) => `${key}=${id}`).sort()).toEqual([
        "guide/1=91",
        "guide/2=92",
        "guide/3=93",
      ]);
      expect(await ledger.sample(2)).toHaveLength(2);
    });

    test("keys and texts of any characters come back as they went in", async () => {
      const title = "Kettfäden (“Ø 3%”) \n 織機 🧵 'x' \"y\" \\ ;--";
      const key: Key = `category/${title}`;
      await ledger.done(
        operation(key, key),
        receipt([written(key, title, { facts: { note: title } })], [`wiki/ITEM/${title}`]),
      );
      await ledger.failed(operation(`${key}/parent`, key), title);
      const later = await reopen();
      expect(await later.written(key)).toEqual(written(key, title, { facts: { note: title } }));
      expect((await later.loaded(key)).operations.get(key)?.missing).toEqual([`wiki/ITEM/${title}`]);
      expect((await later.failures())[0]?.error).toBe(title);
      expect(await later.keyOf("category", title)).toBe(key);
    });
  });
}

async function codes(issues: AsyncIterable<Issue>): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const { code } of issues) found.push(code);
  return found;
}
