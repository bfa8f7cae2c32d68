import type { OidcClient, OidcClientCreateParams } from '@svc/sdk';
import type { ReactNode } from 'react';
import { Cancel, DialogActions } from '../../../ui/dialogs/dialog';
import { Button } from '../../../ui/forms/button';
import { Choice } from '../../../ui/forms/fields/choice';
import { CheckField, TextField } from '../../../ui/forms/fields/field';
import { detailsOf, Form } from '../../../ui/forms/form';
import { Stack } from '../../../ui/layout/stack';
import { standardClaims } from '../claims';
import { SUBJECT_TYPES, TYPES } from '../labels';
import { AdvancedFields } from './advanced-fields';
import { CredentialFields } from './credential-fields';
import style from './form.module.css';
import { namesOf, UriRows } from './uri-rows';
import { useClientInput } from './use-client-input';

const FIELDS: readonly string[] = [
  'name',
  'tokenEndpointAuth',
  'jwks',
  'profile',
  'email',
  'backchannelLogoutUri',
  'idTokenAlg',
  'requireDpop',
  'claims',
  'claimsInIdToken',
  'requirePkce',
];

type Input = ReturnType<typeof useClientInput>;

/** The form of a new application, or of one that is edited. Its type, authentication and kind of identifier stay. */
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
  const input = useClientInput(client);
  const { type, subjectType, redirects, postLogouts } = input;
  const keyDetails = detailsOf(error).filter(({ path }) => path.startsWith('body.jwks.'));
  return (
    <Form
      names={[
        ...FIELDS,
        ...namesOf('redirectUris', redirects),
        ...namesOf('postLogoutRedirectUris', postLogouts),
        ...keyDetails.map(({ path }) => path.replace(/^.*\./, '')),
      ]}
      error={error}
      onSend={(values) => {
        const taken = input.take(values);
        if (taken !== undefined) onSend(taken);
      }}
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
          <Choice legend="Type" options={TYPES} chosen={type} onChoose={input.chooseType} />
        )}
        <RedirectUris {...input} />
        <CredentialFields client={client} input={input} error={error} />
        {client === undefined && (
          <Choice
            legend="Identifier of a person"
            options={SUBJECT_TYPES}
            chosen={subjectType}
            onChoose={input.setSubjectType}
          />
        )}
        <Claims client={client} type={type} />
        <AdvancedFields client={client} auth={input.auth} error={error} postLogouts={postLogouts} />
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

/** A device has none. */
const RedirectUris = ({ type, subjectType, redirects }: Pick<Input, 'type' | 'subjectType' | 'redirects'>) =>
  type !== 'device' && (
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
  );

const Claims = ({ client, type }: { readonly client: OidcClient | undefined } & Pick<Input, 'type'>) => (
  <fieldset className={style.group}>
    <legend>What it may read</legend>
    <CheckField
      label="Name"
      name="profile"
      defaultChecked={client ? standardClaims(client.claims).includes('profile') : true}
    />
    <CheckField
      label="E-mail address"
      name="email"
      hint={type === 'web' && 'Grafana and GitLab need it.'}
      defaultChecked={client ? standardClaims(client.claims).includes('email') : true}
    />
  </fieldset>
);
