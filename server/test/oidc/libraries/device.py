"""A device client written from RFC 8628 alone. Prints the code, then the name."""

import json
import os
import time
import urllib.error
import urllib.parse
import urllib.request

issuer = os.environ["ISSUER"]
client_id = os.environ["CLIENT_ID"]


def post(url, fields):
    body = urllib.parse.urlencode({"client_id": client_id, **fields}).encode()
    try:
        with urllib.request.urlopen(url, body) as reply:
            return json.load(reply)
    except urllib.error.HTTPError as error:
        return json.load(error)


with urllib.request.urlopen(issuer + "/.well-known/openid-configuration") as reply:
    metadata = json.load(reply)

started = post(metadata["device_authorization_endpoint"], {"scope": "openid profile"})
print(started["verification_uri_complete"], flush=True)
interval = int(os.environ.get("INTERVAL", started.get("interval", 5)))
while True:
    time.sleep(interval)
    answer = post(
        metadata["token_endpoint"],
        {
            "grant_type": "urn:ietf:params:oauth:grant-type:device_code",
            "device_code": started["device_code"],
        },
    )
    if "access_token" in answer:
        break
    if answer["error"] == "slow_down":
        interval += 5
    elif answer["error"] != "authorization_pending":
        raise SystemExit(answer["error"])

asked = urllib.request.Request(
    metadata["userinfo_endpoint"], headers={"Authorization": "Bearer " + answer["access_token"]}
)
with urllib.request.urlopen(asked) as reply:
    print("Hello " + json.load(reply)["name"], flush=True)
