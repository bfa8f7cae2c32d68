import { console, route } from '../../http/route.js';
import { EnvironmentQuery } from '../../records/schema.js';
import { deliveryList, replayEvents, testWebhook } from './deliveries.js';
import {
  createWebhook,
  deleteWebhook,
  findWebhook,
  rotateSecret,
  serializeForConsole,
  updateWebhook,
  webhookList,
} from './webhooks.js';
import * as schema from './webhooks.schema.js';
import { DESCRIPTIONS, params } from './webhooks-openapi.js';

export const webhooksConsole = [
  route({
    operationId: 'consoleCreateWebhook',
    method: 'POST',
    path: '/api/console/webhooks',
    summary: 'Create a webhook',
    description: DESCRIPTIONS.create,
    auth: console,
    schemas: { query: EnvironmentQuery, body: schema.CreateBody },
    replies: { 201: schema.ConsoleCreatedReply },
    errors: ['webhook_url_refused', 'webhook_limit_reached'],
    secret: true,
    async handler(context) {
      const { webhook, secret } = await createWebhook(context);
      return { webhook: serializeForConsole(webhook), secret };
    },
  }),
  route({
    operationId: 'consoleListWebhooks',
    method: 'GET',
    path: '/api/console/webhooks',
    summary: 'List webhooks, newest first',
    auth: console,
    schemas: { query: schema.ConsoleListQuery },
    replies: { 200: schema.ConsoleListReply },
    compress: true,
    handler: (context) => webhookList(context, serializeForConsole),
  }),
  route({
    operationId: 'consoleGetWebhook',
    method: 'GET',
    path: '/api/console/webhooks/:id',
    summary: 'Get a webhook',
    auth: console,
    schemas: { params, query: EnvironmentQuery },
    replies: { 200: schema.ConsoleWebhookReply },
    handler: async ({ read, params: { id } }) => ({
      webhook: serializeForConsole(await findWebhook(read, id)),
    }),
  }),
  route({
    operationId: 'consoleUpdateWebhook',
    method: 'PATCH',
    path: '/api/console/webhooks/:id',
    summary: 'Change, pause or turn on a webhook',
    description: DESCRIPTIONS.update,
    auth: console,
    schemas: { params, query: EnvironmentQuery, body: schema.PatchBody },
    replies: { 200: schema.ConsoleWebhookReply },
    errors: ['webhook_url_refused'],
    handler: async (context) => ({
      webhook: serializeForConsole(await updateWebhook(context, context.params.id, context.body)),
    }),
  }),
  route({
    operationId: 'consoleDeleteWebhook',
    method: 'DELETE',
    path: '/api/console/webhooks/:id',
    summary: 'Delete a webhook',
    auth: console,
    schemas: { params, query: EnvironmentQuery },
    replies: { 200: schema.DeletedReply },
    async handler(context) {
      await deleteWebhook(context, context.params.id);
      return { deleted: true };
    },
  }),
  route({
    operationId: 'consoleRotateWebhookSecret',
    method: 'POST',
    path: '/api/console/webhooks/:id/rotate-secret',
    summary: 'Replace the secret of a webhook',
    description: DESCRIPTIONS.rotate,
    auth: console,
    schemas: { params, query: EnvironmentQuery, body: schema.RotateBody },
    replies: { 200: schema.SecretReply },
    secret: true,
    handler: async (context) => ({ secret: await rotateSecret(context, context.params.id, context.body) }),
  }),
  route({
    operationId: 'consoleTestWebhook',
    method: 'POST',
    path: '/api/console/webhooks/:id/test',
    summary: 'Send a test event',
    description: DESCRIPTIONS.test,
    auth: console,
    schemas: { params, query: EnvironmentQuery },
    replies: { 200: schema.DeliveryReply },
    handler: async (context) => ({ delivery: await testWebhook(context, context.params.id) }),
  }),
  route({
    operationId: 'consoleReplayWebhook',
    method: 'POST',
    path: '/api/console/webhooks/:id/replay',
    summary: 'Send past events again',
    description: DESCRIPTIONS.replay,
    auth: console,
    schemas: { params, query: EnvironmentQuery, body: schema.ReplayBody },
    replies: { 202: schema.ReplayReply },
    handler: async (context) => ({ replay: await replayEvents(context, context.params.id, context.body) }),
  }),
  route({
    operationId: 'consoleListWebhookDeliveries',
    method: 'GET',
    path: '/api/console/webhooks/:id/deliveries',
    summary: 'List attempts to deliver events, newest first',
    description: DESCRIPTIONS.deliveries,
    auth: console,
    schemas: { params, query: schema.ConsoleDeliveriesQuery },
    replies: { 200: schema.DeliveriesReply },
    compress: true,
    handler: (context) => deliveryList(context, context.params.id),
  }),
];
