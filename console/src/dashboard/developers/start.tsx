import { BookOpen } from 'lucide-react';
import { Link } from 'react-router';
import { Code } from '../../ui/code/code';
import { ButtonAnchor } from '../../ui/forms/button';
import { CopyButton } from '../../ui/forms/copy';
import { Panel } from '../../ui/layout/panel';
import { Row, Stack } from '../../ui/layout/stack';
import { Page } from '../../ui/layout/surface';
import { SnippetTabs } from '../nouns/snippet-tabs';
import { useEnvironment } from '../operations/environment';
import { accountPage, pageIn } from '../paths';
import style from './start.module.css';

const FIRST_REQUEST = {
  operationId: 'createUser',
  method: 'POST',
  path: '/v1/users',
  body: { fullName: 'Ada Lovelace', externalId: 'ada-1' },
} as const;

const sdkOf = (origin: string, environment: string) => `import { Svc } from '@svc/sdk';

const svc = new Svc({ baseUrl: '${origin}', apiKey: process.env.SVC_API_KEY, environment: '${environment}' });

// Show the code and the number. The person scans the code and types the number on their phone.
const { did, tokens } = await svc.pairing.signIn({
  onCode: ({ qrPayload, matchCode }) => console.log(qrPayload, matchCode),
});`;

const cliOf = (origin: string) => `export BASE_URL=${origin} SVC_API_KEY=…
svc doctor --client        # what works, and what does not
svc phone register         # a phone in your terminal
svc phone verify           # its first proof`;

/** The first request, the SDK and the command line, with the address of this service filled in. */
export function Start() {
  const environment = useEnvironment();
  const { origin } = location;
  return (
    <Page
      title="SDK and CLI"
      about="Your first request, a sign-in in a few lines, and a phone in your terminal."
      actions={
        <ButtonAnchor href="/docs/quickstart">
          <BookOpen size={16} aria-hidden="true" />
          Quickstart
        </ButtonAnchor>
      }
    >
      <div className={style.page}>
        <Panel title="Base URL">
          <Row>
            <code className={style.url}>{origin}</code>
            <CopyButton text={origin} />
          </Row>
          <p>
            Every request has an API key of this environment, {environment === 'live' ? 'live' : 'test'}.{' '}
            <Link to={accountPage('keys')}>Create one</Link>, or try requests in the{' '}
            <Link to={pageIn(environment, 'playground')}>playground</Link>, which makes a test key for you.
          </p>
        </Panel>
        <Stack gap={2}>
          <h2>Add a person</h2>
          <SnippetTabs request={{ ...FIRST_REQUEST, origin }} />
        </Stack>
        <Panel
          flush
          title="Sign people in with the SDK"
          aside={<CopyButton text={sdkOf(origin, environment)} />}
        >
          <Code label="A sign-in with the SDK" language="typescript">
            {sdkOf(origin, environment)}
          </Code>
        </Panel>
        <Panel flush title="Try it on the command line" aside={<CopyButton text={cliOf(origin)} />}>
          <Code label="Commands to begin with" language="curl">
            {cliOf(origin)}
          </Code>
        </Panel>
        <p>
          <a href="/docs/sdk">All of the SDK</a> · <a href="/docs/cli">All commands</a> ·{' '}
          <a href="/docs/openid-provider">Sign people in with OpenID Connect</a>, without code of ours
        </p>
      </div>
    </Page>
  );
}
