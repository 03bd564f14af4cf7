"""What lies below HTTP: the proxy, the name, the connection, the certificate. Nothing of MCP is sent."""

from __future__ import annotations

import asyncio
import contextlib
import datetime
import hashlib
import ipaddress
import socket
import ssl
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mcp_inspector.session.doctor.report import Report, Result
from mcp_inspector.transport import urls
from mcp_inspector.transport.base import Fault, FaultKind
from mcp_inspector.transport.proxies import proxy_for

if TYPE_CHECKING:
    from cryptography import x509

    from mcp_inspector.config.entry import ServerEntry
    from mcp_inspector.config.route import Route
    from mcp_inspector.transport.urls import Target

LIMIT_S = 10.0
_SOON = datetime.timedelta(days=14)


async def examine(target: Target, route: Route, report: Report) -> bool:
    """Look at the way to a server; False when it ends before HTTP."""
    first = _proxy(target, route, report)
    if first is None:
        return False
    if not await _name(first, report):
        return False
    if not await _tcp(first, report):
        return False
    if target.scheme != "https":
        loopback = _is_loopback(target.host)
        sentence = "The URL is http: everything can be read on the way."
        if loopback:
            sentence = "The URL is http, on this machine."
        remedy = "" if loopback else "Use https where the server has it."
        report.add("TLS", Result.OK if loopback else Result.ODD, sentence, remedy)
        return True
    if first is not target:
        report.add("TLS", Result.SKIPPED, "It is made through the proxy: see HTTP.")
        return True
    return await _tls(target, route, report)


def _proxy(target: Target, route: Route, report: Report) -> Target | None:
    """The host to connect to first: the server, or its proxy."""
    try:
        found = proxy_for(target, route.proxy)
        proxy = urls.parse(found) if found is not None else None
    except Fault as fault:
        report.add("Proxy", Result.FAILED, fault.sentence, fault.hint)
        return None
    source = "its entry" if route.proxy else "the environment or the system"
    if proxy is None:
        why = "as its entry says" if route.proxy == "none" else "none is set for this address"
        report.add("Proxy", Result.OK, f"The connection is direct: {why}.")
        return target
    report.add("Proxy", Result.OK, f"It goes through {proxy.scheme}://{proxy.authority}, by {source}.")
    return proxy


async def _name(target: Target, report: Report) -> bool:
    report.begin("Name")
    began = time.perf_counter()
    loop = asyncio.get_running_loop()
    try:
        async with asyncio.timeout(LIMIT_S):
            found = await loop.getaddrinfo(target.host, target.port, type=socket.SOCK_STREAM)
    except (OSError, TimeoutError) as error:
        why = "did not answer in time" if isinstance(error, TimeoutError) else "does not know it"
        sentence = f"The name {target.host} was not found: the name service {why}."
        report.add(
            "Name", Result.FAILED, sentence, "Check the host name, and the network or VPN.", time.perf_counter() - began
        )
        return False
    addresses = list(dict.fromkeys(str(each[4][0]) for each in found))
    literal = addresses == [target.host]
    sentence = f"{target.host} is an address." if literal else f"{target.host} is {', '.join(addresses)}."
    report.add("Name", Result.OK, sentence, "", time.perf_counter() - began)
    return True


async def _tcp(target: Target, report: Report) -> bool:
    report.begin("TCP")
    began = time.perf_counter()
    try:
        async with asyncio.timeout(LIMIT_S):
            _, writer = await asyncio.open_connection(target.host, target.port)
    except (OSError, TimeoutError) as error:
        seconds = time.perf_counter() - began
        if isinstance(error, ConnectionRefusedError) or "Connect call failed" in str(error):
            sentence = f"Nothing listens at {target.host} port {target.port}: the connection was refused."
            report.add("TCP", Result.FAILED, sentence, "Start the server, or check host and port.", seconds)
        else:
            why = f"nothing came back within {LIMIT_S:g} s" if isinstance(error, TimeoutError) else str(error)
            sentence = f"{target.host} port {target.port} cannot be reached: {why}."
            report.add("TCP", Result.FAILED, sentence, "Check host, port, firewall and VPN.", seconds)
        return False
    address = writer.get_extra_info("peername")
    await _end(writer)
    sentence = f"{address[0]} port {address[1]} accepts connections."
    report.add("TCP", Result.OK, sentence, "", time.perf_counter() - began)
    return True


async def _tls(target: Target, route: Route, report: Report) -> bool:
    from mcp_inspector.transport import tls

    report.begin("TLS")
    began = time.perf_counter()
    try:
        context = await asyncio.to_thread(tls.context, route)
    except Fault as fault:
        report.add("TLS", Result.FAILED, fault.sentence, fault.hint)
        return False
    details = route.words
    try:
        async with asyncio.timeout(LIMIT_S):
            _, writer = await asyncio.open_connection(
                target.host, target.port, ssl=context, server_hostname=target.host
            )
    except (OSError, TimeoutError) as error:
        seconds = time.perf_counter() - began
        shown = await _certificate(target)
        lines = (*details, *(described(shown) if shown is not None else ()))
        sentence, remedy = _why(error, shown, target)
        report.add("TLS", Result.FAILED, sentence, remedy, seconds, lines)
        return False
    found = writer.get_extra_info("ssl_object")
    shown = _parsed(found.getpeercert(True))
    version, cipher = found.version(), (found.cipher() or ("?",))[0]
    await _end(writer)
    lines = (*details, *(described(shown) if shown is not None else ()))
    sentence = f"{version}, {cipher}; the certificate is trusted."
    result, remedy = Result.OK, ""
    if route.pin:
        result, sentence = Result.ODD, f"{version}, {cipher}; only the pinned certificate was compared, nothing else."
        remedy = "Take the pin away when the server has a certificate that can be checked."
    elif shown is not None and shown.not_valid_after_utc - datetime.datetime.now(datetime.UTC) < _SOON:
        result, remedy = Result.ODD, "Renew the certificate."
        sentence += f" It ends on {shown.not_valid_after_utc:%Y-%m-%d}."
    report.add("TLS", result, sentence, remedy, time.perf_counter() - began, lines)
    return True


