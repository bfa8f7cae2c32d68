"""Checks a registration and a use of a passkey with python-fido2, whose code has nothing in common with ours."""
import json
import sys

from fido2.client import ClientData
from fido2.ctap2 import AttestationObject, AuthenticatorData
from fido2.server import Fido2Server
from fido2.utils import websafe_decode
from fido2.webauthn import PublicKeyCredentialRpEntity

given = json.load(sys.stdin)
server = Fido2Server(
    PublicKeyCredentialRpEntity("localhost", "localhost"),
    verify_origin=lambda origin: origin == "http://localhost:3000",
)
state = {"challenge": given["challenge"], "user_verification": "required"}


def part(credential, name):
    return websafe_decode(given[credential]["response"][name])


try:
    made = server.register_complete(
        state,
        ClientData(part("made", "clientDataJSON")),
        AttestationObject(part("made", "attestationObject")),
    )
    server.authenticate_complete(
        state,
        [made.credential_data],
        websafe_decode(given["used"]["rawId"]),
        ClientData(part("used", "clientDataJSON")),
        AuthenticatorData(part("used", "authenticatorData")),
        part("used", "signature"),
    )
    print("accepted")
except ValueError as error:
    print(error)
