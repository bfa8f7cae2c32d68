import type { OidcClient, OidcClientCreateParams } from '@svc/sdk';
import { type ReactNode, useState } from 'react';
import { Cancel, DialogActions } from '../../../ui/dialogs/dialog';
import { Button } from '../../../ui/forms/button';
import { Choice } from '../../../ui/forms/choice';
import { CheckField, SelectField, TextArea, TextField } from '../../../ui/forms/field';
import { detailsOf, Form } from '../../../ui/forms/form';
import { Stack } from '../../../ui/layout/surface';
import { problemOfKeys, readJwks } from '../jwks';
import { AUTH_METHODS, AUTH_OF_TYPE, SUBJECT_TYPES, TYPES } from '../labels';
import { AdvancedFields } from './advanced-fields';
import style from './form.module.css';
import { namesOf, UriRows, useUris } from './uri-rows';

const FIELDS: readonly string[] = [
  'name',
  'tokenEndpointAuth',
  'jwks',
  'profile',
  'email',
  'backchannelLogoutUri',
  'idTokenAlg',
  'requireDpop',
];

/** The form of a new application, or of one that is edited. Its type, authentication and kind of identifier stay. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one form, from top to bottom
export function ClientForm({
  client,
  error,
  failure,
  action,
  busy,
  onSend,
}: {
  /** Default: a new application. */
  readonly client?: OidcClient;
  readonly error: unknown;
  /** What the form shows of an error that belongs to no field. */
  readonly failure: ReactNode;
  readonly action: string;
  readonly busy: boolean;
  readonly onSend: (input: OidcClientCreateParams) => void;
}) {
  const [type, setType] = useState(client?.type ?? 'web');
  const [auth, setAuth] = useState(client?.tokenEndpointAuth ?? AUTH_OF_TYPE[type][0]);
  const [subjectType, setSubjectType] = useState(client?.subjectType ?? 'pairwise');
  const redirects = useUris(client?.redirectUris ?? [], 1);
  const postLogouts = useUris(client?.postLogoutRedirectUris ?? [], 0);
  const [areKeysUnreadable, setKeysUnreadable] = useState(false);
  const keyDetails = detailsOf(error).filter(({ path }) => path.startsWith('body.jwks.'));
  const send = (values: Readonly<Record<string, string>>) => {
    const text = (name: string) => (values[name] ?? '').trim();
    const jwks = auth === 'private_key_jwt' ? readJwks(text('jwks')) : null;
    setKeysUnreadable(jwks === undefined);
    if (jwks === undefined) return;
    onSend({
      name: text('name'),
      type,
      redirectUris: type === 'device' ? [] : redirects.take(),
      tokenEndpointAuth: auth,
      ...(jwks !== null && { jwks }),
      subjectType,
      claims: (['profile', 'email'] as const).filter((claim) => text(claim) !== ''),
      postLogoutRedirectUris: postLogouts.take(),
      backchannelLogoutUri: text('backchannelLogoutUri') || null,
      idTokenAlg: text('idTokenAlg') as OidcClient['idTokenAlg'],
      requireDpop: text('requireDpop') !== '',
    });
  };
  return (
    <Form
      names={[
        ...FIELDS,
        ...namesOf('redirectUris', redirects),
        ...namesOf('postLogoutRedirectUris', postLogouts),
        ...keyDetails.map(({ path }) => path.replace(/^.*\./, '')),
      ]}
      error={error}
      onSend={send}
    >
      <Stack>
        <TextField
          label="Name"
          name="name"
          hint="People see it on the sign-in page and on their phone."
          placeholder="Northwind Portal"
          autoComplete="off"
          defaultValue={client?.name}
          maxLength={100}
          required
        />
        {client === undefined && (
          <Choice
            legend="Type"
            options={TYPES}
            chosen={type}
            onChoose={(chosen) => {
              setType(chosen);
              setAuth(AUTH_OF_TYPE[chosen][0]);
            }}
          />
        )}
        {type !== 'device' && (
          <UriRows
            legend="Redirect URIs"
            name="redirectUris"
            noun="redirect URI"
            hint={
              subjectType === 'pairwise'
                ? 'Where people return to after signing in. They are compared exactly, and all have the same host.'
                : 'Where people return to after signing in. They are compared exactly.'
            }
            placeholder={type === 'native' ? 'com.example.app:/callback' : 'https://app.example.com/callback'}
            uris={redirects}
            required
          />
        )}
        {client === undefined && AUTH_OF_TYPE[type].length > 1 && (
          <SelectField
            label="Authentication"
            name="tokenEndpointAuth"
            hint={`How the application proves itself at the token endpoint.${type === 'web' ? ' Most software uses the header, Nextcloud the body.' : ''}`}
            value={auth}
            onChange={({ currentTarget: { value } }) => setAuth(value as OidcClient['tokenEndpointAuth'])}
          >
            {AUTH_OF_TYPE[type].map((method) => (
              <option key={method} value={method}>
                {AUTH_METHODS[method]}
              </option>
            ))}
          </SelectField>
        )}
        {auth === 'private_key_jwt' && (
          <div className={style.keys}>
            <TextArea
              label="Public keys"
              name="jwks"
              hint="As a JSON Web Key Set. The private keys stay with the application."
              placeholder={'{"keys": [{"kty": "EC", "crv": "P-256", "x": "…", "y": "…"}]}'}
              error={
                areKeysUnreadable
                  ? 'Enter a JSON Web Key Set, for example {"keys": [{"kty": "EC", …}]}.'
                  : problemOfKeys(detailsOf(error))
              }
              defaultValue={client?.jwks ? JSON.stringify(client.jwks, null, 2) : ''}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              required
            />
          </div>
        )}
        {client === undefined && (
          <Choice
            legend="Identifier of a person"
            options={SUBJECT_TYPES}
            chosen={subjectType}
            onChoose={setSubjectType}
          />
        )}
        <fieldset className={style.group}>
          <legend>What it may read</legend>
          <CheckField
            label="Name"
            name="profile"
            defaultChecked={client?.claims.includes('profile') ?? true}
          />
          <CheckField
            label="E-mail address"
            name="email"
            hint={type === 'web' && 'Grafana and GitLab need it.'}
            defaultChecked={client?.claims.includes('email') ?? false}
          />
        </fieldset>
        <AdvancedFields client={client} error={error} postLogouts={postLogouts} />
        {failure}
        <DialogActions>
          <Cancel />
          <Button look="primary" type="submit" busy={busy}>
            {action}
          </Button>
        </DialogActions>
      </Stack>
    </Form>
  );
}
