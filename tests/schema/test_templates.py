"""URI templates: the examples of RFC 6570 section 3.2, and what servers really write."""

from __future__ import annotations

import pytest

from mcp_inspector.schema.templates import Template, Value, Variable, expand

VALUES: dict[str, Value | None] = {
    "count": ["one", "two", "three"],
    "dom": ["example", "com"],
    "dub": "me/too",
    "hello": "Hello World!",
    "half": "50%",
    "var": "value",
    "who": "fred",
    "base": "http://example.com/home/",
    "path": "/foo/bar",
    "list": ["red", "green", "blue"],
    "keys": {"semi": ";", "dot": ".", "comma": ","},
    "v": "6",
    "x": "1024",
    "y": "768",
    "empty": "",
    "empty_keys": {},
    "undef": None,
}


@pytest.mark.parametrize(
    ("template", "expected"),
    [
        ("{count}", "one,two,three"),
        ("{count*}", "one,two,three"),
        ("{/count}", "/one,two,three"),
        ("{/count*}", "/one/two/three"),
        ("{;count}", ";count=one,two,three"),
        ("{;count*}", ";count=one;count=two;count=three"),
        ("{?count}", "?count=one,two,three"),
        ("{?count*}", "?count=one&count=two&count=three"),
        ("{&count*}", "&count=one&count=two&count=three"),
        ("{var}", "value"),
        ("{hello}", "Hello%20World%21"),
        ("{half}", "50%25"),
        ("O{empty}X", "OX"),
        ("O{undef}X", "OX"),
        ("{x,y}", "1024,768"),
        ("{x,hello,y}", "1024,Hello%20World%21,768"),
        ("?{x,empty}", "?1024,"),
        ("?{x,undef}", "?1024"),
        ("?{undef,y}", "?768"),
        ("{var:3}", "val"),
        ("{var:30}", "value"),
        ("{list}", "red,green,blue"),
        ("{keys}", "semi,%3B,dot,.,comma,%2C"),
        ("{keys*}", "semi=%3B,dot=.,comma=%2C"),
        ("{+hello}", "Hello%20World!"),
        ("{+half}", "50%25"),
        ("{base}index", "http%3A%2F%2Fexample.com%2Fhome%2Findex"),
        ("{+base}index", "http://example.com/home/index"),
        ("O{+empty}X", "OX"),
        ("O{+undef}X", "OX"),
        ("here?ref={+path}", "here?ref=/foo/bar"),
        ("up{+path}{var}/here", "up/foo/barvalue/here"),
        ("{+x,hello,y}", "1024,Hello%20World!,768"),
        ("{+path,x}/here", "/foo/bar,1024/here"),
        ("{+path:6}/here", "/foo/b/here"),
        ("{+list*}", "red,green,blue"),
        ("{+keys}", "semi,;,dot,.,comma,,"),
        ("{+keys*}", "semi=;,dot=.,comma=,"),
        ("{#hello}", "#Hello%20World!"),
        ("{#half}", "#50%25"),
        ("foo{#empty}", "foo#"),
        ("foo{#undef}", "foo"),
        ("{#path:6}here", "#/foo/bhere"),
        ("{#keys*}", "#semi=;,dot=.,comma=,"),
        ("{.who,who}", ".fred.fred"),
        ("{.half,who}", ".50%25.fred"),
        ("www{.dom*}", "www.example.com"),
        ("X{.empty}", "X."),
        ("X{.undef}", "X"),
        ("X{.list}", "X.red,green,blue"),
        ("X{.keys*}", "X.semi=%3B.dot=..comma=%2C"),
        ("X{.empty_keys}", "X"),
        ("X{.empty_keys*}", "X"),
        ("{/who,dub}", "/fred/me%2Ftoo"),
        ("{/var,empty}", "/value/"),
        ("{/var,undef}", "/value"),
        ("{/var:1,var}", "/v/value"),
        ("{/list*,path:4}", "/red/green/blue/%2Ffoo"),
        ("{/keys*}", "/semi=%3B/dot=./comma=%2C"),
        ("{;v,empty,who}", ";v=6;empty;who=fred"),
        ("{;v,bar,who}", ";v=6;who=fred"),
        ("{;hello:5}", ";hello=Hello"),
        ("{;keys}", ";keys=semi,%3B,dot,.,comma,%2C"),
        ("{;keys*}", ";semi=%3B;dot=.;comma=%2C"),
        ("{?x,y,empty}", "?x=1024&y=768&empty="),
        ("{?x,y,undef}", "?x=1024&y=768"),
        ("{?var:3}", "?var=val"),
        ("{?keys*}", "?semi=%3B&dot=.&comma=%2C"),
        ("?fixed=yes{&x}", "?fixed=yes&x=1024"),
        ("{&x,y,empty}", "&x=1024&y=768&empty="),
    ],
)
def test_examples_of_the_standard(template: str, expected: str) -> None:
    assert expand(template, VALUES) == expected


