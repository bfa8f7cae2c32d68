import { randomBytes } from 'node:crypto';
import express from 'express';
import { AuthorizationCode } from 'simple-oauth2';

const { ISSUER, CLIENT_ID, CLIENT_SECRET, ORIGIN, PORT } = process.env;

const client = new AuthorizationCode({
  client: { id: CLIENT_ID, secret: CLIENT_SECRET },
  auth: { tokenHost: ISSUER, tokenPath: `${ISSUER}/token`, authorizePath: `${ISSUER}/auth` },
});
const redirect_uri = `${ORIGIN}/callback`;
const state = randomBytes(16).toString('hex');

const app = express();
app.get('/sign-in', (_request, response) =>
  response.redirect(client.authorizeURL({ redirect_uri, scope: 'openid profile', state })),
);
app.get('/callback', async (request, response) => {
  if (request.query.state !== state) throw new Error('another state');
  const { token } = await client.getToken({ code: request.query.code, redirect_uri });
  const user = await fetch(`${ISSUER}/userinfo`, {
    headers: { authorization: `Bearer ${token.access_token}` },
  });
  response.send(`Hello ${(await user.json()).name}`);
});
app.get('/', (_request, response) => response.send('Hello'));
app.listen(Number(PORT), '127.0.0.1');
