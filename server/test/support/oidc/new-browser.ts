import { enrolPasskey } from '../attestation.js';
import { openStream } from '../pairing.js';
import type { Person } from '../phone.js';
import type { Browser } from './browser.js';
import { createKey, type Opened, pageWithKey, type TestKey } from './browser-key.js';
import { approveOnPhone, authorization, type discover, type OidcService, uidOf } from './oidc.js';

/** A person whose phone has a passkey. */
export async function personWithPasskey(oidc: OidcService) {
  const person = await oidc.person();
  const passkey = await enrolPasskey(oidc.service, oidc.account, person, { origin: oidc.baseUrl });
  return { ...person, passkey };
}

/** A sign-in page in a browser with this key. */
export async function beginSignIn(
  oidc: Pick<OidcService, 'account' | 'browser'>,
  config: Awaited<ReturnType<typeof discover>>,
  key: TestKey = createKey(),
  browser: Browser = oidc.browser(),
) {
  const uid = uidOf(await browser.open((await authorization(config)).url));
  return { browser, uid, key, page: pageWithKey(oidc, browser, uid, key) };
}
type Begun = Awaited<ReturnType<typeof beginSignIn>>;

/** What the browser sends to the addresses of the sign-in. */
export const cookiesOf = ({ cookies }: Browser): string =>
  [...cookies]
    .filter(([, { path }]) => path.startsWith('/sign-in/') || path === '/')
    .map(([name, { value }]) => `${name.split('|')[0]}=${value}`)
    .join('; ');

/** The first event of the page's stream. */
export async function eventOf({ service }: OidcService, { browser, uid }: Begun, { id }: Opened) {
  const cookie = cookiesOf(browser);
  const stream = await openStream(service, `/sign-in/${uid}/stream?session=${id}`, { cookie });
  const event = await stream.next();
  stream.disconnect();
  return event;
}

/** A session whose phone has proved, in a browser that is new to the person. */
export async function proveInNewBrowser(
  oidc: OidcService,
  config: Awaited<ReturnType<typeof discover>>,
  person: Person,
  key?: TestKey,
) {
  const begun = await beginSignIn(oidc, config, key);
  const session = await begun.page.open();
  const reply = await approveOnPhone(oidc, person, session);
  return { ...begun, session, reply };
}
