// What a desk's screen does: it follows its code, and shows the newest and each punch.
import { once } from 'node:events';
import { request } from 'node:http';

/** A field of an event, which is a block of lines. */
const field = (block, name) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1];

/**
 * Follows the code of a site's desk, from the event with an id on or from now.
 * @returns the code that is shown now (`code()`), the id of the last event (`lastId()`), and each punch in `punches`, with the time at which it
 *   arrived. Resolves when the first code is there.
 */
export async function followCode(baseUrl, { desk }, { lastId, punches = [] } = {}) {
  const headers = { ...desk.headers, ...(lastId && { 'last-event-id': lastId }) };
  const path = `/v1/attendance/codes/${desk.id}/stream`;
  const sent = request(new URL(path, baseUrl), { headers, agent: false }).end();
  const [reply] = await once(sent, 'response');
  if (reply.statusCode !== 200) throw new Error(`A desk's stream returned ${reply.statusCode}.`);
  sent.on('error', () => {});
  reply.on('error', () => {});
  let [text, code, last] = ['', undefined, lastId];
  let began;
  const first = new Promise((resolve) => {
    began = resolve;
  });
  reply.setEncoding('utf8').on('data', (piece) => {
    const blocks = (text + piece).split('\n\n');
    text = blocks.pop();
    for (const block of blocks) {
      last = field(block, 'id') ?? last;
      const data = JSON.parse(field(block, 'data') ?? 'null');
      if (field(block, 'event') === 'attendance') punches.push({ ...data, shownAt: performance.now() });
      if (field(block, 'event') !== 'code') continue;
      code = data.value;
      began();
    }
  });
  await first;
  return { punches, code: () => code, lastId: () => last, leave: () => reply.destroy() };
}
