import express from 'express';
import session from 'express-session';
import passport from 'passport';
import OpenIdConnectStrategy from 'passport-openidconnect';

const { ISSUER, CLIENT_ID, CLIENT_SECRET, ORIGIN, PORT } = process.env;

passport.use(
  new OpenIdConnectStrategy(
    {
      issuer: ISSUER,
      authorizationURL: `${ISSUER}/auth`,
      tokenURL: `${ISSUER}/token`,
      userInfoURL: `${ISSUER}/userinfo`,
      clientID: CLIENT_ID,
      clientSecret: CLIENT_SECRET,
      callbackURL: `${ORIGIN}/callback`,
      scope: ['profile'],
    },
    (_issuer, profile, done) => done(null, profile),
  ),
);
passport.serializeUser((user, done) => done(null, user));
passport.deserializeUser((user, done) => done(null, user));

const app = express();
app.use(session({ secret: CLIENT_SECRET, resave: false, saveUninitialized: false }));
app.use(passport.session());
app.get('/sign-in', passport.authenticate('openidconnect'));
app.get('/callback', passport.authenticate('openidconnect', { successRedirect: '/', failureMessage: true }));
app.get('/', (request, response) => response.send(`Hello ${request.user?.displayName}`));
app.listen(Number(PORT), '127.0.0.1');
