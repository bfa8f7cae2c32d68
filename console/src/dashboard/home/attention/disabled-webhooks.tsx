import type { Webhook } from '@svc/sdk';
import { ButtonLink } from '../../../ui/forms/button-link';
import { onFirstUse } from '../../../ui/on-first-use';
import { hostOf } from '../../nouns/webhook-host';
import { useEnvironment } from '../../operations/environment';
import { useOperation } from '../../operations/operation';
import { pageIn, recordIn } from '../../paths';
import { AttentionRow } from './attention-row';

/** More than any plan has. */
const LIMIT = 100;
const LIST = onFirstUse(() => new Intl.ListFormat('en'));

export const useWebhooks = () =>
  useOperation('listWebhooks', { query: { limit: LIMIT } }, { select: ({ webhooks }) => webhooks });

/** The webhooks that the service has turned off. */
export function DisabledWebhooks({ webhooks }: { readonly webhooks: readonly Webhook[] }) {
  const environment = useEnvironment();
  const [first] = webhooks;
  if (first === undefined) return null;
  const hosts = [...new Set(webhooks.map(({ url }) => hostOf(url)))];
  const isOne = webhooks.length === 1;
  return (
    <AttentionRow
      tone="bad"
      action={
        <ButtonLink
          small
          to={isOne ? recordIn(environment, 'webhooks', first.id) : pageIn(environment, 'webhooks')}
        >
          {isOne ? 'Show the webhook' : 'Show the webhooks'}
        </ButtonLink>
      }
    >
      <strong>Deliveries to {LIST().format(hosts)} are turned off.</strong>
    </AttentionRow>
  );
}
