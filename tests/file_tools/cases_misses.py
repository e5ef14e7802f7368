"""Calls of edit_file whose text is not in the file: what each is told, and nothing changes."""

from tests.file_tools.case import Case

LONG = "<script>" + "let q=0;" * 6000 + "let HERE=1;" + "let q=0;" * 10 + "</script>"


def _miss(
    name: str, content: str | bytes, old: str, *says: str, new: str = "x", **rest: object
) -> Case:
    args = {"path": "g.html", "oldText": old, "newText": new}
    words = ("oldText was not found in g.html. Nothing was changed", *says)
    return Case(name, "edit_file", args, "refused", before={"g.html": content}, says=words,
                code="no_match", **rest)  # type: ignore[arg-type]  # fmt: skip


MISSES = [
    _miss("already there", "speed = 9;\nnext\n", "speed = 5;", "newText is already in the file (line 1)",
          "nothing left to do", new="speed = 9;"),
    _miss("line numbers", "a\nlet b = 2;\n", "    2│let b = 2;", "line numbers", "line 2"),
    _miss("line numbers with tabs", "a\nlet b = 2;\nc\n", "     2\tlet b = 2;\n     3\tc", "line numbers",
          "line 2"),
    _miss("line numbers with bars", "a\nlet b = 2;\n", " 2 | let b = 2;", "line numbers", "line 2"),
    _miss("doubled backslashes", "p = /\\d+/;\n", "p = /\\\\d+/;", "backslash doubled", "line 1"),
    _miss("line break written out", "a();\nb();\n", "a();\\nb();", "escape", "line 1"),
    _miss("quotes escaped", 'x("hi");\n', 'x(\\"hi\\");', "escape", "line 1"),
    _miss("quotes that the file escapes", 'say "a \\"b\\" c"\n', 'a "b" c', "backslash before", "line 1"),
    _miss("escaped as HTML", "<b>x</b>\n", "&lt;b&gt;x&lt;/b&gt;", "HTML-escaped", "line 1"),
    _miss("entities in the file", "<p>a &amp;&amp; b</p>\n", "a && b", "HTML entities", "line 1"),
    _miss("line break too many", "a\nlast", "last\n", "extra line break at its end", "line 2"),
    _miss("line break before", "a\nb c d\n", "\n\nb c d", "line break at its start", "line 2"),
    _miss("blanks around", "one two\n", " one two  ", "spaces", "line 1"),
    _miss("tabs in the file", "if (a) {\n\treturn;\n}\n", "    return;",
          "indentation (the file uses tabs, oldText uses spaces) at line 2",
          "  file line 2: →return;\n  oldText:     ····return;\n(→ is a tab, · is a space.)"),
    _miss("spaces in the file", "if (a) {\n  return;\n}\n", "\treturn;", "uses spaces", "··return;"),
    _miss("begins after the indentation", "f() {\n\tif (a) {\n\t\tb();\n\t}\n}\n", "if (a) {\n    b();\n  }",
          "only in indentation (the file uses tabs, oldText uses spaces) at line 3", "→→b();"),
    _miss("other width", "<ul>\n    <li>\n    </li>\n</ul>\n", "  <li>\n  </li>", "indentation",
          "4 spaces", "2 spaces", "line 2"),
    _miss("trailing spaces in the file", "a;  \nb;\n", "a;\nb;", "trailing spaces", "line 1", "a;··"),
    _miss("trailing spaces in oldText", "a;\nb;\n", "a; \nb;", "trailing spaces", "line 1"),
    _miss("spaces inside", "a  =  1;\n", "a = 1;", "spaces inside", "line 1", "a··=··1;"),
    _miss("several places", "\ta();\nx\n\ta();\n", "  a();", "2 places", "1, 3"),
    _miss("part of a line", "let x = {a:1,  b:2}; // long\n", "{a:1, b:2}", "spaces inside",
          "{a:1,··b:2}"),
    _miss("empty lines", "a();\n\n\nb();\n", "a();\nb();", "number of blank lines", "line 1"),
    _miss("only blanks", "a\tb\n", "  ", "oldText has only blanks"),
    _miss("no-break space", "10\u00a0km\n", "10 km", "look-alike", "U+00A0", "U+0020", "line 1"),
    _miss("curly quote", "it\u2019s\n", "it's", "U+2019", "U+0027"),
    _miss("long dash", "a \u2014 b\n", "a - b", "U+2014", "U+002D"),
    _miss("zero width", "to\u200btal\n", "total", "U+200B"),
    _miss("accents in two parts", "cafe\u0301 noir\n", "caf\u00e9 noir", "look-alike", "decomposed"),
    _miss("ellipsis sign", "wait\u2026\n", "wait...", "look-alike", "U+2026"),
    _miss("letter case", "a\n<DIV id=x>\n", "<div id=x>", "letter case", "line 2", "<DIV id=x>"),
    _miss("dots for text left out", "f() {\n  a();\n  b();\n}\n", "f() {\n  // ...\n}", "complete"),
    _miss("closest lines", "x\nf() {\n  draw(1, 2);\n  end();\n}\ny\n", "f() {\n  draw(3, 4);\n  end();\n}",
          "Closest text: lines 2-5 (3 of 4 lines equal), first difference",
          "  file line 3: ··draw(1, 2);\n  oldText:     ··draw(3, 4);", "startLine=1, endLine=6"),
    _miss("closest line", "a\nlet speed = 6;\nb\n", "let speed = 5;", "Closest text: line 2",
          "startLine=1, endLine=3"),
    _miss("closest part of a long line", LONG, "let HERE=2;", "HERE=1", never=("let q=0;" * 30,)),
    _miss("nothing similar", "alpha\nbeta\n", "zzz qqq", "Nothing similar is in the file (2 lines)"),
    _miss("empty file", "", "abc", "Nothing similar", "0 lines"),
    _miss("CRLF file with tabs", b"if\r\n\treturn 1;\r\n", "    return 1;", "tabs", "line 2"),
    _miss("bytes that are no text", b"caf\xe9 = 1\n", "cafe = 1", "line 1"),
    _miss("other script", "名前を入力してください\n", "名前を入れてください", "Closest text: line 1"),
]  # fmt: skip