def _why(error: BaseException, shown: x509.Certificate | None, target: Target) -> tuple[str, str]:
    if isinstance(error, TimeoutError):
        return f"The TLS handshake did not end within {LIMIT_S:g} s.", "Check whether a firewall lies between."
    if not isinstance(error, ssl.SSLError):
        return f"The connection was cut off in the TLS handshake: {error}.", "Does it want a client certificate?"
    why = getattr(error, "verify_message", "") or str(getattr(error, "reason", "") or error)
    if "WRONG_VERSION" in why or "RECORD_LAYER" in why:
        return "The server speaks plain HTTP at this port.", "Write http:// in the URL, or use its https port."
    if shown is None:
        return f"The TLS handshake failed: {why}.", "Look at the server's own log."
    now = datetime.datetime.now(datetime.UTC)
    if shown.not_valid_after_utc < now:
        return f"The certificate ended on {shown.not_valid_after_utc:%Y-%m-%d}.", "Renew it at the server."
    if shown.not_valid_before_utc > now:
        day = f"{shown.not_valid_before_utc:%Y-%m-%d}"
        return f"The certificate begins only on {day}.", "Check the clocks of both machines."
    if "match" in why.lower():
        return f"The certificate is not for {target.host}, but for {', '.join(names(shown)) or 'nobody'}.", (
            "Use a name that it is for, or get a certificate for this one."
        )
    if shown.issuer == shown.subject:
        return "The server signed its certificate itself.", "Add it, or its root, as a CA file of this server (tls.ca)."
    issuer = shown.issuer.rfc4514_string()
    return f"Nobody that this system trusts has signed the certificate ({why}); it is by {issuer}.", (
        "Add that root as a CA file of this server (tls.ca); or the server does not send what lies between."
    )


async def _certificate(target: Target) -> x509.Certificate | None:
    """The server's certificate, whatever is wrong with it; nothing is sent."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    try:
        async with asyncio.timeout(LIMIT_S):
            _, writer = await asyncio.open_connection(
                target.host, target.port, ssl=context, server_hostname=target.host
            )
    except (OSError, TimeoutError):
        return None
    found = _parsed(writer.get_extra_info("ssl_object").getpeercert(True))
    await _end(writer)
    return found


@dataclass(frozen=True)
class Presented:
    """The certificate that a server shows, for a person to judge. `facts` are names and values, for people."""

    fingerprint: str
    facts: tuple[tuple[str, str], ...]


async def presented(entry: ServerEntry) -> Presented:
    """Look at the certificate of a server, whatever is wrong with it; nothing is sent. Raises `Fault`.

    `entry` has its variables filled in.
    """
    target = urls.parse(entry.url)
    if target.scheme != "https":
        raise Fault(FaultKind.USAGE, f"{entry.name} is reached without TLS, and shows no certificate.")
    if proxy_for(target, entry.route.proxy) is not None:
        sentence = f"{entry.name} is reached through a proxy, and its certificate cannot be looked at from here."
        raise Fault(FaultKind.USAGE, sentence, "Get its SHA-256 fingerprint from whoever runs the server.")
    found = await _certificate(target)
    if found is None:
        raise Fault(FaultKind.TLS, f"{target.authority} showed no certificate within {LIMIT_S:g} s.")
    pairs = tuple((name, value) for name, _, value in (line.partition(": ") for line in described(found)))
    return Presented(dict(pairs)["SHA-256"], pairs)


def _parsed(der: bytes | None) -> x509.Certificate | None:
    from cryptography import x509

    try:
        return x509.load_der_x509_certificate(der) if der else None
    except ValueError:
        return None


def names(certificate: x509.Certificate) -> list[str]:
    """The hosts that a certificate is for."""
    from cryptography import x509

    try:
        found = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except (x509.ExtensionNotFound, ValueError):
        return []
    return [*found.get_values_for_type(x509.DNSName), *map(str, found.get_values_for_type(x509.IPAddress))]


def described(certificate: x509.Certificate) -> tuple[str, ...]:
    """What stands in a certificate, for people."""
    from cryptography.hazmat.primitives.serialization import Encoding

    first, last = certificate.not_valid_before_utc, certificate.not_valid_after_utc
    return (
        f"subject: {certificate.subject.rfc4514_string()}",
        f"issuer: {certificate.issuer.rfc4514_string()}",
        f"valid: {first:%Y-%m-%d %H:%M} to {last:%Y-%m-%d %H:%M} UTC",
        f"for: {', '.join(names(certificate)) or 'no host'}",
        f"SHA-256: {hashlib.sha256(certificate.public_bytes(Encoding.DER)).hexdigest()}",
    )


async def _end(writer: asyncio.StreamWriter) -> None:
    writer.close()
    with contextlib.suppress(OSError, TimeoutError):
        async with asyncio.timeout(1):
            await writer.wait_closed()


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")
