import { describe, expect, it } from "vitest";
import { guideOf } from "./read-guide-of.js";

const in1 = (content: string) =>
  guideOf(`<guide locale="en" xmlns="http://omanual.com/"><title>A</title>${content}</guide>`);
const stepOf = (content: string) => in1(`<steps><step number="1" title="T">${content}</step></steps>`).steps[0];

describe("a guide of any version", () => {
  it.each([
    ["1.0", '<guide xmlns="http://omanual.com/"><title>A</title></guide>'],
    ["1.0", '<guide xmlns="http://omanual.com"><title>A</title></guide>'],
    ["1.0", "<guide><title>A</title></guide>"],
    ["1.0", '<o:guide xmlns:o="http://omanual.com/"><o:title>A</o:title></o:guide>'],
    [
      "0.4",
      '<procedure xmlns="http://omanual.com/schema"><title>A</title><created_date>2013-01-02T11:34:46-07:00</created_date></procedure>',
    ],
    ["0.3", "<procedure><title>A</title></procedure>"],
    ["0.2", '<procedure xmlns="http://omanual.com"><title>A</title><introduction_rendered/></procedure>'],
  ])("%s is told by root and content, whatever the namespace: %s", (version, xml) => {
    expect(guideOf(xml)).toMatchObject({ kind: "guide", version, title: "A", codes: [] });
  });

  it("has its parts in any order", () => {
    const guide = guideOf("<guide><conclusion>Z</conclusion><steps/><title>A</title><summary>S</summary></guide>");
    expect(guide).toMatchObject({ title: "A", summary: "S", conclusion: { html: "Z" } });
  });

  it("says its language by locale, langid or xml:lang", () => {
    for (const attribute of ['locale="de"', 'langid="de"', 'xml:lang="de"'])
      expect(guideOf(`<guide ${attribute}><title>A</title></guide>`).locale).toBe("de");
  });
});

describe("fields that stand in different places", () => {
  it("are taken from the tool's attribute (1.0) and from its text (before)", () => {
    const { tools } = in1('<tools><tool name="Reed hook" quantity="2"/><tool notes="long">Shuttle</tool></tools>');
    expect(tools).toMatchObject([
      { name: "Reed hook", quantity: "2", notes: null },
      { name: "Shuttle", quantity: null, notes: "long" },
    ]);
  });

  it("are taken from external sources, wrapped (1.0) or not (0.4)", () => {
    const source = '<external_source id="5" url="../b/guide.xml"/>';
    const { parts } = in1(
      `<parts><part name="A" quantity="a few">${source}</part><part name="B"><external_sources>${source}</external_sources></part></parts>`,
    );
    expect(parts.map(({ externalSources }) => externalSources)).toEqual(
      Array(2).fill([{ id: "5", url: "../b/guide.xml", notes: null }]),
    );
  });

  it("are taken from the document's text, its url, and a server's children", () => {
    const dump =
      "<document>Draft.pdf<download_url>https://s.example/1.pdf</download_url><icon/><extension>pdf</extension></document>";
    const { documents, codes } = in1(
      `<documents><document>media/a.pdf</document><document url="b.pdf">B</document>${dump}</documents>`,
    );
    expect(documents).toMatchObject([
      { text: "media/a.pdf", url: null },
      { text: "B", url: "b.pdf" },
      { text: "Draft.pdf", downloadUrl: "https://s.example/1.pdf" },
    ]);
    expect(codes).toEqual([]);
  });

  it("are taken from the prerequisite's children (1.0), or its text and path (0.4), without an image too", () => {
    const { prerequisites, codes } = in1(
      '<prerequisites><prerequisite id="5" locale="en" subject="S" type="t"><title>A</title><path>../a/guide.xml</path></prerequisite>' +
        '<prerequisite id="6" locale="en" path="/b/procedure.xml">B</prerequisite></prerequisites>',
    );
    expect(prerequisites).toMatchObject([
      { id: "5", title: "A", path: "../a/guide.xml", image: null },
      { id: "6", title: "B", path: "/b/procedure.xml" },
    ]);
    expect(codes).toEqual([]);
  });

  it("are taken from one category or from a list of them", () => {
    expect(in1("<category>Looms</category>").categories).toEqual(["Looms"]);
    expect(in1("<categories><category>Looms</category><category>Reeds</category></categories>").categories).toEqual([
      "Looms",
      "Reeds",
    ]);
  });
});

