import fc from "fast-check";

/**
 * What the grammar looks at, whole and in pieces: joined at random it makes every kind of damaged
 * markup.
 */
const PIECES = [
  ..."[]|=*#'+~^,`/:\n \t\r.)a1",
  ..."'' ''' '''' ''''' '''''' ''''''' ++ +++ ++++ ~~ ^^ ,, `` ``` [[ ]] ]]] [[[ == === ====== ** *# ##".split(" "),
  ..."[br] [BR] [code] [/code] [quote] [/quote] [quote| [summary] [/summary] [title| [flag|a] [info| [def_flag|".split(
    " ",
  ),
  ..."[guide|1| [guide|12|label|stepid=3] [image|5] [image| [video|http://v/x] [guidelist|tags=a] [document|9|a.pdf]".split(
    " ",
  ),
  ..."[product|IF-1] [mailto|a@e.org] [link|/info/x|label] [http://e.org|x] [/info|x] [[Topic:X#Section_A|y]] [foo|bar]".split(
    " ",
  ),
  ..."http://e.org/x https:// HTTP://E.org/(a). |new_window=true |stepid=5 |format=featured |size= =".split(" "),
  "\n\n",
  "\r\n",
  "\n* ",
  "\n** ",
  "\n# ",
  "\n== ",
  " ==\n",
  "\u00a0",
  "é",
  "😀",
  "\ud800",
];

/** Strings made of marks, tags and macros, most of them unfinished. */
export const markerSoup = fc.array(fc.constantFrom(...PIECES), { maxLength: 40 }).map((pieces) => pieces.join(""));
