import type { OidcClient, OidcClientUpdateParams } from '@svc/sdk';
import { useState } from 'react';
import { Code } from '../../ui/code/code';
import { Failure } from '../../ui/failure';
import { Button } from '../../ui/forms/button';
import { CopyButton, CopyIcon } from '../../ui/forms/copy';
import { Panel } from '../../ui/layout/panel';
import { Notice } from '../../ui/layout/surface';
import { Tabs } from '../../ui/layout/tabs';
import { productName } from '../../ui/product-name';
import { Needs } from '../nouns/members/needs';
import { useSend } from '../operations/send';
import { standardClaims, withClaim } from './claims';
import style from './clients.module.css';
import { AUTH_METHODS } from './labels';
import { PRODUCTS, type Product, productOf, redirectUriOf, settingsFor } from './products';

interface Shown {
  readonly client: OidcClient;
  /** Undefined if it is not known any more. */
  readonly secret?: string;
  /** Receives the application after a change that a product needs. */
  readonly onChange?: ((client: OidcClient) => void) | undefined;
}

/** What to paste into the configuration of well-known products. */
export function ProductSettings(shown: Shown) {
  const [random] = useState(randomText);
  return (
    <Tabs
      label="Settings for products"
      initial={productOf(shown.client.redirectUris)?.name}
      tabs={PRODUCTS.map((product) => [
        product.name,
        <Settings key={product.name} product={product} random={random} {...shown} />,
      ])}
    />
  );
}

const randomText = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );

function Settings({
  product,
  client,
  secret,
  random,
  onChange,
}: Shown & { readonly product: Product; readonly random: string }) {
  const text = settingsFor(product, {
    ...client,
    provider: productName,
    random,
    ...(secret !== undefined && { secret }),
  });
  const redirectUri = redirectUriOf(product, client.redirectUris);
  return (
    <div className={style.product}>
      <Missing product={product} client={client} onChange={onChange} />
      <Panel
        flush
        bar={
          <>
            <span>{product.place}</span>
            <CopyButton key={text} text={text} label="Copy the settings" />
          </>
        }
      >
        <Code label={`Settings for ${product.name}`} language="settings" wrap>
          {text}
        </Code>
      </Panel>
      <p className={style.note}>
        Redirect URI: <code>{redirectUri}</code>{' '}
        <CopyIcon text={redirectUri} label={`Copy the redirect URI of ${product.name}`} />
      </p>
      <p className={style.note}>{product.note}</p>
    </div>
  );
}

/** Why the product would not work with this application, and how to change that. */
function Missing({
  product: { name, auth, needsEmail, redirectPath },
  product,
  client,
  onChange,
}: Shown & { readonly product: Product }) {
  const change = useSend('consoleUpdateOidcClient', { done: 'Application saved' });
  const send = (body: OidcClientUpdateParams) =>
    change.mutate(
      { path: { clientId: client.clientId }, body },
      { onSuccess: (reply) => onChange?.(reply.client) },
    );
  const redirectUri = redirectUriOf(product, client.redirectUris);
  if (!auth.includes(client.tokenEndpointAuth))
    return (
      <Notice tone="warn">
        {name} authenticates in another way than this application, and that can’t be changed later. Add
        another application with the authentication “{AUTH_METHODS[auth[0] ?? 'client_secret_post']}”.
      </Notice>
    );
  return (
    <>
      {redirectPath !== null && !client.redirectUris.includes(redirectUri) && (
        <Notice
          tone="warn"
          action={
            <Needs least="developer">
              <Button
                small
                busy={change.isPending}
                onClick={() => send({ redirectUris: [...client.redirectUris, redirectUri] })}
              >
                Add this redirect URI
              </Button>
            </Needs>
          }
        >
          {name} sends people back to <code>{redirectUri}</code>, which is not among the redirect URIs.
        </Notice>
      )}
      {needsEmail && !standardClaims(client.claims).includes('email') && (
        <Notice
          tone="warn"
          action={
            <Needs least="developer">
              <Button
                small
                busy={change.isPending}
                onClick={() => send({ claims: withClaim(client.claims, 'email') })}
              >
                Let it read the e-mail address
              </Button>
            </Needs>
          }
        >
          {name} needs the e-mail address of each person, which this application may not read.
        </Notice>
      )}
      {client.requireDpop && (
        <Notice tone="warn">
          This application requires DPoP, which {name} does not use with these settings. Turn it off below
          Advanced when you edit the application.
        </Notice>
      )}
      {change.error && <Failure error={change.error} />}
    </>
  );
}
