export const DESCRIPTIONS = {
  create:
    'Events are sent to `url` by POST as described in docs/webhooks.md, signed by the Standard Webhooks specification. `secret` is shown ' +
    'once. `outcome` chooses events by their `status`; `success` is the default. With `ordered`, an event is only sent after the one before it was ' +
    'accepted. `throttled` (the default, without `ordered`) sums up events that anyone can cause, beyond 60 of a type a minute. `since` begins after an earlier event.',
  update:
    'Fields that are left out stay. `status: "active"` continues from the cursor, so nothing is lost; with `since` deliveries continue after ' +
    'that event, and what waits is dropped.',
  rotate:
    'Until the grace ends, deliveries are signed with both secrets, the new one first. A secret before the previous one is no longer used.',
  test: 'Sends an event `webhook.test` now and waits for the response. Its body is neither returned nor stored.',
  replay:
    'With `fromSeq`, sends the events from there to `toSeq` (default: the cursor) that the webhook selects; with `deliveryId`, the event of that ' +
    'attempt. They have the same `webhook-id` as before and the header `svc-replay: true`. A replay that is under way is extended.',
  deliveries:
    'Attempts of the last 30 days, newest first. `pending` is a failed attempt that another one follows, `abandoned` the last one.',
} as const;

export const params = { id: 'webhook_not_found' } as const;
