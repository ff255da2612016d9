import { makeLibrary } from "./make-library.js";

// Makes the library in a process of its own, which has all of it in memory.
const [folder = "", guides = "", pictures = ""] = process.argv.slice(2);
await makeLibrary(folder, { guides: Number(guides), pictures: Number(pictures) });
