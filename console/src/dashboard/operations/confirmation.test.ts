import { expect, test } from 'vitest';
import { Confirmation, confirming } from './confirmation';

const refused = () =>
  new Response('{"error":"step_up_required"}', {
    status: 403,
    headers: { date: 'Thu, 01 Jan 2026 00:00:00 GMT' },
  });
const URL = 'https://svc.example/api/console/keys';

/** A service that refuses requests until the reader has confirmed. */
function createService() {
  const confirmation = new Confirmation();
  const sent: RequestInit[] = [];
  const send = confirming(async (_, init = {}) => {
    sent.push(init);
    return confirmation.count > 0 ? Response.json({ ok: true }) : refused();
  }, confirmation);
  return { confirmation, sent, send };
}

const asked = async ({ isAsked }: Confirmation) => expect.poll(isAsked).toBe(true);

test('requests at the same time ask one question, and are sent again with what they had', async () => {
  const { confirmation, sent, send } = createService();
  const replies = [send(URL, { method: 'POST', body: 'a' }), send(URL, { method: 'POST', body: 'b' })];
  await asked(confirmation);
  confirmation.answer(true);
  expect((await Promise.all(replies)).map(({ status }) => status)).toEqual([200, 200]);
  expect(confirmation.isAsked()).toBe(false);
  expect(sent.map(({ method, body }) => [method, body])).toEqual([
    ['POST', 'a'],
    ['POST', 'b'],
    ['POST', 'a'],
    ['POST', 'b'],
  ]);
});

test('a request that is sent again has its own time', async () => {
  const { confirmation, sent, send } = createService();
  const reply = send(URL, { signal: AbortSignal.abort() });
  await asked(confirmation);
  confirmation.answer(true);
  await reply;
  expect(sent.at(-1)?.signal?.aborted).toBe(false);
});

test('cancelling returns the first response, without its time', async () => {
  const { confirmation, sent, send } = createService();
  const reply = send(URL);
  await asked(confirmation);
  confirmation.answer(false);
  const response = await reply;
  expect([response.status, await response.json()]).toEqual([403, { error: 'step_up_required' }]);
  expect(response.headers.has('date')).toBe(false);
  expect(sent).toHaveLength(1);
});

test('a request that the service rejected while another one asked does not ask again', async () => {
  const confirmation = new Confirmation();
  const responses = [refused(), Response.json({ ok: true })];
  const send = confirming(async () => {
    if (responses.length === 2) confirmation.answer(true);
    return responses.shift() as Response;
  }, confirmation);
  expect((await send(URL)).status).toBe(200);
});

test.each(['{"error":"role_insufficient"}', 'a page of a proxy'])(
  'other rejections stay: %s',
  async (body) => {
    const confirmation = new Confirmation();
    const send = confirming(async () => new Response(body, { status: 403 }), confirmation);
    const response = await send(URL);
    expect([response.status, await response.text()]).toEqual([403, body]);
    expect(confirmation.isAsked()).toBe(false);
  },
);
