"""TLS contexts by what a server's entry says; making one reads files and takes some 20 ms, so do it beside the loop."""

from __future__ import annotations

import functools
import hashlib
import os
import ssl
import sys
from typing import TYPE_CHECKING

from mcp_inspector.transport.base import Fault, FaultKind

if TYPE_CHECKING:
    from mcp_inspector.config.route import Route

_BUNDLES = (
    "/etc/ssl/certs/ca-certificates.crt",  # Debian, Ubuntu, Arch
    "/etc/pki/tls/certs/ca-bundle.crt",  # Fedora, RHEL
    "/etc/ssl/ca-bundle.pem",  # SUSE
    "/etc/ssl/cert.pem",  # Alpine, BSD
)


@functools.cache
def trust() -> ssl.SSLContext:
    """TLS by the system's own roots, one for all."""
    return _system()


def context(route: Route) -> ssl.SSLContext:
    """The context for a route. Raises `Fault` of kind USAGE for files that cannot be used."""
    if not (route.ca or route.cert or route.pin):
        return trust()
    made = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT) if route.pin else _system()
    try:
        if route.ca and not route.pin:
            made.load_verify_locations(os.path.expanduser(route.ca))
    except (OSError, ssl.SSLError) as error:
        sentence = f"The roots of {route.ca} cannot be used: {error.strerror or error}."
        raise Fault(FaultKind.USAGE, sentence, "Name a PEM file with certificates.") from error
    if route.pin:
        made.check_hostname, made.verify_mode = False, ssl.CERT_NONE  # the fingerprint is the whole check
        made.sslobject_class = type("Pinned", (_Pinned,), {"pin": route.pin})
    if route.cert:
        cert, key = os.path.expanduser(route.cert), os.path.expanduser(route.key) if route.key else None
        try:
            made.load_cert_chain(cert, key, route.key_password or "")
        except (OSError, ssl.SSLError) as error:
            sentence = f"The client certificate {route.cert} cannot be used: {error.strerror or error}."
            raise Fault(FaultKind.USAGE, sentence, "Name PEM files of the certificate and its key.") from error
    return made


def _system() -> ssl.SSLContext:
    """On Linux OpenSSL reads the roots by itself, once; truststore would read all again for each connection."""
    if sys.platform in ("win32", "darwin"):
        import truststore

        return truststore.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    made = ssl.create_default_context()
    usual = ssl.get_default_verify_paths()
    if usual.cafile is None and not (usual.capath and os.listdir(usual.capath)):
        for bundle in filter(os.path.isfile, _BUNDLES):  # a frozen program's OpenSSL looks where it was built
            made.load_verify_locations(bundle)
            break
    return made


class _Pinned(ssl.SSLObject):
    """Takes the one certificate with this fingerprint, and nothing is sent before that is known."""

    pin = ""

    def do_handshake(self) -> None:
        super().do_handshake()
        found = hashlib.sha256(self.getpeercert(True) or b"").hexdigest()
        if found != self.pin:
            error = ssl.SSLCertVerificationError(1, "another certificate")
            error.reason = "CERTIFICATE_VERIFY_FAILED"
            error.verify_message = f"its certificate, {found}, is not the pinned one"
            raise error
