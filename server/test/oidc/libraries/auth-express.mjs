import { ExpressAuth, getSession } from '@auth/express';
import express from 'express';

const { ISSUER, CLIENT_ID, CLIENT_SECRET, PORT } = process.env;

const config = {
  secret: CLIENT_SECRET,
  trustHost: true,
  providers: [
    {
      id: 'phone',
      name: 'Phone',
      type: 'oidc',
      issuer: ISSUER,
      clientId: CLIENT_ID,
      clientSecret: CLIENT_SECRET,
    },
  ],
};

const app = express();
app.set('trust proxy', true);
app.use(/^\/auth\/(.*)/, ExpressAuth(config));
app.get('/', async (request, response) => {
  const session = await getSession(request, config);
  response.send(`Hello ${session?.user?.name}`);
});
app.listen(Number(PORT), '127.0.0.1');
