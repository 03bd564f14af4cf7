"""Where to sign in, by scripted answers: the cases of discovery, resource, PKCE and scopes."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_inspector.auth import challenge, discovery, documents, places
from mcp_inspector.auth.discovery import Situation
from mcp_inspector.auth.steps import Answer, Trail, Verdict
from mcp_inspector.config.auth_options import AuthOptions
from mcp_inspector.transport.base import Fault
from tests.auth.play import document, play

SERVER = "https://srv.test/team/mcp"
PRM = "https://srv.test/.well-known/oauth-protected-resource"
AS = "https://as.test"
METADATA = {
    "issuer": AS,
    "authorization_endpoint": f"{AS}/authorize",
    "token_endpoint": f"{AS}/token",
    "code_challenge_methods_supported": ["S256"],
}
WELL_KNOWN = f"{AS}/.well-known/oauth-authorization-server"


def find(
    answers: dict[str, Answer], server: str = SERVER, header: str = "", **more: Any
) -> tuple[Any, list[str], Trail]:
    """Discover, and tell what was asked."""
    options = AuthOptions(**more.pop("options", {}))
    situation = Situation(server, options, challenge.parse([header] if header else []), **more)
    trail = Trail()
    found, asked = play(discovery.discover(situation, trail), answers)
    return found, [each.url for each in asked], trail


@pytest.mark.parametrize(
    ("header", "wanted"),
    [
        ('Bearer resource_metadata="https://h/.well-known/x"', ["https://h/.well-known/x"]),
        (
            r'Bearer realm="a, b=\"c\"", error="invalid_token", resource_metadata = "https://h/x", scope="a b"',
            ["https://h/x"],
        ),
        ("bearer resource_metadata=https://h/x", ["https://h/x"]),
        ("Bearer resource_metadata='https://h/x'", ["https://h/x"]),
        ('Basic realm="x", Bearer resource_metadata="https://h/x"', ["https://h/x"]),
        ('Negotiate YWJj==, Bearer resource_metadata="https://h/x"', ["https://h/x"]),
        ('Bearer resource_metadata="https://h/x", resource_metadata="https://h/y"', ["https://h/x", "https://h/y"]),
        ('DPoP algs="ES256", resource_metadata="https://h/x"', ["https://h/x"]),
        ('Negotiate, Bearer realm="r"', []),
        ('Basic resource_metadata="https://h/x"', []),
        ("Bearer", []),
        ("", []),
        ("=,,;\"'", []),
    ],
)
def test_challenges_as_servers_write_them(header: str, wanted: list[str]) -> None:
    """OAU-01."""
    found = challenge.about_tokens(challenge.parse([header]))
    assert [url for each in found for url in each.all("resource_metadata")] == wanted


def test_resource_metadata_is_looked_for_in_order() -> None:
    """OAU-01, OAU-02: the challenge, then the path, then the root; whatever is no document is passed by."""
    named = f"{PRM}/elsewhere"
    answers = {
        named: Answer(404, "Not Found"),
        f"{PRM}/team/mcp": Answer(200, "OK", (), b"<html></html>"),
        PRM: document({"resource": SERVER, "authorization_servers": [AS]}),
        WELL_KNOWN: document(METADATA),
    }
    found, asked, trail = find(answers, header=f'Bearer resource_metadata="{named}"')
    assert asked == [named, f"{PRM}/team/mcp", PRM, WELL_KNOWN]
    assert found.issuer == AS
    assert [step.verdict for step in trail.steps[:3]] == [Verdict.NEXT, Verdict.NEXT, Verdict.DONE]
    assert all(step.rule is not None for step in trail.steps)


@pytest.mark.parametrize("status", [401, 403, 404, 500])
def test_a_refusal_at_one_place_is_not_the_end(status: int) -> None:
    """OAU-02."""
    answers = {
        f"{PRM}/team/mcp": Answer(status, "No"),
        PRM: document({"resource": SERVER, "authorization_servers": [AS]}),
        WELL_KNOWN: document(METADATA),
    }
    assert find(answers)[0].issuer == AS


@pytest.mark.parametrize(
    ("issuer", "order"),
    [
        (
            "https://as.test/realm-a",
            [
                "https://as.test/.well-known/oauth-authorization-server/realm-a",
                "https://as.test/.well-known/openid-configuration/realm-a",
                "https://as.test/realm-a/.well-known/openid-configuration",
            ],
        ),
        (
            "https://as.test",
            [
                "https://as.test/.well-known/oauth-authorization-server",
                "https://as.test/.well-known/openid-configuration",
            ],
        ),
    ],
)
def test_server_metadata_is_looked_for_in_order_on_the_issuers_host(issuer: str, order: list[str]) -> None:
    """OAU-03: the last place alone has it."""
    answers = {
        PRM: document({"resource": SERVER, "authorization_servers": [issuer]}),
        order[-1]: document({**METADATA, "issuer": issuer}),
    }
    assert find(answers)[1][2:] == order


@pytest.mark.parametrize(
    ("server", "resource"),
    [("https://h", "https://h"), ("https://h/mcp", "https://h/mcp"), ("https://h/mcp", "https://H/mcp/")],
)
def test_the_resource_is_taken_byte_for_byte(server: str, resource: str) -> None:
    """OAU-12."""
    answers = {
        places.resource_metadata(server)[0]: document({"resource": resource, "authorization_servers": [AS]}),
        WELL_KNOWN: document(METADATA),
    }
    assert find(answers, server)[0].resource == resource


@pytest.mark.parametrize("resource", ["http://h/", "http://h", "http://h/mcp", "http://h/mcp/", "HTTP://H:80/mcp"])
def test_a_resource_that_is_the_server_or_above_it(resource: str) -> None:
    """OAU-13."""
    assert places.covers(resource, "http://h/mcp")


@pytest.mark.parametrize(
    "resource",
    ["http://evil/mcp", "http://h.evil/mcp", "http://h/mcp2", "http://h:81/mcp", "https://h/mcp", "http://["],
)
def test_a_resource_that_is_anothers(resource: str) -> None:
    """OAU-13: rejected before anybody is sent anywhere."""
    assert not places.covers(resource, "http://h/mcp")
    answers = {
        "http://localhost/.well-known/oauth-protected-resource/mcp": document(
            {"resource": resource, "authorization_servers": [AS]}
        )
    }
    with pytest.raises(Fault, match="would be another's"):
        find(answers, "http://localhost/mcp")


def test_metadata_without_a_resource_is_used_and_said() -> None:
    """OAU-13."""
    answers = {PRM: document({"authorization_servers": [AS]}), WELL_KNOWN: document(METADATA)}
    found, _, trail = find(answers)
    assert found.resource == SERVER
    assert trail.steps[1].verdict is Verdict.ODD


@pytest.mark.parametrize(
    "issuer", ["http://169.254.169.254/", "http://127.0.0.1:22", "https://10.0.0.8", "https://[::1]", "https://x.local"]
)
def test_a_public_servers_metadata_leads_nowhere_inside(issuer: str) -> None:
    """OAU-15."""
    answers = {PRM: document({"resource": SERVER, "authorization_servers": [issuer]})}
    with pytest.raises(Fault, match="private network") as caught:
        find(answers)
    assert "allow the private network" in caught.value.hint


@pytest.mark.parametrize("member", ["authorization_endpoint", "token_endpoint"])
@pytest.mark.parametrize("url", ["http://as.test/token", "ftp://as.test", "javascript:alert(1)", "https://10.1.2.3/t"])
def test_endpoints_that_nothing_is_sent_to(member: str, url: str) -> None:
    """OAU-15, and that only http and https is ever opened."""
    answers = {
        PRM: document({"resource": SERVER, "authorization_servers": [AS]}),
        WELL_KNOWN: document({**METADATA, member: url}),
    }
    with pytest.raises(Fault, match="is not used, because"):
        find(answers)


def test_a_challenge_leads_nowhere_inside_either() -> None:
    """OAU-15: the URL of the challenge is not even asked."""
    inside = "http://192.168.1.1/x"
    answers = {
        PRM: document({"resource": SERVER, "authorization_servers": [AS]}),
        WELL_KNOWN: document(METADATA),
    }
    _, asked, trail = find(answers, header=f'Bearer resource_metadata="{inside}"')
    assert inside not in asked
    assert "private network" in trail.steps[0].sentence


def test_many_authorization_servers_are_bounded_and_one_is_chosen() -> None:
    """OAU-15, and the choice of the person."""
    servers = [f"https://as{n}.test" for n in range(60)]
    answers = {
        PRM: document({"resource": SERVER, "authorization_servers": servers}),
        f"{servers[3]}/.well-known/oauth-authorization-server": document({**METADATA, "issuer": servers[3]}),
    }
    found, _, trail = find(answers, options={"issuer": servers[3]})
    assert found.issuer == servers[3]
    assert "and 10 more" in next(step for step in trail.steps if step.title == "Authorization server").sentence


@pytest.mark.parametrize(
    ("methods", "why"), [(None, "does not say"), (["plain"], "only by plain"), ([], "does not say")]
)
def test_without_s256_nobody_is_sent_there(methods: list[str] | None, why: str) -> None:
    """OAU-18."""
    metadata = {**METADATA, "code_challenge_methods_supported": methods}
    answers = {PRM: document({"resource": SERVER, "authorization_servers": [AS]}), WELL_KNOWN: document(metadata)}
    with pytest.raises(Fault, match=why):
        find(answers)
    assert find(answers, options={"without_pkce": True})[0].issuer == AS
    assert find(answers, version="2025-06-18")[0].issuer == AS


@pytest.mark.parametrize(
    ("header", "listed", "at_server", "wanted"),
    [
        ('Bearer scope="a b"', ["a", "b", "admin"], [], ("a", "b")),
        ("Bearer", ["a", "b", "admin"], [], ("a", "b", "admin")),
        ("Bearer", [], [], ()),
        ('Bearer scope=""', [], ["offline_access"], ()),
        ('Bearer scope="a"', [], ["a", "offline_access"], ("a", "offline_access")),
    ],
)
def test_scopes_are_chosen_in_order(
    header: str, listed: list[str], at_server: list[str], wanted: tuple[str, ...]
) -> None:
    """OAU-20."""
    answers = {
        PRM: document({"resource": SERVER, "authorization_servers": [AS], "scopes_supported": listed}),
        WELL_KNOWN: document({**METADATA, "scopes_supported": at_server}),
    }
    found, _, trail = find(answers, header=header)
    situation = Situation(SERVER, AuthOptions(), challenge.parse([header]))
    assert discovery.scopes(situation, found, trail) == wanted


@pytest.mark.parametrize("body", [b"{}", b"[]", b"<html></html>", b'{"issuer":"https://h"}', b"", b"\xff", b"[" * 5000])
def test_what_is_no_metadata(body: bytes) -> None:
    """OAU-22."""
    assert documents.server_metadata(body) is None
    assert documents.resource_metadata(body) is None


@pytest.mark.parametrize("said", ["https://evil.test", "https://AS.test", f"{AS}/", f"{AS}:443"])
def test_metadata_of_another_issuer_is_not_used(said: str) -> None:
    answers = {
        PRM: document({"resource": SERVER, "authorization_servers": [AS]}),
        WELL_KNOWN: document({**METADATA, "issuer": said}),
    }
    with pytest.raises(Fault, match="of another issuer"):
        find(answers)


def test_a_server_of_2025_03_26_is_its_own_authorization_server() -> None:
    found, asked, _ = find({}, "https://old.test/sse", version="2025-03-26")
    assert found.server.token_endpoint == "https://old.test/token"
    assert found.guessed
    assert found.resource == ""
    assert asked[2] == "https://old.test/.well-known/oauth-authorization-server"
    with pytest.raises(Fault, match="could not be found out"):
        find({}, "https://new.test/mcp", version="2025-11-25")
