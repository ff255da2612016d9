import { aiccPackage } from "../../../helpers/training-packages.js";
import type { Case } from "./case.js";

const ROWS = Array.from({ length: 5001 }, (_none, at) => `A${at},index.html`).join("\r\n");

/** What AICC course files say (training modules, 2.4). */
export const AICC_CASES: readonly Case[] = [
  { name: "an AICC course", made: aiccPackage(), codes: [] },
  {
    name: "an AICC course in capitals, its columns in another order",
    made: {
      "A/C.CRS": "[COURSE]\nCOURSE_TITLE = x",
      "A/C.AU": "FILE_NAME,SYSTEM_ID\nindex.html,a1",
      "A/C.DES": "Title,SYSTEM_ID\rUnit,A1\r",
      "A/C.CST": "block,MEMBER,MEMBER\nRoot,B1\nB1,,A1",
      "A/index.html": "",
    },
    codes: ["W_PKG_NESTED_ROOT"],
  },
  ...(["crs", "au", "des", "cst"] as const).map((ending) => ({
    name: `an AICC course without .${ending}`,
    made: aiccPackage({ [ending]: null }),
    codes: ["E_AICC_MISSING_FILE"],
  })),
  {
    name: "AICC course files of two names",
    made: {
      "one.crs": aiccPackage()["course.crs"] ?? "",
      "two.au": aiccPackage()["course.au"] ?? "",
      "two.des": aiccPackage()["course.des"] ?? "",
      "two.cst": aiccPackage()["course.cst"] ?? "",
      "index.html": "",
    },
    codes: ["W_AICC_BASENAME"],
  },
  {
    name: "a .crs in windows-1252",
    made: aiccPackage({ crs: Buffer.from("[Course]\nCourse_Title=Schéma", "latin1") }),
    codes: ["W_AICC_ENCODING"],
  },
  {
    name: "a .crs in UTF-16",
    made: aiccPackage({ crs: Buffer.from("\ufeff[Course]\nCourse_Title=Schéma", "utf16le") }),
    codes: ["W_AICC_ENCODING"],
  },
  { name: "a .crs without its section", made: aiccPackage({ crs: "Course_Title=x" }), codes: ["E_AICC_SYNTAX"] },
  { name: "a .crs without a title", made: aiccPackage({ crs: "[Course]\n" }), codes: ["W_MAN_TITLE_MISSING"] },
  ...[
    ["a quote that never closes", 'System_ID,File_Name\nA1,"index.html\n'],
    ["text behind a quote", 'System_ID,File_Name\n"A1"x,index.html\n'],
    ["no column File_Name", "System_ID,Type\nA1,x"],
    ["nothing in it", ""],
  ].map(([name = "", units = ""]) => ({
    name: `an .au with ${name}`,
    made: aiccPackage({ au: units }),
    codes: ["E_AICC_SYNTAX"],
  })),
  {
    name: "an .au with 5,001 rows",
    made: aiccPackage({ au: `System_ID,File_Name\r\n${ROWS}` }),
    codes: ["E_MAN_TOO_MANY_ITEMS"],
  },
  {
    name: "an .au without a row",
    made: aiccPackage({ au: "System_ID,File_Name\r\n", cst: "Block,Member\r\nROOT\r\n" }),
    codes: ["E_MAN_NO_LAUNCH"],
  },
  {
    name: "a unit without an id",
    made: aiccPackage({ au: "System_ID,File_Name\r\nA1,index.html\r\n,index.html" }),
    codes: ["E_MAN_MISSING_ID"],
  },
  {
    name: "a unit twice",
    made: aiccPackage({ au: "System_ID,File_Name\r\nA1,index.html\r\na1,index.html" }),
    codes: ["E_MAN_DUP_ID"],
  },
  {
    name: "a unit without a file",
    made: aiccPackage({ au: "System_ID,File_Name\r\nA1," }),
    codes: ["E_MAN_LAUNCH_MISSING"],
  },
  { name: "a unit whose file is not there", made: aiccPackage({}, {}), codes: ["E_MAN_LAUNCH_MISSING"] },
  {
    name: "a whole set of course files without content",
    made: aiccPackage({}, { "course.ort": "", "course.pre": "" }),
    codes: ["W_MAN_FILE_MISSING"],
  },
  {
    name: "a whole set of course files with some content",
    made: aiccPackage({}, { "course.ort": "", "other.html": "" }),
    codes: ["E_MAN_LAUNCH_MISSING"],
  },
  {
    name: "a unit in the web",
    made: aiccPackage({ au: "System_ID,File_Name\nA1,https://example.com/x" }, {}),
    codes: ["W_MAN_EXTERNAL_HREF"],
  },
  {
    name: "a unit out of the package",
    made: aiccPackage({ au: "System_ID,File_Name\nA1,../x.html" }),
    codes: ["E_MAN_LAUNCH_UNSAFE"],
  },
  {
    name: "a member that is nothing",
    made: aiccPackage({ cst: "Block,Member,Member\nROOT,A1,A9" }),
    codes: ["W_MAN_ITEM_REF_MISSING"],
  },
  {
    name: "blocks in each other",
    made: aiccPackage({ cst: "Block,Member\nROOT,B1\nB1,B2,A1\nB2,B1" }),
    codes: ["W_MAN_DEPENDENCY_CYCLE"],
  },
  {
    name: "a structure without ROOT",
    made: aiccPackage({ cst: "Block,Member\nB1,A1" }),
    codes: ["W_MAN_NO_ORGANIZATION"],
  },
];
