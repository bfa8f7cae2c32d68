import { key, route } from '../../http/route.js';
import { EnvironmentQuery } from '../../records/schema.js';
import { deliveryDays, deliveryList, replayEvents, testWebhook } from './deliveries.js';
import { DELIVERIES } from './deliveries-openapi.js';
import {
  createWebhook,
  deleteWebhook,
  findWebhook,
  rotateSecret,
  serializeWebhook,
  updateWebhook,
  webhookList,
} from './webhooks.js';
import * as schema from './webhooks.schema.js';
import { DESCRIPTIONS, params } from './webhooks-openapi.js';

export const webhooksV1 = [
  route({
    operationId: 'createWebhook',
    method: 'POST',
    path: '/v1/webhooks',
    summary: 'Create a webhook',
    description: DESCRIPTIONS.create,
    auth: key('webhooks:write', { console: { role: 'developer' } }),
    acts: ['change_webhook'],
    schemas: { body: schema.CreateBody },
    replies: { 201: schema.CreatedReply },
    errors: ['webhook_url_refused', 'webhook_limit_reached'],
    sends: DELIVERIES,
    secret: true,
    async handler(context) {
      const { webhook, secret } = await createWebhook(context);
      return { webhook: serializeWebhook(webhook), secret };
    },
  }),
  route({
    operationId: 'listWebhooks',
    method: 'GET',
    path: '/v1/webhooks',
    summary: 'List webhooks, newest first',
    auth: key('events:read', { console: { role: 'auditor' } }),
    schemas: { query: schema.ListQuery },
    replies: { 200: schema.ListReply },
    compress: true,
    handler: (context) => webhookList(context),
  }),
  route({
    operationId: 'getWebhook',
    method: 'GET',
    path: '/v1/webhooks/:id',
    summary: 'Get a webhook',
    auth: key('events:read', { console: { role: 'auditor' } }),
    schemas: { params },
    replies: { 200: schema.WebhookReply },
    handler: async ({ read, params: { id } }) => ({ webhook: serializeWebhook(await findWebhook(read, id)) }),
  }),
  route({
    operationId: 'updateWebhook',
    method: 'PATCH',
    path: '/v1/webhooks/:id',
    summary: 'Change, pause or turn on a webhook',
    description: DESCRIPTIONS.update,
    auth: key('webhooks:write', { console: { role: 'developer' } }),
    acts: ['change_webhook'],
    schemas: { params, body: schema.PatchBody },
    replies: { 200: schema.WebhookReply },
    errors: ['webhook_url_refused'],
    handler: async (context) => ({
      webhook: serializeWebhook(await updateWebhook(context, context.params.id, context.body)),
    }),
  }),
  route({
    operationId: 'deleteWebhook',
    method: 'DELETE',
    path: '/v1/webhooks/:id',
    summary: 'Delete a webhook',
    auth: key('webhooks:write', { console: { role: 'developer' } }),
    acts: ['change_webhook'],
    schemas: { params },
    replies: { 200: schema.DeletedReply },
    async handler(context) {
      await deleteWebhook(context, context.params.id);
      return { deleted: true };
    },
  }),
  route({
    operationId: 'rotateWebhookSecret',
    method: 'POST',
    path: '/v1/webhooks/:id/rotate-secret',
    summary: 'Replace the secret of a webhook',
    description: DESCRIPTIONS.rotate,
    auth: key('webhooks:write', { console: { role: 'developer' } }),
    acts: ['change_webhook'],
    schemas: { params, body: schema.RotateBody },
    replies: { 200: schema.SecretReply },
    secret: true,
    handler: async (context) => ({ secret: await rotateSecret(context, context.params.id, context.body) }),
  }),
  route({
    operationId: 'testWebhook',
    method: 'POST',
    path: '/v1/webhooks/:id/test',
    summary: 'Send a test event',
    description: DESCRIPTIONS.test,
    auth: key('webhooks:write', { console: { role: 'developer' } }),
    schemas: { params },
    replies: { 200: schema.DeliveryReply },
    handler: async (context) => ({ delivery: await testWebhook(context, context.params.id) }),
  }),
  route({
    operationId: 'replayWebhook',
    method: 'POST',
    path: '/v1/webhooks/:id/replay',
    summary: 'Send past events again',
    description: DESCRIPTIONS.replay,
    auth: key('webhooks:write', { console: { role: 'developer' } }),
    schemas: { params, body: schema.ReplayBody },
    replies: { 202: schema.ReplayReply },
    handler: async (context) => ({ replay: await replayEvents(context, context.params.id, context.body) }),
  }),
  route({
    operationId: 'listWebhookDeliveries',
    method: 'GET',
    path: '/v1/webhooks/:id/deliveries',
    summary: 'List attempts to deliver events, newest first',
    description: DESCRIPTIONS.deliveries,
    auth: key('events:read', { console: { role: 'auditor' } }),
    schemas: { params, query: schema.DeliveriesQuery },
    replies: { 200: schema.DeliveriesReply },
    compress: true,
    handler: (context) => deliveryList(context, context.params.id),
  }),
  route({
    operationId: 'getWebhookDeliveryDays',
    method: 'GET',
    path: '/v1/webhooks/:id/deliveries/days',
    summary: 'Count the attempts to deliver events by day and status',
    description:
      'Each of the last 30 days (UTC), oldest first, also those without attempts. The newest 50,000 attempts are counted: with more, the ' +
      'first day that has counts may be incomplete, and the days before it have none.',
    auth: key('events:read', { console: { role: 'auditor' } }),
    schemas: { params, query: EnvironmentQuery },
    replies: { 200: schema.DeliveryDaysReply },
    handler: (context) => deliveryDays(context, context.params.id),
  }),
];
