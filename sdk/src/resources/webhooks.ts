import type {
  Webhook,
  WebhookCreateParams,
  WebhookDelivery,
  WebhookDeliveryListParams,
  WebhookDeliveryPage,
  WebhookListParams,
  WebhookPage,
  WebhookReplay,
  WebhookReplayParams,
  WebhookSecretRotateParams,
  WebhookUpdateParams,
} from '../generated/api.js';
import type { Reply, RequestOptions, Transport } from '../transport/transport.js';
import { listOf, type Pages } from './pages.js';

/** `svc.webhooks`: addresses to which the service sends events. Verify deliveries with `verifyWebhook`. */
export class Webhooks {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Creates a webhook. `secret` is returned only once. Scope `webhooks:write`.
   * @throws SvcError `webhook_url_refused`, `webhook_limit_reached`
   */
  create(webhook: WebhookCreateParams, options?: RequestOptions): Promise<Reply<'createWebhook'>> {
    return this.#transport.call('createWebhook', { body: webhook }, options);
  }

  /** All webhooks, newest first. Scope `events:read`. */
  list(filter: WebhookListParams = {}, options?: RequestOptions): Pages<Webhook, WebhookPage> {
    return listOf(this.#transport, 'listWebhooks', 'webhooks', filter, options);
  }

  /** A webhook by id. Scope `events:read`. */
  async get(id: string, options?: RequestOptions): Promise<Webhook> {
    return (await this.#transport.call('getWebhook', { path: { id } }, options)).webhook;
  }

  /**
   * Changes the given fields. `status: 'active'` continues after the last event that was sent, so nothing is lost; `since` continues
   * somewhere else. Scope `webhooks:write`.
   */
  async update(id: string, changes: WebhookUpdateParams, options?: RequestOptions): Promise<Webhook> {
    const input = { path: { id }, body: changes };
    return (await this.#transport.call('updateWebhook', input, options)).webhook;
  }

  /** Deletes a webhook. A request in flight may still arrive. Scope `webhooks:write`. */
  async delete(id: string, options?: RequestOptions): Promise<void> {
    await this.#transport.call('deleteWebhook', { path: { id } }, options);
  }

  /**
   * Replaces the secret and returns the new one, only once. Until the grace ends (default: one day), deliveries have signatures of
   * both. Scope `webhooks:write`.
   */
  async rotateSecret(
    id: string,
    rotation: WebhookSecretRotateParams = {},
    options?: RequestOptions,
  ): Promise<string> {
    const input = { path: { id }, body: rotation };
    return (await this.#transport.call('rotateWebhookSecret', input, options)).secret;
  }

  /** Sends `webhook.test` now and returns the attempt, which may have failed. Scope `webhooks:write`. */
  async test(id: string, options?: RequestOptions): Promise<WebhookDelivery> {
    return (await this.#transport.call('testWebhook', { path: { id } }, options)).delivery;
  }

  /** Sends events again: a range of the chain, or the event of one delivery. Scope `webhooks:write`. */
  async replay(id: string, events: WebhookReplayParams, options?: RequestOptions): Promise<WebhookReplay> {
    const input = { path: { id }, body: events };
    return (await this.#transport.call('replayWebhook', input, options)).replay;
  }

  /** The attempts of the last 30 days, newest first. Scope `events:read`. */
  listDeliveries(
    id: string,
    filter: WebhookDeliveryListParams = {},
    options?: RequestOptions,
  ): Pages<WebhookDelivery, WebhookDeliveryPage> {
    return listOf(this.#transport, 'listWebhookDeliveries', 'deliveries', filter, options, { id });
  }
}
