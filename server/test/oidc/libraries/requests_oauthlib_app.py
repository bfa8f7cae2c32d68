import os

from flask import Flask, redirect, request, session
from requests_oauthlib import OAuth2Session

issuer = os.environ["ISSUER"]
client_id = os.environ["CLIENT_ID"]
callback = os.environ["ORIGIN"] + "/callback"
# Only for an issuer on your own machine, which has no TLS.
os.environ["OAUTHLIB_INSECURE_TRANSPORT"] = "1"

app = Flask(__name__)
app.secret_key = os.environ["CLIENT_SECRET"]


@app.get("/")
def home():
    return "Hello"


@app.get("/sign-in")
def sign_in():
    phone = OAuth2Session(client_id, redirect_uri=callback, scope=["openid", "profile"])
    url, session["state"] = phone.authorization_url(issuer + "/auth")
    return redirect(url)


@app.get("/callback")
def signed_in():
    phone = OAuth2Session(client_id, redirect_uri=callback, state=session["state"])
    phone.fetch_token(
        issuer + "/token",
        authorization_response=request.url,
        client_secret=os.environ["CLIENT_SECRET"],
    )
    return "Hello " + phone.get(issuer + "/userinfo").json()["name"]


app.run(port=int(os.environ["PORT"]))
