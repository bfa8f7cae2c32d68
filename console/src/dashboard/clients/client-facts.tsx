import type { OidcClient } from '@svc/sdk';
import { Panel } from '../../ui/layout/panel';
import { Grid } from '../../ui/layout/stack';
import { Facts } from '../../ui/layout/surface';
import { Rows } from '../../ui/lists/rows';
import { Time } from '../../ui/lists/time';
import { Absent } from '../../ui/lists/value';
import { textOfClaims } from './claims';
import style from './clients.module.css';
import { Breakable, Copied } from './copied';
import { AUTH_METHODS, hasSecret, SUBJECT_TYPES } from './labels';
import { discoveryOf } from './products';

export const ClientFacts = ({ client }: { readonly client: OidcClient }) => (
  <Grid>
    <Panel title="Connection">
      <Facts
        facts={{
          Issuer: <Copied text={client.issuer} name="issuer" />,
          'Discovery URL': <Copied text={discoveryOf(client.issuer)} name="discovery URL" />,
          'Client ID': <Copied text={client.clientId} name="client ID" />,
          ...(client.type === 'device' && {
            'Device authorization': (
              <Copied text={`${client.issuer}/device/auth`} name="device authorization URL" />
            ),
          }),
          Authentication: AUTH_METHODS[client.tokenEndpointAuth],
          ...(hasSecret(client) && { 'Client secret': 'Was shown once. If it is lost, rotate it.' }),
          PKCE: client.requirePkce
            ? 'Required, with S256'
            : 'Not required. Requests that use it are checked.',
        }}
      />
    </Panel>
    <Panel title="Settings">
      <Facts
        facts={{
          'Redirect URIs': <Uris of={client.redirectUris} />,
          Identifier: SUBJECT_TYPES[client.subjectType].name.replace(' (recommended)', ''),
          'May read': textOfClaims(client.claims),
          ...(client.jwks !== null && { 'Public keys': <Keys of={client.jwks.keys} /> }),
          ...(client.postLogoutRedirectUris.length > 0 && {
            'Post-logout URIs': <Uris of={client.postLogoutRedirectUris} />,
          }),
          ...(client.backchannelLogoutUri !== null && {
            'Back-channel logout': <Uris of={[client.backchannelLogoutUri]} />,
          }),
          'ID token': `Signed with ${client.idTokenAlg}${client.claimsInIdToken ? '' : ', without these claims'}`,
          ...(client.requireDpop && { 'Access token': 'Bound to a key (DPoP)' }),
          Created: <Time at={client.createdAt} />,
        }}
      />
    </Panel>
  </Grid>
);

const Uris = ({ of }: { readonly of: readonly string[] }) =>
  of.length === 0 ? (
    <Absent />
  ) : (
    <Rows className={style.uris}>
      {of.map((uri) => (
        <li key={uri}>
          <bdi dir="ltr">
            <Breakable text={uri} />
          </bdi>
        </li>
      ))}
    </Rows>
  );

type Key = NonNullable<OidcClient['jwks']>['keys'][number];

const Keys = ({ of }: { readonly of: readonly Key[] }) =>
  of.map(({ kty, crv, kid }) => `${crv ?? kty}${kid === undefined ? '' : ` (${kid})`}`).join(', ');