@pytest.mark.parametrize(
    ("template", "values", "expected"),
    [
        ("foobar://events/{topic}", {"topic": "foo/bar"}, "foobar://events/foo%2Fbar"),
        ("foobar://events{?topic}", {"topic": "foo/bar"}, "foobar://events?topic=foo%2Fbar"),
        ("db://{+path}", {"path": "a/b c"}, "db://a/b%20c"),
        ("x://h{/seg*}{?q,lang}", {"seg": ["a", "b"], "q": "ü"}, "x://h/a/b?q=%C3%BC"),
        ("x://{v:3}", {"v": "abcdef"}, "x://abc"),
        ("x://h{?a,b}", {"a": ""}, "x://h?a="),
        ("x://h{;s}{&t}", {"s": "1", "t": "2"}, "x://h;s=1&t=2"),
        ("x://{p}", {"p": "100%"}, "x://100%25"),
        ("mcp://m/{id}{?state,limit}", {"id": "0xc0"}, "mcp://m/0xc0"),
        ("mcp://m/{id}{?state,limit}", {"id": "1", "limit": "5"}, "mcp://m/1?limit=5"),
        ("mcp://m/{id}{?state}", {"id": "1", "state": ""}, "mcp://m/1?state="),
    ],
)
def test_what_servers_write(template: str, values: dict[str, Value | None], expected: str) -> None:
    """RES-01, RES-02."""
    assert expand(template, values) == expected


def test_every_variable_of_every_operator_is_listed() -> None:
    """RES-01."""
    template = Template("x://{a}/{+b}{/c*}{.d:3}{;e}{?f,a}{&g}{#h}")
    assert [variable.name for variable in template.variables] == list("abcdefgh")
    assert template.variables[2] == Variable("c", "/", explode=True)
    assert template.variables[3] == Variable("d", ".", length=3)
    assert [variable.name for variable in template.variables if variable.optional] == ["e", "f", "g", "h"]
    assert template.problems == ()


@pytest.mark.parametrize(
    ("template", "expanded", "words"),
    [
        ("x://{a", "x://{a", "brace"),
        ("x://a}", "x://a}", "brace"),
        ("x://{}", "x://{}", "missing"),
        ("x://{a b}", "x://{a%20b}", "no variable"),
        ("x://{=a}", "x://{=a}", "reserved"),
        ("x://{a,}", "x://{a,}", "missing"),
        ("x://{a:0}", "x://{a:0}", "no variable"),
        ("x://{a:99999}", "x://{a:99999}", "no variable"),
        ("x://{{a}}", "x://{1}", "brace"),
    ],
)
def test_malformed_parts_stay_and_are_said(template: str, expanded: str, words: str) -> None:
    read = Template(template)
    assert read.expand({"a": "1"}) == expanded
    assert any(words in problem for problem in read.problems)


def test_literals_are_encoded_but_not_twice() -> None:
    assert expand("x://ü b%20c%zz", {}) == "x://%C3%BC%20b%20c%25zz"


def test_names_with_dots_and_escapes() -> None:
    assert expand("{a.b,%20}", {"a.b": "1", "%20": "2"}) == "1,2"


def test_prefixes_count_characters_not_bytes() -> None:
    assert expand("{v:2}", {"v": "üñx"}) == "%C3%BC%C3%B1"
