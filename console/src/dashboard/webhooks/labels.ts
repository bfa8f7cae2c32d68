import type { Webhook, WebhookDelivery } from '@svc/sdk';
import type { Tone } from '../../ui/layout/surface';
import { formatNumber } from '../../ui/numbers';

export const OUTCOMES: Readonly<Record<Webhook['outcome'], string>> = {
  success: 'Successes only',
  failure: 'Failures only',
  any: 'Successes and failures',
};

/** Why deliveries are turned off: in a few words, and what it means. */
export const REASONS: Readonly<
  Record<NonNullable<Webhook['disabledReason']>, readonly [short: string, about: string]>
> = {
  gone: [
    'responded with 410 Gone',
    'The receiver responded with 410 Gone, which means that it no longer wants events. If that was a mistake, correct it and turn deliveries on. They continue with that event, so nothing is lost.',
  ],
  failing: [
    'kept failing',
    'An event could not be delivered in ten attempts. Correct the receiver, send a test event, and turn deliveries on. They continue with that event, so nothing is lost.',
  ],
  chain_diverged: [
    'database restored',
    'The database was restored to another state, so the last event that was sent is not the one that is stored now. Compare your records with the feed, then turn deliveries on from now. Earlier events are not sent.',
  ],
};

export const STATUSES: Readonly<Record<Webhook['status'], readonly [name: string, tone: Tone]>> = {
  active: ['Active', 'good'],
  paused: ['Paused', 'warn'],
  disabled: ['Turned off', 'bad'],
};

/** `Turned off: kept failing` */
export function textOfStatus({ status, disabledReason }: Pick<Webhook, 'status' | 'disabledReason'>) {
  const [name] = STATUSES[status];
  return disabledReason === null ? name : `${name}: ${REASONS[disabledReason][0]}`;
}

/** `12 events behind`. Undefined if the webhook is not behind. */
export const textOfLag = (lag: number): string | undefined =>
  lag === 0 ? undefined : `${formatNumber(lag)} ${lag === 1 ? 'event' : 'events'} behind`;

/** `38 ms` or `2.4 s` */
export const textOfDuration = (ms: number): string =>
  ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toFixed(1)} s`;

type Attempt = Pick<WebhookDelivery, 'status' | 'httpStatus' | 'errorCode' | 'seq'>;

export const DELIVERY_STATUSES = {
  succeeded: 'Delivered',
  pending: 'Will be retried',
  failed: 'Failed',
  abandoned: 'Given up',
} as const;

const TONES: Readonly<Record<WebhookDelivery['status'], Tone>> = {
  succeeded: 'good',
  pending: 'warn',
  failed: 'bad',
  abandoned: 'bad',
};

/** The result of an attempt. A test event is sent once, so it is never given up. */
export const resultOf = ({ status, seq }: Attempt): readonly [name: string, tone: Tone] => [
  DELIVERY_STATUSES[seq === null && status === 'abandoned' ? 'failed' : status],
  TONES[status],
];

type ErrorCode = NonNullable<WebhookDelivery['errorCode']>;

/** What went wrong, and what to do about it. */
const ERRORS: Readonly<Record<Exclude<ErrorCode, 'status'>, readonly [problem: string, next: string]>> = {
  dns: [
    'The name was not found',
    'Check the spelling of the host name, and that the public DNS has an address for it.',
  ],
  connect: [
    'No connection',
    'Check that the receiver is running, and that its port can be reached from the internet. Addresses of private networks can’t be reached.',
  ],
  tls: [
    'No secure connection',
    'Check that the receiver’s certificate is valid for this host name, has not expired, and is sent with its intermediate certificates.',
  ],
  timeout: ['No response in 15 seconds', 'Store the event, respond immediately, and process it afterwards.'],
  too_large: ['The response was too large', 'Respond with a status and an empty body.'],
};

/** What to do about a status, from the first entry that matches. */
const NEXT_BY_STATUS: readonly (readonly [first: number, last: number, next: string])[] = [
  [300, 399, 'Redirects are not followed. Enter the address that they lead to.'],
  [401, 403, 'Accept requests without a login, and verify their signature instead.'],
  [404, 404, 'Check the path of the URL.'],
  [405, 405, 'Accept POST requests at this path.'],
  [410, 410, 'For an event, this status turns deliveries off. Respond with 2xx to receive more.'],
  [429, 429, 'Accept more requests. Retries wait as long as your Retry-After header says.'],
  [400, 499, 'Respond with 2xx once you have stored the event.'],
  [500, 599, 'Look for an error in the receiver’s log.'],
];

/** The HTTP status, or the error in words. */
export function responseOf({ httpStatus, errorCode }: Attempt): string {
  if (httpStatus !== null) return String(httpStatus);
  return errorCode === null || errorCode === 'status' ? 'No status' : ERRORS[errorCode][0];
}

/** What to do about a failed attempt. */
export function nextStepOf({ httpStatus, errorCode }: Attempt): string {
  if (errorCode !== null && errorCode !== 'status') return ERRORS[errorCode][1];
  const found = NEXT_BY_STATUS.find(
    ([first, last]) => httpStatus !== null && httpStatus >= first && httpStatus <= last,
  );
  return found?.[2] ?? 'Respond with 2xx once you have stored the event.';
}
