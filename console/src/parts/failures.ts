import { SvcError } from '@svc/sdk';

const REQUEST = { requestId: '019e1b85-95c0-72a3-becb-0899249ccc7f' };

export const OUTAGE = new SvcError('service_unavailable', 'The service is temporarily unavailable.', REQUEST);

export const RATE_LIMITED = new SvcError('rate_limit_exceeded', 'Too many requests. Try again later.', {
  ...REQUEST,
  retryAfterSeconds: 90,
});

export const REJECTED = new SvcError('invalid_request', 'The request is not valid.', {
  ...REQUEST,
  details: [{ path: 'body.name', message: 'must be a non-empty string' }],
});
