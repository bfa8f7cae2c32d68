import { setTimeout as delay } from 'node:timers/promises';

/** Follows the events of an account on one node, and connects again after the last event whenever the stream ends. */
export function followEvents(url: string, key: string) {
  const seqs: number[] = [];
  const violations: string[] = [];
  const stopping = new AbortController();
  let last: string | undefined;

  async function follow(): Promise<void> {
    const reply = await fetch(`${url}/v1/events/stream`, {
      headers: { authorization: `Bearer ${key}`, ...(last !== undefined && { 'last-event-id': last }) },
      signal: stopping.signal,
    });
    if (reply.status !== 200) {
      const text = await reply.text();
      if (reply.status !== 503) violations.push(`a stream returned ${reply.status} ${text}`);
      return;
    }
    let text = '';
    for await (const chunk of reply.body as unknown as AsyncIterable<Uint8Array>) {
      text += Buffer.from(chunk).toString('utf8');
      const blocks = text.split('\n\n');
      text = blocks.pop() as string;
      for (const block of blocks) {
        const id = /^id: (\d+)$/m.exec(block)?.[1];
        if (id === undefined) continue;
        last = id;
        if (/^event: /m.test(block)) seqs.push(Number(id));
      }
    }
  }

  const following = (async () => {
    while (!stopping.signal.aborted) {
      await follow().catch((error: unknown) => {
        // A stream may be cut off when its reads fail.
        if (!stopping.signal.aborted && last === undefined) violations.push(`a stream failed: ${error}`);
      });
      await delay(200);
    }
  })();
  return {
    /** The sequence numbers that arrived, in order of arrival. */
    seqs: seqs as readonly number[],
    violations: violations as readonly string[],
    async stop() {
      stopping.abort();
      await following;
    },
  };
}