describe("steps", () => {
  it("are put in the order of their numbers, from 0 or 1, and stay in place without one", () => {
    const { steps } = in1('<steps><step number="2" title="c"/><step number="0" title="a"/><step title="b"/></steps>');
    expect(steps.map(({ title }) => title)).toEqual(["a", "b", "c"]);
  });

  it("have the lines of all their containers, one after the other", () => {
    const line = (text: string) => `<line bullet="red" level="1">${text}</line>`;
    const step = stepOf(`<lines>${line("a")}${line("b")}</lines><lines>${line("c")}</lines>`);
    expect(step?.lines.map(({ text, bullet, level }) => [text.html, bullet, level])).toEqual([
      ["a", "red", 1],
      ["b", "red", 1],
      ["c", "red", 1],
    ]);
  });

  it("have lines whose fields a server printed as children", () => {
    const step = stepOf(
      "<lines><line><bullet>red</bullet><level>1</level><text_raw>''a''</text_raw><text_rendered>&lt;em&gt;a&lt;/em&gt;</text_rendered></line></lines>",
    );
    expect(step?.lines).toMatchObject([{ bullet: "red", level: 1, text: { html: "<em>a</em>", raw: "''a''" } }]);
  });

  it("have images in the order of orderby, each address as it is written, here or on the web", () => {
    const step = stepOf(
      '<media type="image"><image orderby="2" large="https://e.org/b.large">media/b.jpg</image><image orderby="1" imageid="7">media/a.jpg</image></media>',
    );
    expect(step?.media).toMatchObject({
      type: "image",
      images: [
        { path: "media/a.jpg", id: "7", sizes: {} },
        { path: "media/b.jpg", id: null, sizes: { large: "https://e.org/b.large" } },
      ],
    });
  });

  it("have the images of 0.2", () => {
    expect(stepOf('<lines/><images><image large="b">a.jpg</image></images>')?.media).toMatchObject({
      type: "image",
      images: [{ path: "a.jpg" }],
    });
  });

  it("have a video with encodings by attribute, by text, and as servers print them", () => {
    const step = stepOf(
      '<media type="video"><video><objectid>9</objectid><encoding url="a.mp4" width="640"/><encoding width="320">b.mp4<label>small</label><column>x</column></encoding>' +
        '<source duration_in_ms="" frame_rate="25"/><poster mini="m.jpg">p.jpg</poster></video></media>',
    );
    expect(step?.media).toMatchObject({
      type: "video",
      video: {
        id: "9",
        encodings: [
          { path: "a.mp4", facts: { width: "640" } },
          { path: "b.mp4", facts: { width: "320", label: "small", column: "x" } },
        ],
        source: { duration_in_ms: "", frame_rate: "25" },
        poster: { path: "p.jpg", sizes: { mini: "m.jpg" } },
      },
    });
  });

  it("have an embed by attributes or by children", () => {
    const embeds = [
      '<embed type="video" url="https://e.org/1"/>',
      "<embed><type>video</type><url>https://e.org/1</url></embed>",
    ];
    for (const embed of embeds)
      expect(stepOf(`<media type="embed">${embed}</media>`)?.media).toMatchObject({
        type: "embed",
        embed: { facts: { type: "video", url: "https://e.org/1" } },
      });
  });

  it("may belong to a prerequisite, in what servers print", () => {
    const { steps } = in1('<steps><step number="1"><stepid>5</stepid><guideid>12</guideid></step></steps>');
    expect(steps).toMatchObject([{ id: "5", guideId: "12" }]);
  });
});

describe("texts", () => {
  const introduction = (content: string, attributes = "") =>
    in1(`<introduction${attributes}>${content}</introduction>`).introduction;

  it("are the elements themselves, without prefixes, as HTML", () => {
    expect(introduction("<p>A <STRONG>b</STRONG><br/>&lt;c&gt;</p>")?.html).toBe(
      "<p>A <strong>b</strong><br>&lt;c&gt;</p>",
    );
    expect(introduction('<h:p xmlns:h="http://www.w3.org/1999/xhtml">A</h:p>')?.html).toBe("<p>A</p>");
  });

  it("are the HTML that stands escaped or in CDATA as text", () => {
    expect(introduction("A &lt;em&gt;b&lt;/em&gt; &amp;amp; c")?.html).toBe("A <em>b</em> &amp; c");
    expect(introduction("<![CDATA[A <em>b</em>]]>")?.html).toBe("A <em>b</em>");
  });

  it("that were escaped twice are decoded once more, which is noted once", () => {
    const guide = in1("<summary>4&amp;quot; reed</summary><introduction><p>a&amp;nbsp;b &amp; c</p></introduction>");
    expect(guide).toMatchObject({ summary: '4" reed', introduction: { html: "<p>a&nbsp;b &amp; c</p>" } });
    expect(guide.codes).toEqual(["escaped-twice"]);
  });

  it("have their raw form from an attribute, or from the element itself in 0.2", () => {
    expect(introduction("<p>A</p>", " introduction_raw=\"''A''&#10;B\"")?.raw).toBe("''A''\nB");
    const old = guideOf(
      "<procedure><title>A</title><introduction>''A''</introduction><introduction_rendered>&lt;em&gt;A&lt;/em&gt;</introduction_rendered></procedure>",
    );
    expect(old.introduction).toMatchObject({ html: "<em>A</em>", raw: "''A''" });
  });

  it("may begin with a medium (0.4)", () => {
    const guide = in1(
      '<introduction><media type="video"><video><encoding url="a.mp4"/></video></media><p>A</p></introduction>',
    );
    expect(guide).toMatchObject({ introduction: { html: "<p>A</p>" }, introductionMedia: { type: "video" } });
  });
});

describe("what the format doesn't know", () => {
  it("is kept aside as it stands, with an issue that says where", () => {
    const guide = guideOf(
      '<guide>\n  <title colour="red">A</title>\n  <v:vendor xmlns:v="urn:v"><v:a b="1">c</v:a></v:vendor>\n</guide>',
    );
    expect(guide.extra).toEqual([
      { path: "vendor", xml: '<v:vendor><v:a b="1">c</v:a></v:vendor>', at: { line: 3, column: 3 } },
      { path: "title@colour", xml: "red", at: { line: 2, column: 3 } },
    ]);
    expect(guide.issues.map(({ path, message }) => [path, message])).toEqual([
      ["vendor", "a.xml:3:3: <vendor> in <guide> is not an element of oManual there. It is kept separately."],
      [
        "title@colour",
        "a.xml:2:3: <title> has an attribute colour, which oManual does not have. It is kept separately.",
      ],
    ]);
  });

  it("is no hint for a schema validator", () => {
    const guide = guideOf(
      '<guide xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="a b"><title>A</title></guide>',
    );
    expect(guide.codes).toEqual([]);
  });
});
