import express from 'express';
import { auth } from 'express-openid-connect';

const { ISSUER, CLIENT_ID, CLIENT_SECRET, ORIGIN, PORT } = process.env;

const app = express();
app.use(
  auth({
    issuerBaseURL: ISSUER,
    baseURL: ORIGIN,
    clientID: CLIENT_ID,
    clientSecret: CLIENT_SECRET,
    secret: CLIENT_SECRET,
    authRequired: false,
    authorizationParams: { response_type: 'code' },
    routes: { login: '/sign-in' },
  }),
);
app.get('/', (request, response) => response.send(`Hello ${request.oidc.user?.name}`));
app.listen(Number(PORT), '127.0.0.1');
