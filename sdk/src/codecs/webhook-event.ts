import type { Event } from '../generated/api.js';
import type { EventType } from '../generated/event-types.js';
import type { Environment } from '../transport/options.js';

/** What each delivery names: the account, and the event before this one that the webhook selects. */
interface DeliveryData {
  readonly tenantId: string;
  readonly environment: Environment;
  /** If null, or greater than the last event that you handled, read the feed first. Null in the first delivery, after a change of the filter and in `webhook.test`. */
  readonly previousSeq: number | null;
  readonly previousHash: string | null;
}

/** The data of an audit event: the event of the feed, the account and the event before it. */
export type EventData<T extends string = EventType> = Readonly<Omit<Event, 'type' | 'action'>> &
  DeliveryData & { readonly type: T; readonly action: T };

/** Events that anyone can cause are summed up beyond 60 of a type a minute. The feed has each of them. */
export interface ThrottledData extends DeliveryData {
  /** The type of the events that were not delivered one by one. */
  readonly type: string;
  readonly fromSeq: number;
  readonly toSeq: number;
  readonly count: number;
}

export interface TestData extends DeliveryData {
  readonly webhookId: string;
}

interface Delivery<T extends string, Data> {
  /** The `webhook-id`: the same in every retry and replay, so that a receiver can ignore duplicates. */
  readonly id: string;
  readonly type: T;
  readonly timestamp: string;
  readonly data: Data;
}

/**
 * A verified delivery. Branch on `type`. A newer server may send other types, which have the data of an event: handle them in the
 * `default` branch.
 */
export type WebhookEvent =
  | { [T in EventType]: Delivery<T, EventData<T>> }[EventType]
  | Delivery<'events.throttled', ThrottledData>
  | Delivery<'webhook.test', TestData>;
