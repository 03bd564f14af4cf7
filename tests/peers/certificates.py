"""Certificates for tests, made when they are needed: roots, servers and clients."""

from __future__ import annotations

import datetime
import hashlib
import ipaddress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True)
class Issued:
    """A certificate with its key, as objects and as two PEM files."""

    certificate: x509.Certificate
    key: ec.EllipticCurvePrivateKey
    cert_file: Path
    key_file: Path

    @property
    def fingerprint(self) -> str:
        """Its SHA-256, in hexadecimal digits."""
        return hashlib.sha256(self.certificate.public_bytes(serialization.Encoding.DER)).hexdigest()


def issue(folder: Path, name: str, by: Issued | None = None, *, days: int = 30, host: str = "127.0.0.1") -> Issued:
    """A certificate called `name`, for a host, by an issuer; roots sign themselves. `days` may lie in the past."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = datetime.datetime.now(datetime.UTC)
    try:
        alternative: x509.GeneralName = x509.IPAddress(ipaddress.ip_address(host))
    except ValueError:
        alternative = x509.DNSName(host)
    builder = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(by.certificate.subject if by is not None else subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=60))
        .not_valid_after(now + datetime.timedelta(days=days))
        .add_extension(x509.BasicConstraints(ca=by is None, path_length=None), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
    )
    if by is not None:
        builder = builder.add_extension(x509.SubjectAlternativeName([alternative]), critical=False)
        issuer = x509.AuthorityKeyIdentifier.from_issuer_public_key(by.key.public_key())
        builder = builder.add_extension(issuer, critical=False)
    else:
        usage = x509.KeyUsage(
            digital_signature=True,
            key_cert_sign=True,
            crl_sign=True,
            content_commitment=False,
            key_encipherment=False,
            data_encipherment=False,
            key_agreement=False,
            encipher_only=False,
            decipher_only=False,
        )
        builder = builder.add_extension(usage, critical=True)
    certificate = builder.sign(by.key if by is not None else key, hashes.SHA256())
    cert_file, key_file = folder / f"{name}.pem", folder / f"{name}.key"
    cert_file.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    encoding, shape = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8
    key_file.write_bytes(key.private_bytes(encoding, shape, serialization.NoEncryption()))
    return Issued(certificate, key, cert_file, key_file)
