// The shortest custom transform: a function from an item to an array of items. [] leaves it out, several split it.
//
//   guideferry migrate https://old.example https://new.example --transform ./leave-out-teardowns.mjs

/** @type {import("guideferry").Transform} */
export default (item) => (item.kind === "guide" && item.body.type === "teardown" ? [] : [item]);
