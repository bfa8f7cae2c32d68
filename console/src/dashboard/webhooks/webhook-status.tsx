import type { Webhook } from '@svc/sdk';
import { StatusTag } from '../../ui/layout/surface';
import { STATUSES, textOfLag, textOfStatus } from './labels';

export const WebhookStatus = ({ of }: { readonly of: Webhook }) => (
  <StatusTag tone={STATUSES[of.status][1]}>{textOfStatus(of)}</StatusTag>
);

/** An active webhook that is fewer events behind is sending them right now. */
const MANY = 100;

/** How many events the webhook is behind. */
export const Progress = ({ of: { lag, status } }: { readonly of: Webhook }) => (
  <StatusTag tone={lag === 0 || (status === 'active' && lag < MANY) ? 'good' : 'warn'}>
    {textOfLag(lag) ?? 'Up to date'}
  </StatusTag>
);
